// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <span>

/// The compiled kernels inside the plugin. gpu_layer/embed.py writes the definition of `kernel_images`.
namespace isovmaf::gpu {

/// One file of kernels, compiled for one architecture (or, on NVIDIA's side, for a list of them).
struct KernelImage {
    const char *arch;
    const char *name; ///< of the file, without its ending
    const std::byte *data;
    std::size_t bytes;
};

[[nodiscard]] std::span<const KernelImage> kernel_images();

} // namespace isovmaf::gpu

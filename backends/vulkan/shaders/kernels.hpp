// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <span>

/// The compiled shaders that the plugin contains; vulkan/shaders/compile.py generates their definitions.
namespace isovmaf::vulkan {

/// One kernel, as SPIR-V whose entry point is `main`.
struct KernelImage {
    const char *name;
    std::array<std::uint32_t, 3> group_size;
    std::span<const std::uint32_t> with_int64_atomics, without_int64_atomics;
};

/// The kernels of one file.
using KernelTable = std::span<const KernelImage>;

[[nodiscard]] std::span<const KernelTable *const> kernel_tables();

} // namespace isovmaf::vulkan

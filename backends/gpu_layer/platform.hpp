// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>

#include "common/outcome.hpp"
#include "gpu_layer/api.hpp"

/// What differs between the makers of GPUs. hip/amd.cpp or cuda/nvidia.cpp implements it.
namespace isovmaf::gpu::platform {

/// Finds the runtime and fills the table. UNAVAILABLE says what is missing.
[[nodiscard]] plugin::Outcome open(Api &api);

/// hipRuntimeGetVersion's number as text.
[[nodiscard]] std::string version_text(int version);

/// A file in which the kernel's driver says its version.
[[nodiscard]] const char *driver_version_file();

/// What kernels for a device are compiled for; empty when the runtime does not tell.
[[nodiscard]] std::string device_arch(const Api &api, int device);

/// What hipImportExternalMemory is told of such memory; none when the runtime does not take its kind.
[[nodiscard]] std::optional<hipExternalMemoryHandleDesc> external_handle(const isovmaf_external_memory &external);

/// Whether kernels compiled for `kernels_arch` may run on a device of `device_arch`.
[[nodiscard]] bool may_run(const std::string &kernels_arch, const std::string &device_arch);

} // namespace isovmaf::gpu::platform

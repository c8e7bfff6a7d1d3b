// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>

#include "common/outcome.hpp"
#include "gpu_layer/api.hpp"

/// The functions of the layer that differ between vendors. hip/amd.cpp or cuda/nvidia.cpp implements them.
namespace isovmaf::gpu::platform {

/// Opens the runtime and fills the table. An outcome of ISOVMAF_UNAVAILABLE says what is missing.
[[nodiscard]] plugin::Outcome open(Api &api);

/// hipRuntimeGetVersion's number as text.
[[nodiscard]] std::string version_text(int version);

/// The file in which the vendor's Linux driver publishes its version.
[[nodiscard]] const char *driver_version_file();

/// The architecture of a device; empty when the runtime does not name it.
[[nodiscard]] std::string device_arch(const Api &api, int device);

/// The description of such memory for hipImportExternalMemory; none when the runtime cannot import memory of its kind.
[[nodiscard]] std::optional<hipExternalMemoryHandleDesc> external_handle(const isovmaf_external_memory &external);

/// The name of the API of a device's context, and the context, for other libraries; none when there is no such use.
struct NativeContext {
    const char *api;
    void *context;
};
[[nodiscard]] std::optional<NativeContext> native_context(int device);

/// Whether kernels compiled for `kernels_arch` may run on a device of `device_arch`, which is empty when the runtime does
/// not name it.
[[nodiscard]] bool may_run(const std::string &kernels_arch, const std::string &device_arch);

/// The end of the sentence that refuses a device for which the plugin has no kernels: how to build some. May be empty.
[[nodiscard]] std::string build_advice(const std::string &device_arch);

} // namespace isovmaf::gpu::platform

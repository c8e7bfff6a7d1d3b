// SPDX-License-Identifier: BSD-2-Clause-Patent
// The table from ROCm's HIP runtime.
#include <dlfcn.h>
#include <fmt/format.h>

#include "common/library_file.hpp"
#include "gpu_layer/platform.hpp"
#include "hip/rocm_library.hpp"

namespace isovmaf::gpu::platform {

namespace {

/// What hipGetDevicePropertiesR0600 of ROCm 6 and later fills: 1472 bytes, with gcnArchName at byte 1160.
/// hipGetDeviceProperties is not called, because in ROCm 5 it fills another structure.
struct PropertiesR0600 {
    char before[1160];
    char arch[256];
    char after[56];
    char reserve[1024]; ///< for a runtime that appends fields
};
using GetPropertiesR0600 = hipError_t (*)(void *, int);

GetPropertiesR0600 get_properties = nullptr;

template <class Function>
void find(void *library, const char *name, Function &function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
}

/// Fills the table from a library. Returns the name of the first required function that the library lacks, or "".
std::string fill(Api &api, void *library) {
#define ISOVMAF_HIP_FIND(name, parameters) find(library, #name, api.name);
    ISOVMAF_HIP_REQUIRED(ISOVMAF_HIP_FIND)
    ISOVMAF_HIP_OPTIONAL(ISOVMAF_HIP_FIND)
#undef ISOVMAF_HIP_FIND
    find(library, "hipGetErrorName", api.hipGetErrorName);
    find(library, "hipGetDevicePropertiesR0600", get_properties);
#define ISOVMAF_HIP_REQUIRE(name, parameters)                                                                          \
    if (!api.name)                                                                                                     \
        return #name;
    ISOVMAF_HIP_REQUIRED(ISOVMAF_HIP_REQUIRE)
#undef ISOVMAF_HIP_REQUIRE
    return {};
}

hipError_t enter_device(const Api &api, int device, int &previous) {
    previous = -1;
    if (api.hipGetDevice && api.hipGetDevice(&previous) == hipSuccess && previous == device) {
        previous = -1;
        return hipSuccess;
    }
    return api.hipSetDevice(device);
}

void leave_device(const Api &api, int previous) {
    if (previous >= 0)
        (void)api.hipSetDevice(previous);
}

} // namespace

plugin::Outcome open(Api &api) {
    // The library stays open for as long as the process lives.
    const RuntimeLibrary found =
        open_runtime_library(runtime_places("/opt/rocm"), [&](void *library) { return fill(api, library); });
    if (!found.library)
        return {ISOVMAF_UNAVAILABLE,
                fmt::format("ROCm's HIP runtime cannot be opened, install ROCm or name its folder with ROCM_PATH ({})",
                            found.tried)};
    api.library = found.name;
    api.file = plugin::library_file(found.library);
    api.enter_device = enter_device;
    api.leave_device = leave_device;
    return {};
}

std::string version_text(int version) {
    return fmt::format("{}.{}.{}", version / 10000000, version / 100000 % 100, version % 100000);
}

const char *driver_version_file() { return "/sys/module/amdgpu/version"; }

std::string device_arch(const Api &, int device) {
    PropertiesR0600 properties{};
    if (!get_properties || get_properties(&properties, device) != hipSuccess)
        return {};
    properties.arch[sizeof properties.arch - 1] = '\0';
    return properties.arch;
}

/// AMD's drivers export opaque descriptors as dma-bufs, and the runtime imports both as one type.
std::optional<hipExternalMemoryHandleDesc> external_handle(const isovmaf_external_memory &external) {
    hipExternalMemoryHandleDesc handle{};
    handle.type = hipExternalMemoryHandleTypeOpaqueFd;
    handle.handle.fd = external.fd;
    handle.size = external.bytes;
    return handle;
}

/// FFmpeg has no decoder that takes HIP's handles.
std::optional<NativeContext> native_context(int) { return {}; }

bool may_run(const std::string &kernels_arch, const std::string &device_arch) {
    return device_arch.empty() || kernels_arch == device_arch.substr(0, device_arch.find(':'));
}

} // namespace isovmaf::gpu::platform

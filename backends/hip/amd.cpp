// SPDX-License-Identifier: BSD-2-Clause-Patent
// The table from ROCm's HIP runtime.
#include <array>
#include <string_view>

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

/// Code that several processors run, by the beginnings of their names (LLVM, "User Guide for AMDGPU Backend", generic
/// processors).
struct GenericTarget {
    std::string_view name;
    std::array<std::string_view, 2> processors;
};
constexpr std::array generic_targets{
    GenericTarget{"gfx9-4-generic", {"gfx94", "gfx95"}},  // CDNA 3 and 4
    GenericTarget{"gfx10-3-generic", {"gfx103"}},         // RDNA 2
    GenericTarget{"gfx11-generic", {"gfx110", "gfx115"}}, // RDNA 3 and 3.5
    GenericTarget{"gfx12-generic", {"gfx120"}},           // RDNA 4
};

/// "gfx90a" of "gfx90a:sramecc+:xnack-".
std::string_view processor(std::string_view device_arch) { return device_arch.substr(0, device_arch.find(':')); }

bool is_generic(std::string_view kernels_arch) { return kernels_arch.ends_with("-generic"); }

/// The name of the generic code that a device runs; empty when there is none.
std::string_view generic_for(std::string_view device_arch) {
    for (const GenericTarget &target : generic_targets)
        for (const std::string_view beginning : target.processors)
            if (!beginning.empty() && device_arch.starts_with(beginning))
                return target.name;
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
    if (device_arch.empty()) // on ROCm 5, which has no generic code
        return !is_generic(kernels_arch);
    return kernels_arch == processor(device_arch) || kernels_arch == generic_for(device_arch);
}

std::string build_advice(const std::string &device_arch) {
    if (device_arch.empty())
        return {};
    const std::string_view generic = generic_for(device_arch);
    return fmt::format("; build isovmaf with -Dhip_archs={}{}", processor(device_arch),
                       generic.empty() ? "" : fmt::format(", or {} with clang 22 for ROCm 6.4 and later", generic));
}

} // namespace isovmaf::gpu::platform

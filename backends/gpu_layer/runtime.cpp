// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "gpu_layer/runtime.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "gpu_layer/module.hpp"
#include "gpu_layer/platform.hpp"

namespace isovmaf::gpu {

namespace {

struct Runtime {
    Api api;
    Outcome outcome;
};

Runtime open_runtime() {
    Runtime runtime;
    runtime.outcome = platform::open(runtime.api);
    if (!runtime.outcome.ok())
        return runtime;
    const hipError_t error = runtime.api.hipInit(0);
    // Some runtimes do not start on a machine without a device, and return one of these errors.
    if (error == hipErrorNoDevice || error == hipErrorInvalidDevice)
        runtime.outcome = {ISOVMAF_UNAVAILABLE,
                           fmt::format("{} finds no device: {}", runtime.api.library, error_text(runtime.api, error))};
    else if (error != hipSuccess)
        runtime.outcome = {ISOVMAF_UNAVAILABLE,
                           fmt::format("{} does not start: {}", runtime.api.library, error_text(runtime.api, error))};
    return runtime;
}

int attribute(const Api &api, int device, hipDeviceAttribute_t which, std::string_view what) {
    int value = 0;
    check(api, api.hipDeviceGetAttribute(&value, which, device), what);
    return value;
}

std::string driver_version() {
    std::ifstream file(platform::driver_version_file());
    std::string version;
    std::getline(file, version);
    return version;
}

} // namespace

const Api &runtime() {
    static const Runtime opened = open_runtime();
    if (!opened.outcome.ok())
        throw FailedOutcome(opened.outcome.status, opened.outcome.sentence);
    return opened.api;
}

int device_count(const Api &api) {
    int count = 0;
    const hipError_t error = api.hipGetDeviceCount(&count);
    if (error != hipSuccess && error != hipErrorNoDevice && error != hipErrorInvalidDevice)
        throw FailedOutcome(ISOVMAF_UNAVAILABLE,
                            fmt::format("{} cannot count devices: {}", api.library, error_text(api, error)));
    if (error != hipSuccess || count == 0)
        throw FailedOutcome(ISOVMAF_UNAVAILABLE, fmt::format("{} finds no device", api.library));
    return count;
}

isovmaf_runtime_info describe_runtime(const Api &api) {
    isovmaf_runtime_info info{};
    info.device_count = static_cast<std::uint32_t>(device_count(api));
    copy_text(info.runtime, api.library);
    copy_text(info.file, api.file);
    int version = 0;
    if (api.hipRuntimeGetVersion && api.hipRuntimeGetVersion(&version) == hipSuccess)
        copy_text(info.runtime_version, platform::version_text(version));
    copy_text(info.driver_version, driver_version());
    return info;
}

isovmaf_device_info describe_device(const Api &api, int device) {
    isovmaf_device_info info{};
    std::string arch = platform::device_arch(api, device);
    if (arch.empty())
        arch = Modules(api, arch).arch();
    copy_text(info.arch, arch);
    if (!api.hipDeviceGetName || api.hipDeviceGetName(info.name, sizeof info.name, device) != hipSuccess)
        copy_text(info.name, arch + " GPU");
    std::array<char, sizeof info.pci_id> pci_id{};
    if (api.hipDeviceGetPCIBusId && api.hipDeviceGetPCIBusId(pci_id.data(), pci_id.size(), device) == hipSuccess)
        std::ranges::copy(pci_id, info.pci_id);
    std::size_t free_bytes = 0, total_bytes = 0;
    if (api.hipMemGetInfo && api.hipMemGetInfo(&free_bytes, &total_bytes) == hipSuccess)
        info.memory_free_bytes = free_bytes;
    else if (api.hipDeviceTotalMem)
        (void)api.hipDeviceTotalMem(&total_bytes, device);
    info.memory_bytes = total_bytes;
    info.compute_units = static_cast<std::uint32_t>(
        attribute(api, device, hipDeviceAttributeMultiprocessorCount, "counting the device's compute units"));
    info.wave_width = static_cast<std::uint32_t>(
        attribute(api, device, hipDeviceAttributeWarpSize, "reading the device's wave width"));
    info.replays = graphs_are_used(api) ? 1 : 0;
    int integrated = 0;
    if (api.hipDeviceGetAttribute(&integrated, hipDeviceAttributeIntegrated, device) == hipSuccess)
        info.shares_memory = integrated != 0 ? 1 : 0; // a runtime that does not know the attribute copies
    return info;
}

bool is_set(const char *variable) {
    const char *const value = std::getenv(variable);
    return value && std::string_view(value) == "1";
}

bool graphs_are_used(const Api &api) { return api.has_graphs() && !is_set("ISOVMAF_NO_GRAPHS"); }

} // namespace isovmaf::gpu

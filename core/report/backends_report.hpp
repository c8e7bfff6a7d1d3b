// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/backends.hpp"

/// Where this machine can compute.
namespace isovmaf {

/// A device of a plugin, with the facts that could be read.
struct DeviceState {
    std::uint32_t index = 0;
    std::optional<isovmaf_device_info> info;
    std::string fault;          ///< why it is not used; empty when it passed its self-test
    std::string f32_fault;      ///< why features in f32 do not run on it; empty when they do, or when it is not used
    HostPictures host_pictures; ///< how its kernels get pictures of the host, if it is used
    std::optional<isovmaf_memory_statistics> memory; ///< after the self-test, before the device was closed
};

struct BackendState {
    BackendCandidate candidate;
    std::vector<DeviceState> devices;
};

/// The backends and devices of this machine.
struct BackendsReport {
    std::vector<std::filesystem::path> folders; ///< that were searched
    std::vector<BackendState> backends;
};

/// Finds the plugins in the folders in use (backend_folders), and tests every device. Fails on a folder that is not
/// there.
[[nodiscard]] Result<BackendsReport> examine_backends(const std::vector<std::string> &folders);

/// The levels of this processor: "scalar", "sse4" and so on.
[[nodiscard]] std::vector<std::string_view> cpu_level_names();

/// The report as JSON. `memory` adds statistics of the allocators.
[[nodiscard]] std::string backends_json(const BackendsReport &report, bool memory);

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/backends.hpp"

namespace isovmaf::tool {

/// A device of a plugin, with the facts that could be read.
struct DeviceState {
    std::uint32_t index = 0;
    std::optional<isovmaf_device_info> info;
    std::string fault;     ///< why it is not used; empty when it passed its self-test
    std::string f32_fault; ///< why features in f32 do not run on it; empty when they do, or when it is not used
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

/// The report as a text for people, and as JSON. `memory` adds statistics of the allocators.
[[nodiscard]] std::string backends_text(const BackendsReport &report, bool memory);
[[nodiscard]] std::string backends_json(const BackendsReport &report, bool memory);

} // namespace isovmaf::tool

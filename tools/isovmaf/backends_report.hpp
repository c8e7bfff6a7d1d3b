// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/backends.hpp"

namespace isovmaf::tool {

/// A device of a plugin, as far as it could be looked at.
struct DeviceState {
    std::uint32_t index = 0;
    std::optional<isovmaf_device_info> info;
    std::string fault;                               ///< why it is not used; empty: it passed its self-test
    std::optional<isovmaf_memory_statistics> memory; ///< after the self-test, while it was open
};

struct BackendState {
    BackendCandidate candidate;
    std::vector<DeviceState> devices;
};

/// What there is on this machine.
struct BackendsReport {
    std::vector<std::filesystem::path> folders; ///< that were searched
    std::vector<BackendState> backends;
};

/// For people; `memory` adds allocator statistics, as it does to the JSON.
[[nodiscard]] std::string backends_text(const BackendsReport &report, bool memory);
[[nodiscard]] std::string backends_json(const BackendsReport &report, bool memory);

} // namespace isovmaf::tool

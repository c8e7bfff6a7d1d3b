// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/backend_names.hpp"
#include "device/device.hpp"
#include "diff/result.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf::diff {

/// One run that is compared: of the definitions, of the CPU paths at a level, or of a device, or several that share the
/// frames, with so many frames in flight and streams.
struct Side {
    /// "cpu-ref", "cpu:avx2", "hip:1", "hip:0+1"; with frames in flight and streams where they are swept.
    std::string name;
    std::string backend;            ///< "cpu-ref", "cpu", or a plugin's name
    std::vector<int> devices = {};  ///< of a backend; empty: the first that works; several share the frames
    int frames_in_flight = 0;       ///< 0: as many as are useful
    int streams = 0;                ///< queues that kernels run on; 0: as many as are useful
    std::string cpu_level = "auto"; ///< ExecutionOptions::cpu_level

    [[nodiscard]] bool on_cpu() const { return runs_without_plugin(backend); }
    /// As a list of sides names it, without frames in flight and streams.
    [[nodiscard]] std::string place() const;
};

/// The definitions: what everything is compared with unless something else comes first.
inline constexpr std::string_view reference_side = definition_backend;

/// What a list of sides is made from.
struct SideRequest {
    /// Names with or without ":DEVICE" or ":DEVICE+DEVICE", or for cpu ":LEVEL"; "available": every plugin's that has a
    /// device; "cpu:all": the CPU paths at every level that the processor has.
    std::string backends = "cpu-ref,available";
    bool all_devices = false;               ///< every device of a backend that is named without one
    std::vector<int> frames_in_flight = {}; ///< each of them; default: as many as are useful
    std::vector<int> streams = {};          ///< each of them, with each number of frames in flight
    std::vector<std::string> required = {}; ///< backends that have to be among "available"
    std::vector<std::string> folders = {};  ///< searched for plugins, in place of the default ones
};

struct Sides {
    std::vector<Side> sides;    ///< at least one; the first is what the others are compared with
    std::vector<Absent> absent; ///< backends that "available" left out
    /// What sides run on, opened already, so that kernels are compiled once and not for every video: the Vulkan plugin
    /// forgets them, when it validates, as soon as no session has the device open.
    std::vector<std::shared_ptr<const Device>> open_devices = {};
};

/// Fails on a name that is no backend, on a side named twice, on a required backend that is not there, and when no side
/// is left.
[[nodiscard]] Result<Sides> find_sides(const SideRequest &request);

} // namespace isovmaf::diff

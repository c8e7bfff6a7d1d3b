// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/work/worker.hpp"

/// The progress that a process shows while it works. docs/batch.md describes the JSON.
namespace isovmaf::batch {

struct RunProgress {
    WorkCounts counts = {};
    std::vector<std::string> devices = {}; ///< of each worker: "hip:0"
    double seconds = 0;                    ///< since the work began
    std::size_t known_before = 0;          ///< units that were known before this process had done one
    std::int64_t frames = 0;               ///< extracted so far
};

/// When the remaining units will be done, if all processes together go on at their speed so far. Nothing before this
/// process has done a unit.
[[nodiscard]] std::optional<double> seconds_left(const RunProgress &progress);

/// The stage that workers wait for most: "decode", "kernels" or "finish"; empty before a unit is done.
[[nodiscard]] std::string_view slowest_stage(const WorkCounts &counts);

/// For people: "12 of 40 units, 1 failed  153.2 frames/s  bound by decode  0:35 left"
[[nodiscard]] std::string progress_line(const RunProgress &progress);

/// For programs: one JSON object without a line feed. `ended`: the work has ended.
[[nodiscard]] std::string progress_json(const RunProgress &progress, bool ended);

/// For people, at the end: one line per worker, with its work and the parts of its time.
[[nodiscard]] std::string workers_table(const RunProgress &progress);

} // namespace isovmaf::batch

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "execution/execution.hpp"
#include "report/run_stats.hpp"
#include "run/parted_video.hpp"
#include "run/videos.hpp"

namespace isovmaf::tool {

/// What was measured of a run with --stats.
struct MeasuredTimes {
    double videos = 0, session = 0, scoring = 0; ///< seconds: see RunStats
};

/// The stages of a run that has ended, with each of its devices and workers where there are several. `places` are those
/// of the workers.
[[nodiscard]] RunStats make_stats(const MeasuredTimes &times, const OpenedVideos &videos, const PartedVideo &parts,
                                  const std::vector<PartPlace> &places);

} // namespace isovmaf::tool

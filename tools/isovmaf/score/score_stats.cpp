// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_stats.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace isovmaf::tool {

namespace {

/// Of raw video and Y4M samples are read, of all else frames are decoded.
std::string_view reading(const SourceInfo &video) { return video.codec == "rawvideo" ? "reading" : "decoding"; }

} // namespace

RunStats make_stats(const MeasuredTimes &times, const OpenedVideos &videos, const Execution &execution,
                    const SharedExecution &shared) {
    const WorkTimes &work = *shared.times();
    const double device = execution.plugin.empty() ? 0 : work.opening.get();
    RunStats stats{times.videos, device, times.session, times.scoring, {}};
    stats.stages.push_back(
        {"read_reference", fmt::format("{} the reference", reading(videos.reference)), times.reading.reference});
    stats.stages.push_back(
        {"read_distorted", fmt::format("{} the distorted video", reading(videos.distorted)), times.reading.distorted});
    if (!execution.work.empty()) {
        double kernels = 0;
        for (const FeatureWork &feature : execution.work)
            kernels += 1e-3 * feature.milliseconds;
        const bool in_place = work.in_place;
        stats.stages.push_back({"stage", in_place ? "copies to memory that kernels read" : "copies to pinned memory",
                                work.staging.get(), std::max<int>(work.staging_threads, 1)});
        if (!in_place || work.uploads.get() > 0)
            stats.stages.push_back({"upload", "uploads to the device", work.uploads.get()});
        stats.stages.push_back({"kernels", "kernels", kernels, std::max(execution.queues, 1)});
    }
    if (work.cpu.get() > 0)
        stats.stages.push_back({"cpu", "features on the CPU", work.cpu.get(), shared.threads()});
    stats.stages.push_back({"score", "models and scores", work.scoring.get()});
    return stats;
}

} // namespace isovmaf::tool

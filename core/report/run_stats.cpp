// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/run_stats.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace isovmaf {

namespace {

/// A stage waits a little for the others even if all of them wait for it.
constexpr double nearly_all = 0.8;

/// " kernels 80 %, uploads 5 %"
std::string stages_text(const std::vector<StageStats> &stages, const RunStats &stats) {
    std::string text;
    for (const StageStats &stage : stages)
        text += fmt::format("{} {} {:.0f} %", text.empty() ? "" : ",", stage.words, 100 * busy_part(stage, stats));
    return text;
}

} // namespace

double busy_part(const StageStats &stage, const RunStats &stats) {
    return stats.scoring_seconds > 0 ? stage.seconds / (stage.workers * stats.scoring_seconds) : 0;
}

const StageStats *bottleneck(const RunStats &stats) {
    const auto busiest =
        std::ranges::max_element(stats.stages, {}, [&](const StageStats &stage) { return busy_part(stage, stats); });
    return busiest != stats.stages.end() && busy_part(*busiest, stats) >= nearly_all ? &*busiest : nullptr;
}

std::string stats_text(const RunStats &stats) {
    const std::string beside =
        stats.device_seconds > 0 ? fmt::format(" beside a device in {:.3f} s", stats.device_seconds) : "";
    std::string text = fmt::format("stats: videos opened in {:.3f} s{}, session in {:.3f} s, scored in {:.3f} s;",
                                   stats.videos_seconds, beside, stats.session_seconds, stats.scoring_seconds);
    const StageStats *const most = bottleneck(stats);
    text += fmt::format("{}; bottleneck: {}", stages_text(stats.stages, stats),
                        most ? most->words : "none, as no stage was busy nearly all the time");
    for (const DeviceStats &device : stats.devices)
        text += fmt::format("\nstats: {}:{}", device.device, stages_text(device.stages, stats));
    for (std::size_t i = 0; i < stats.workers.size(); i++) {
        const WorkerStats &worker = stats.workers[i];
        text +=
            fmt::format("\nstats: worker {} on {}: {} frames, videos opened {} and moved in {} times;{}", i + 1,
                        worker.device, worker.frames, worker.opened, worker.moved, stages_text(worker.stages, stats));
    }
    return text;
}

} // namespace isovmaf

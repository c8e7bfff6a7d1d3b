// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/run_stats.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace isovmaf {

namespace {

/// A stage waits a little for the others even if all of them wait for it.
constexpr double nearly_all = 0.8;

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
    const std::string device =
        stats.device_seconds > 0 ? fmt::format(" beside a device in {:.3f} s", stats.device_seconds) : "";
    std::string text = fmt::format("stats: videos opened in {:.3f} s{}, session in {:.3f} s, scored in {:.3f} s;",
                                   stats.videos_seconds, device, stats.session_seconds, stats.scoring_seconds);
    for (const StageStats &stage : stats.stages)
        text += fmt::format(" {} {:.0f} %,", stage.words, 100 * busy_part(stage, stats));
    text.back() = ';';
    const StageStats *const most = bottleneck(stats);
    return text + fmt::format(" bottleneck: {}", most ? most->words : "none, as no stage was busy nearly all the time");
}

} // namespace isovmaf

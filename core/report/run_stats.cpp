// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/run_stats.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace isovmaf {

namespace {

/// A stage waits a little for the others even if all of them wait for it.
constexpr double nearly_all = 0.8;

/// Of the time that frames waited, or of the work of a stage with several features.
constexpr double mostly = 0.5;

double part_of(double seconds, int workers, const RunStats &stats) {
    return stats.scoring_seconds > 0 ? seconds / (workers * stats.scoring_seconds) : 0;
}

/// " kernels 80 %, uploads 5 %"
std::string stages_text(const std::vector<StageStats> &stages, const RunStats &stats) {
    std::string text;
    for (const StageStats &stage : stages)
        text += fmt::format("{} {} {:.0f} %", text.empty() ? "" : ",", stage.words, 100 * busy_part(stage, stats));
    return text;
}

/// The busiest stage, or the busiest one of those that frames wait for in this way; null where there is none.
const StageStats *busiest_stage(const RunStats &stats, const std::string *wait = nullptr) {
    const StageStats *busiest = nullptr;
    for (const StageStats &stage : stats.stages)
        if ((!wait || stage.wait == *wait) && (!busiest || busy_part(stage, stats) > busy_part(*busiest, stats)))
            busiest = &stage;
    return busiest;
}

std::string bottleneck_text(const RunStats &stats) {
    const auto [stage, waited] = bottleneck(stats);
    if (!stage)
        return "none, as no stage was busy nearly all the time, or waited for half of it";
    const std::string text = stage->words + mostly_text(*stage);
    return waited > 0 ? fmt::format("{}, for which frames waited {:.0f} % of the time", text, 100 * waited) : text;
}

} // namespace

double busy_part(const StageStats &stage, const RunStats &stats) {
    return part_of(stage.seconds, stage.workers, stats);
}

double waited_part(const WaitStats &wait, const RunStats &stats) { return part_of(wait.seconds, wait.workers, stats); }

Bottleneck bottleneck(const RunStats &stats) {
    if (const StageStats *const busiest = busiest_stage(stats); busiest && busy_part(*busiest, stats) >= nearly_all)
        return {busiest};
    const auto longest = std::ranges::max_element(stats.waits, {}, &WaitStats::seconds);
    if (longest == stats.waits.end() || waited_part(*longest, stats) < mostly)
        return {};
    const StageStats *const awaited = busiest_stage(stats, &longest->name);
    return awaited ? Bottleneck{awaited, waited_part(*longest, stats)} : Bottleneck{};
}

std::string mostly_text(const StageStats &stage) {
    for (const auto &[feature, seconds] : stage.features)
        if (seconds >= mostly * stage.seconds)
            return ", mostly " + feature;
    return "";
}

std::string stats_text(const RunStats &stats) {
    const std::string beside =
        stats.device_seconds > 0 ? fmt::format(" beside a device in {:.3f} s", stats.device_seconds) : "";
    std::string text = fmt::format("stats: videos opened in {:.3f} s{}, session in {:.3f} s, scored in {:.3f} s;",
                                   stats.videos_seconds, beside, stats.session_seconds, stats.scoring_seconds);
    text += fmt::format("{}; bottleneck: {}", stages_text(stats.stages, stats), bottleneck_text(stats));
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

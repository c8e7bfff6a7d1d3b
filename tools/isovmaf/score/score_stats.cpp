// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_stats.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tools/isovmaf/score/score_places.hpp"

namespace isovmaf::tool {

namespace {

/// Of raw video and Y4M samples are read, of all else frames are decoded.
std::string_view reading(const SourceInfo &video) { return video.codec == "rawvideo" ? "reading" : "decoding"; }

/// WaitStats::name
constexpr const char *for_reading = "reading", *for_device = "device", *for_cpu = "cpu", *by_pushing = "pushing";

void add_side(const char *name, const char *words, const SourceInfo &video, const SideTimes &times,
              std::vector<StageStats> &stages) {
    stages.push_back(
        {fmt::format("read_{}", name), fmt::format("{} {}", reading(video), words), times.reading, 1, for_reading});
    if (times.converting > 0)
        stages.push_back(
            {fmt::format("convert_{}", name), fmt::format("converting {}", words), times.converting, 1, for_reading});
}

/// What is done for one reader of both videos.
std::vector<StageStats> reading_stages(const OpenedVideos &videos, const ReadTimes &times, double fetch_seconds) {
    std::vector<StageStats> stages;
    add_side("reference", "the reference", videos.reference, times.reference, stages);
    add_side("distorted", "the distorted video", videos.distorted, times.distorted, stages);
    if (fetch_seconds > 0)
        stages.push_back({"download", "downloads of decoded frames", fetch_seconds, 1, for_reading});
    return stages;
}

/// What is done on one device, or on the CPU, for all sessions there, each of which has threads of its own.
std::vector<StageStats> computing_stages(const Execution &execution, const SharedExecution &shared, int sessions) {
    std::vector<StageStats> stages;
    const WorkTimes &work = *shared.times();
    if (!execution.work.empty()) {
        double kernels = 0;
        for (const FeatureWork &feature : execution.work)
            kernels += 1e-3 * feature.milliseconds;
        const bool in_place = work.in_place;
        stages.push_back({"stage", in_place ? "copies to memory that kernels read" : "copies to pinned memory",
                          work.staging.get(), sessions * std::max<int>(work.staging_threads, 1), for_device});
        if (!in_place || work.uploads.get() > 0)
            stages.push_back({"upload", "uploads to the device", work.uploads.get(), 1, for_device});
        stages.push_back({"kernels", "kernels", kernels, std::max(execution.queues, 1), for_device});
    }
    if (work.cpu.get() > 0)
        stages.push_back({"cpu", "features on the CPU", work.cpu.get(), sessions * shared.threads(), for_cpu,
                          work.cpu_features.get()});
    return stages;
}

void add_feature(const std::string &feature, double seconds, std::vector<std::pair<std::string, double>> &features) {
    const auto known = std::ranges::find(features, feature, &std::pair<std::string, double>::first);
    if (known == features.end())
        features.emplace_back(feature, seconds);
    else
        known->second += seconds;
}

/// Adds the work of those who work at the same time.
void add_stages(const std::vector<StageStats> &more, std::vector<StageStats> &stages) {
    for (const StageStats &stage : more) {
        const auto known = std::ranges::find(stages, stage.name, &StageStats::name);
        if (known == stages.end()) {
            stages.push_back(stage);
            continue;
        }
        known->seconds += stage.seconds;
        known->workers += stage.workers;
        for (const auto &[feature, seconds] : stage.features)
            add_feature(feature, seconds, known->features);
    }
}

/// Of the threads that move frames, one for each worker.
LoopTimes moving_times(const std::vector<PartReading> &readings) {
    LoopTimes times;
    for (const PartReading &reading : readings) {
        times.reading += reading.loop.reading;
        times.pushing += reading.loop.pushing;
    }
    return times;
}

double opening_seconds(const Execution &execution, const SharedExecution &shared) {
    return execution.plugin.empty() ? 0 : shared.times()->opening.get();
}

} // namespace

RunStats make_stats(const MeasuredTimes &times, const OpenedVideos &videos, const PartedVideo &parts,
                    const std::vector<PartPlace> &places) {
    RunStats stats{times.videos, 0, times.session, times.scoring, {}};
    const std::vector<PartReading> readings = parts.readings();
    for (std::size_t i = 0; i < places.size(); i++) {
        const PartReading &reading = readings[i];
        stats.workers.push_back({places[i].label, reading.frames, reading.opened, reading.moved,
                                 reading_stages(videos, reading.times, reading.fetch_seconds)});
        add_stages(stats.workers.back().stages, stats.stages);
    }
    double scoring = parts.scoring_seconds(), device_waits = 0, cpu_waits = 0;
    const std::vector<Execution> executions = executions_of_devices(parts.executions(), places);
    const std::vector<PartPlace> devices = places_of_devices(places);
    for (std::size_t i = 0; i < devices.size(); i++) {
        const SharedExecution &shared = *devices[i].execution;
        const auto sessions = std::ranges::count(places, devices[i].execution, &PartPlace::execution);
        stats.devices.push_back(
            {devices[i].label, computing_stages(executions[i], shared, static_cast<int>(sessions))});
        add_stages(stats.devices.back().stages, stats.stages);
        stats.device_seconds = std::max(stats.device_seconds, opening_seconds(executions[i], shared));
        scoring += shared.times()->scoring.get();
        device_waits += shared.times()->device_waits.get();
        cpu_waits += shared.times()->cpu_waits.get();
    }
    const LoopTimes moving = moving_times(readings);
    const double pushing = std::max(0.0, moving.pushing - device_waits - cpu_waits);
    const auto threads = static_cast<int>(places.size());
    stats.waits = {{for_reading, moving.reading, threads},
                   {for_device, device_waits, threads},
                   {for_cpu, cpu_waits, threads},
                   {by_pushing, pushing, threads}};
    if (places.size() == 1)
        stats.workers.clear();
    if (devices.size() == 1)
        stats.devices.clear();
    stats.stages.push_back({"push", "handing frames over", pushing, threads, by_pushing});
    stats.stages.push_back({"score", "models and scores", scoring});
    return stats;
}

} // namespace isovmaf::tool

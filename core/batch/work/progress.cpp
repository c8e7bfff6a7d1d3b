// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/progress.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/number_text.hpp"

namespace isovmaf::batch {

namespace {

using Json = nlohmann::ordered_json;

double rate(std::int64_t frames, double seconds) { return seconds > 0 ? static_cast<double>(frames) / seconds : 0; }

double rounded(double seconds) { return std::round(seconds * 1e3) / 1e3; }

Json worker_json(const WorkerCounts &worker, const std::string &device) {
    return {{"device", device},
            {"units", worker.units},
            {"frames", worker.frames},
            {"seconds", rounded(worker.seconds)},
            {"stages",
             {{"decode", rounded(worker.times.decode)},
              {"upload", rounded(worker.times.upload)},
              {"kernels", rounded(worker.times.kernels)},
              {"finish", rounded(worker.times.finish)}}}};
}

} // namespace

std::optional<double> seconds_left(const RunProgress &progress) {
    const WorkCounts &counts = progress.counts;
    const std::size_t done = counts.settled() - std::min(counts.settled(), progress.known_before);
    if (counts.settled() == counts.known || done == 0)
        return std::nullopt;
    const std::size_t left = counts.units - std::min(counts.units, counts.settled());
    return progress.seconds / static_cast<double>(done) * static_cast<double>(left);
}

std::string_view slowest_stage(const WorkCounts &counts) {
    StageTimes all;
    for (const WorkerCounts &worker : counts.workers)
        all += worker.times;
    const std::array<std::pair<double, std::string_view>, 3> stages{
        {{all.decode, "decode"}, {all.kernels, "kernels"}, {all.finish, "finish"}}};
    const auto &slowest = *std::ranges::max_element(stages, {}, &std::pair<double, std::string_view>::first);
    return slowest.first > 0 ? slowest.second : "";
}

std::string progress_line(const RunProgress &progress) {
    const WorkCounts &counts = progress.counts;
    std::string line = fmt::format("{} of {}", count_text(static_cast<std::int64_t>(counts.settled())),
                                   counted(static_cast<std::int64_t>(counts.units), "unit"));
    if (const std::size_t failed = counts.permanent + counts.transient; failed > 0)
        line += fmt::format(", {} failed", count_text(static_cast<std::int64_t>(failed)));
    line += fmt::format("  {:.1f} frames/s", rate(progress.frames, progress.seconds));
    if (const std::string_view stage = slowest_stage(counts); !stage.empty())
        line += fmt::format("  bound by {}", stage);
    if (const std::optional<double> left = seconds_left(progress))
        line += fmt::format("  {} left", clock_text(*left));
    return line;
}

std::string progress_json(const RunProgress &progress, bool ended) {
    const WorkCounts &counts = progress.counts;
    const std::optional<double> left = seconds_left(progress);
    const std::string_view stage = slowest_stage(counts);
    Json json{{"ended", ended},
              {"seconds", rounded(progress.seconds)},
              {"seconds_left", left ? Json(rounded(*left)) : Json()},
              {"units", counts.units},
              {"known", counts.known},
              {"finished", counts.finished},
              {"permanent", counts.permanent},
              {"transient", counts.transient},
              {"frames", progress.frames},
              {"frames_per_second", rounded(rate(progress.frames, progress.seconds))},
              {"bound", stage.empty() ? Json() : Json(stage)},
              {"workers", Json::array()}};
    for (std::size_t i = 0; i < counts.workers.size(); i++)
        json["workers"].push_back(worker_json(counts.workers[i], progress.devices[i]));
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string workers_table(const RunProgress &progress) {
    std::size_t width = std::string_view("device").size();
    for (const std::string &device : progress.devices)
        width = std::max(width, device.size());
    std::string text = fmt::format("{:<{}} {:>9} {:>11} {:>10}   seconds: {:>9} {:>9} {:>9} {:>9}\n", "device", width,
                                   "units", "frames", "frames/s", "decode", "upload", "kernels", "finish");
    for (std::size_t i = 0; i < progress.counts.workers.size(); i++) {
        const WorkerCounts &worker = progress.counts.workers[i];
        fmt::format_to(std::back_inserter(text),
                       "{:<{}} {:>9} {:>11} {:>10.1f}            {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f}\n",
                       progress.devices[i], width, count_text(static_cast<std::int64_t>(worker.units)),
                       count_text(worker.frames), rate(worker.frames, worker.seconds), worker.times.decode,
                       worker.times.upload, worker.times.kernels, worker.times.finish);
    }
    return text;
}

} // namespace isovmaf::batch

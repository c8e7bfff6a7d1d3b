// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "frame/validate.hpp"
#include "report/number_text.hpp"
#include "tools/isovmaf/bench/bench.hpp"

namespace isovmaf::tool {

namespace {

constexpr std::size_t cell_width = 19; ///< with a name of 20 characters, three backends fit into 80 columns

std::string_view memory_of_frames(const BenchArguments &arguments) {
    constexpr std::string_view names[] = {"host memory", "pinned memory", "device memory"};
    return names[static_cast<std::size_t>(arguments.frames_in)];
}

/// "cuda: NVIDIA H200, sm_90, driver 550.54; 6 frames in flight on 3 queues, 2 threads"
std::string run_text(const BenchArguments &arguments, const BenchRun &run) {
    const Execution &execution = run.execution;
    const std::string threads = counted(used_threads(arguments), "thread");
    if (execution.plugin.empty())
        return fmt::format("{}: the CPU ({}), {}\n", run.backend,
                           execution.placement.empty() ? "" : execution.placement.front().code, threads);
    return fmt::format("{}: {}, {}, driver {}; {} in flight on {}, {}\n", run.backend, execution.device, execution.arch,
                       execution.driver.empty() ? "unknown" : execution.driver,
                       counted(execution.frames_in_flight, "frame"), counted(execution.queues, "queue"), threads);
}

nlohmann::ordered_json result_json(const BenchResult &result, int frames) {
    nlohmann::ordered_json json{{"name", result.name},
                                {"milliseconds_per_frame", result.milliseconds_per_frame},
                                {"frames_per_second", result.frames_per_second}};
    if (!result.execution.plugin.empty())
        json["copy_milliseconds_per_frame"] = result.copy_milliseconds_per_frame;
    for (const FeatureWork &work : result.execution.work) {
        json["kernel_launches"][work.feature] = work.launches;
        if (work.milliseconds > 0)
            json["device_milliseconds_per_frame"][work.feature] = work.milliseconds / frames;
    }
    return json;
}

nlohmann::ordered_json run_json(const BenchArguments &arguments, const BenchRun &run) {
    nlohmann::ordered_json json{{"version", version()},
                                {"backend", run.execution.backend},
                                {"device", run.execution.device},
                                {"driver", run.execution.driver},
                                {"build_id", run.execution.build_id},
                                {"frames_in", memory_of_frames(arguments)},
                                {"frames_in_flight", run.execution.frames_in_flight},
                                {"width", arguments.format.width},
                                {"height", arguments.format.height},
                                {"pixel_format", chroma_code(arguments.format.chroma)},
                                {"bitdepth", arguments.format.bit_depth},
                                {"frames", arguments.frames},
                                {"threads", used_threads(arguments)},
                                {"model", fmt::format("{}", fmt::join(arguments.models, ", "))}};
    for (const BenchResult &result : run.results)
        json["results"].push_back(result_json(result, arguments.frames));
    if (run.timed) {
        json["results"].push_back(result_json(*run.timed, arguments.frames));
        json["results"].back()["name"] = run.timed->name + " (timed)";
        json["results"].back()["waits"] = {{"device", run.waits.device}, {"cpu", run.waits.cpu}};
        json["results"].back()["host_milliseconds_per_frame"] = {
            {"beside_kernels", 1e3 * run.waits.on_cpu.seconds / arguments.frames},
            {"scores", 1e3 * run.waits.scoring / arguments.frames}};
    }
    return json;
}

/// Frames per second. Backends after the first also get the ratio to the first backend's frames per second.
std::string cell(const BenchRun &run, const BenchRun &first) {
    const double fps = run.results.back().frames_per_second;
    if (&run == &first)
        return fmt::format("{:.2f}", fps);
    return fmt::format("{:.2f} ({:.2f}x)", fps, fps / first.results.back().frames_per_second);
}

} // namespace

std::string bench_heading(const BenchArguments &arguments, const std::vector<BenchRun> &runs) {
    std::string text = fmt::format("isovmaf {}: {}, {} for each line, in {}\n"
                                   "wall-clock time of each feature alone, and of the {} {}{}\n",
                                   version(), format_text(arguments.format), counted(arguments.frames, "frame"),
                                   memory_of_frames(arguments), arguments.models.size() == 1 ? "model" : "models",
                                   fmt::join(arguments.models, ", "),
                                   is_timed_together(arguments) ? ", then of all together in one session" : "");
    for (const BenchRun &run : runs)
        text += run_text(arguments, run);
    if (runs.size() == 1)
        return text + fmt::format("\n{:<20} {:>12} {:>12}\n", "", "ms/frame", "frames/s");
    text += fmt::format("\n{:<20}", "frames/s");
    for (const BenchRun &run : runs)
        fmt::format_to(std::back_inserter(text), " {:>{}}", run.backend, cell_width);
    return text + '\n';
}

std::string bench_row(const std::vector<BenchRun> &runs) {
    const BenchResult &first = runs.front().results.back();
    if (runs.size() == 1)
        return fmt::format("{:<20} {:>12.3f} {:>12.2f}\n", first.name, first.milliseconds_per_frame,
                           first.frames_per_second);
    std::string text = fmt::format("{:<20}", first.name);
    for (const BenchRun &run : runs)
        fmt::format_to(std::back_inserter(text), " {:>{}}", cell(run, runs.front()), cell_width);
    return text + '\n';
}

std::string bench_device_times(const BenchArguments &arguments, const std::vector<BenchRun> &runs) {
    std::string text;
    for (const BenchRun &run : runs) {
        if (!run.timed)
            continue;
        text += fmt::format("\n{}: {} once more with the device's clocks on\n", run.backend, run.timed->name);
        for (const FeatureWork &work : run.timed->execution.work)
            text += fmt::format("{:<20} {:>12.3f} ms/frame on the device\n", work.feature,
                                work.milliseconds / arguments.frames);
        text += fmt::format("{:<20} {:>12.3f} ms/frame of a core for what kernels do not do\n"
                            "{:<20} {:>12.3f} ms/frame of a core from words to scores\n",
                            "host", 1e3 * run.waits.on_cpu.seconds / arguments.frames, "",
                            1e3 * run.waits.scoring / arguments.frames);
        text += fmt::format("{:<20} {:>12.0f} % of the time for the device\n", "frames waited", 100 * run.waits.device);
        if (run.waits.on_cpu.seconds > 0)
            text += fmt::format("{:<20} {:>12.0f} % of the time for features on the CPU{}\n", "", 100 * run.waits.cpu,
                                mostly_text(run.waits.on_cpu));
    }
    return text;
}

std::string bench_json(const BenchArguments &arguments, const std::vector<BenchRun> &runs) {
    if (runs.size() == 1)
        return run_json(arguments, runs.front()).dump(2) + '\n';
    nlohmann::ordered_json json;
    for (const BenchRun &run : runs)
        json["runs"].push_back(run_json(arguments, run));
    return json.dump(2) + '\n';
}

} // namespace isovmaf::tool

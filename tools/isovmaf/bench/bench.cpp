// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/bench/bench.hpp"

#include <algorithm>
#include <chrono>

#include "base/try.hpp"
#include "content/patterns.hpp"
#include "engine/device_clip.hpp"
#include "engine/feed.hpp"
#include "execution/execution.hpp"
#include "execution/thread_budget.hpp"
#include "features/registry.hpp"
#include "frame/frame_pool.hpp"
#include "frame/validate.hpp"
#include "isovmaf/score_video.hpp"
#include "model/model_choice.hpp"

namespace isovmaf::tool {

namespace {

/// One thing to time: a feature alone, a model with all its features, or all of these.
struct BenchCase {
    std::string name;
    ScoringOptions scoring;
};

constexpr std::string_view together_name = "together";
constexpr std::uint32_t distinct_frames = 8; ///< enough that no cache holds the whole clip at 1080p

Result<std::vector<BenchCase>> feature_cases(const BenchArguments &arguments) {
    std::vector<BenchCase> cases;
    if (arguments.features.empty())
        for (const FeatureDescriptor *feature : all_features())
            cases.push_back({std::string(feature->name), {.features = {{.name = std::string(feature->name)}}}});
    for (const std::string &text : arguments.features)
        cases.push_back({text, {.features = {TRY(FeatureRequest::parse(text))}}});
    return cases;
}

/// Features, then models, then all together, unless that is a single model beside features that nobody named.
Result<std::vector<BenchCase>> make_cases(const BenchArguments &arguments) {
    std::vector<BenchCase> cases = TRY(feature_cases(arguments));
    BenchCase together{.name = std::string(together_name), .scoring = {}};
    if (!arguments.features.empty())
        for (const BenchCase &feature : cases)
            together.scoring.features.push_back(feature.scoring.features.front());
    for (const std::string &version : arguments.models) {
        ModelRequest model = chosen_request({.version = version}, arguments.format.height);
        model.name = model.version;
        together.scoring.models.push_back(model);
        cases.push_back({model.version, {.models = {model}}});
    }
    if (is_timed_together(arguments))
        cases.push_back(together);
    return cases;
}

Result<ExecutionOptions> execution_on(const BenchArguments &arguments, const std::string &backend) {
    ExecutionOptions options{.backend = backend,
                             .backend_folders = arguments.backend_folders,
                             .threads = arguments.threads,
                             .cpu_level = arguments.cpu_level,
                             .frames_in_flight = arguments.frames_in_flight};
    TRY(read_devices("--device", arguments.device, options));
    return options;
}

/// Reads `frames` pairs: the clip again and again.
PairReader repeat(const std::vector<FramePair> &clip, int frames) {
    return read_numbered(static_cast<std::size_t>(frames),
                         [&clip](std::size_t n) -> FramePair { return clip[n % clip.size()]; });
}

/// The clip in memory that the session gives, if it computes on a device. A pool takes memory of its own where that
/// ends.
Result<std::vector<FramePair>> pin(const Session &session, const std::vector<FramePair> &clip) {
    const FrameMemory memory = session.frame_memory();
    if (!memory)
        return clip;
    bool is_out = false;
    FramePool pool(clip.front().reference.format(), ChromaEdge::absent, 3, [&](std::size_t bytes) {
        std::shared_ptr<std::byte> block = memory(bytes);
        is_out = is_out || !block;
        return block;
    });
    std::vector<FramePair> pinned;
    for (const FramePair &pair : clip)
        pinned.push_back({pool.copy(pair.reference), pool.copy(pair.distorted)});
    if (is_out)
        return fail(ErrorCode::out_of_memory, "the device has no pinned memory for these frames: leave out "
                                              "--pinned_frames");
    return pinned;
}

/// Measures the wall-clock time of the whole pipeline, from the first push to the last score.
Result<BenchResult> measure(const BenchCase &bench, const ExecutionHandle &execution,
                            const std::vector<FramePair> &clip, const BenchArguments &arguments) {
    Session session = TRY(Session::create(arguments.format, bench.scoring, execution));
    const bool pinned = arguments.frames_in == FramesIn::pinned_memory;
    const std::vector<FramePair> own = pinned ? TRY(pin(session, clip)) : std::vector<FramePair>();
    const int frames = arguments.frames;
    const double staged = execution->times()->staging.get();
    const auto start = std::chrono::steady_clock::now();
    TRY(score_video(session, repeat(pinned ? own : clip, frames)));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return BenchResult{bench.name, elapsed.count() * 1e3 / frames, frames / elapsed.count(),
                       (execution->times()->staging.get() - staged) * 1e3 / frames, session.execution()};
}

std::vector<FramePair> generate_clip(const VideoFormat &format) {
    GeneratedClip generator(format);
    std::vector<FramePair> clip;
    for (std::uint32_t n = 0; n < distinct_frames; n++)
        clip.push_back(generator.frame(n));
    return clip;
}

/// The clip in the memory that is asked for, but for pinned memory, which each session has itself. The clips of all
/// backends share the frames in host memory.
Result<std::vector<FramePair>> place(FramesIn where, const SharedExecution &execution,
                                     const std::vector<FramePair> &clip) {
    if (where == FramesIn::host_memory)
        return clip;
    const OpenedDevices opened = TRY(execution.opened());
    if (opened.devices.empty())
        return fail(ErrorCode::invalid_argument, "--device_frames and --pinned_frames need a --backend with a device");
    if (where != FramesIn::device_memory)
        return clip;
    std::vector<FramePair> placed;
    for (const OpenedDevice &device : opened.devices) { // which take turns with the whole clip, twice
        const std::vector<FramePair> share = TRY(place_on_device(device.device, clip));
        for (int times = 0; times < 2; times++)
            placed.insert(placed.end(), share.begin(), share.end());
    }
    return placed;
}

/// Opens every backend, so that one that is not there is found before the first measurement.
Result<std::vector<ExecutionHandle>> open_backends(const BenchArguments &arguments) {
    std::vector<ExecutionHandle> opened;
    for (const std::string &backend : arguments.backends) {
        opened.push_back(TRY(open_execution(TRY(execution_on(arguments, backend)))));
        TRY(opened.back()->opened());
    }
    return opened;
}

/// What each backend is, from a session of `bench`.
Result<std::vector<BenchRun>> describe_runs(const BenchArguments &arguments, const BenchCase &bench,
                                            const std::vector<ExecutionHandle> &executions) {
    std::vector<BenchRun> runs;
    for (std::size_t i = 0; i < executions.size(); i++) {
        const Session session = TRY(Session::create(arguments.format, bench.scoring, executions[i]));
        runs.push_back({arguments.backends[i], session.execution(), {}, {}, {}});
    }
    return runs;
}

/// Without features that nobody named and that do not take the format, or do not run on every backend.
Result<std::vector<BenchCase>> runnable_cases(const BenchArguments &arguments,
                                              const std::vector<ExecutionHandle> &executions,
                                              const BenchObserver &observer) {
    std::vector<BenchCase> cases = TRY(make_cases(arguments));
    if (!arguments.features.empty())
        return cases;
    const auto is_impossible = [&](const BenchCase &bench) {
        for (const ExecutionHandle &execution : executions)
            if (const auto session = Session::create(arguments.format, bench.scoring, execution); !session) {
                observer.left_out(session.error().message);
                return true;
            }
        return false;
    };
    const auto first_model =
        std::find_if(cases.begin(), cases.end(), [](const BenchCase &bench) { return !bench.scoring.models.empty(); });
    cases.erase(std::remove_if(cases.begin(), first_model, is_impossible), first_model);
    return cases;
}

/// With the clocks of the device on.
Result<void> measure_timed(const BenchArguments &arguments, const BenchCase &bench, const std::vector<FramePair> &clip,
                           BenchRun &run) {
    ExecutionOptions options = TRY(execution_on(arguments, run.backend));
    options.device_timing = true;
    const ExecutionHandle execution = TRY(open_execution(options));
    run.timed = TRY(measure(bench, execution, clip, arguments));
    const WorkTimes &times = *execution->times();
    const double seconds = 1e-3 * run.timed->milliseconds_per_frame * arguments.frames;
    run.waits = {times.device_waits.get() / seconds, times.cpu_waits.get() / seconds, {}, times.scoring.get()};
    run.waits.on_cpu.seconds = times.cpu.get();
    run.waits.on_cpu.features = times.cpu_features.get();
    return {};
}

} // namespace

bool is_timed_together(const BenchArguments &arguments) {
    return arguments.models.size() + arguments.features.size() > 1;
}

int used_threads(const BenchArguments &arguments) { return budget_of({.threads = arguments.threads}).extractors; }

Result<std::vector<BenchRun>> run_bench(const BenchArguments &arguments, const BenchObserver &observer) {
    TRY(validate_format(arguments.format));
    const std::vector<ExecutionHandle> executions = TRY(open_backends(arguments));
    const std::vector<BenchCase> cases = TRY(runnable_cases(arguments, executions, observer));
    std::vector<BenchRun> runs = TRY(describe_runs(arguments, cases.back(), executions));
    const std::vector<FramePair> frames = generate_clip(arguments.format);
    std::vector<std::vector<FramePair>> clips;
    for (const ExecutionHandle &execution : executions)
        clips.push_back(TRY(place(arguments.frames_in, *execution, frames)));
    observer.opened(runs);
    for (const BenchCase &bench : cases) {
        for (std::size_t i = 0; i < runs.size(); i++)
            runs[i].results.push_back(TRY(measure(bench, executions[i], clips[i], arguments)));
        observer.measured(runs);
    }
    for (std::size_t i = 0; i < runs.size(); i++) {
        runs[i].execution = runs[i].results.back().execution;
        if (!runs[i].execution.plugin.empty())
            TRY(measure_timed(arguments, cases.back(), clips[i], runs[i]));
    }
    return runs;
}

} // namespace isovmaf::tool

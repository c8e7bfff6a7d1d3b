// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/bench/bench.hpp"

#include <algorithm>
#include <chrono>

#include "base/failure.hpp"
#include "base/processors.hpp"
#include "base/try.hpp"
#include "content/generated_clip.hpp"
#include "device/backends.hpp"
#include "engine/device_clip.hpp"
#include "engine/pair_readers.hpp"
#include "engine/plan/placement.hpp"
#include "features/registry.hpp"
#include "frame/validate.hpp"
#include "isovmaf/score_video.hpp"

namespace isovmaf::tool {

namespace {

/// One thing to time: a feature alone, or a model with all its features.
struct BenchCase {
    std::string name;
    SessionOptions options; ///< all but the backend
};

constexpr std::uint32_t distinct_frames = 8; ///< enough that no cache holds the whole clip at 1080p

/// The model comes last.
std::vector<BenchCase> make_cases(const BenchArguments &arguments) {
    SessionOptions common{.format = arguments.format,
                          .threads = arguments.threads,
                          .cpu_level = arguments.cpu_level,
                          .device = arguments.device,
                          .backend_folders = arguments.backend_folders,
                          .frames_in_flight = arguments.frames_in_flight};
    std::vector<BenchCase> cases;
    for (const FeatureDescriptor *feature : all_features()) {
        SessionOptions options = common;
        options.features = {{.name = std::string(feature->name)}};
        cases.push_back({std::string(feature->name), options});
    }
    common.models = {ModelRequest{.version = arguments.model}};
    cases.push_back({arguments.model, common});
    return cases;
}

/// The clip in host memory and, when asked for, in device memory.
struct PlacedClip {
    std::vector<FramePair> host;
    std::optional<DeviceClip> device;
};

/// Reads `frames` pairs: the clip again and again.
PairReader repeat(const PlacedClip &clip, int frames) {
    return read_numbered(static_cast<std::size_t>(frames), [&clip](std::size_t n) -> FramePair {
        const std::size_t i = n % clip.host.size();
        return clip.device ? clip.device->frames()[i] : clip.host[i];
    });
}

Result<Session> open_session(const BenchCase &bench, const std::string &backend) {
    SessionOptions options = bench.options;
    options.backend = backend;
    return Session::create(options);
}

/// Measures the wall-clock time of the whole pipeline, from the first push to the last score.
Result<BenchResult> measure(const BenchCase &bench, const std::string &backend, const PlacedClip &clip, int frames) {
    Session session = TRY(open_session(bench, backend));
    const auto start = std::chrono::steady_clock::now();
    TRY(score_video(session, repeat(clip, frames)));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return BenchResult{bench.name, elapsed.count() * 1e3 / frames, frames / elapsed.count(), session.execution()};
}

/// Opens the device for the clip. The sessions open it again and can read its memory.
Result<DeviceHandle> device_for_frames(const BenchArguments &arguments, const std::string &name) {
    const BackendWish wish = TRY(parse_backend(name));
    const std::string &backend = wish.device.empty() ? wish.cpu : wish.device;
    BackendChoice choice = TRY(choose_backend({backend, arguments.device, arguments.backend_folders}));
    if (!choice.device)
        return fail(ErrorCode::invalid_argument, "--device_frames needs a --backend with a device");
    return std::make_shared<const Device>(*std::move(choice.device));
}

std::vector<FramePair> generate_clip(const VideoFormat &format) {
    GeneratedClip generator(format);
    std::vector<FramePair> clip;
    for (std::uint32_t n = 0; n < distinct_frames; n++)
        clip.push_back(generator.frame(n));
    return clip;
}

/// The clips of all backends share the frames in host memory.
Result<PlacedClip> place(const BenchArguments &arguments, const std::string &backend,
                         const std::vector<FramePair> &frames) {
    PlacedClip clip{frames, {}};
    if (!arguments.device_frames)
        return clip;
    DeviceHandle device = TRY(device_for_frames(arguments, backend));
    try {
        clip.device.emplace(std::move(device), clip.host);
    } catch (const Failure &failure) {
        return tl::unexpected(failure.error());
    }
    return clip;
}

/// Opens every backend once, so that one that is not there is found before the first measurement.
Result<std::vector<BenchRun>> open_runs(const BenchArguments &arguments, const BenchCase &model) {
    std::vector<BenchRun> runs;
    for (const std::string &backend : arguments.backends) {
        const Session session = TRY(open_session(model, backend));
        runs.push_back({backend, session.execution(), {}, {}});
    }
    return runs;
}

} // namespace

int used_threads(const BenchArguments &arguments) {
    return arguments.threads > 0 ? arguments.threads : usable_processors();
}

Result<std::vector<BenchRun>> run_bench(const BenchArguments &arguments, const BenchObserver &observer) {
    TRY(validate_format(arguments.format));
    std::vector<BenchCase> cases = make_cases(arguments);
    std::vector<BenchRun> runs = TRY(open_runs(arguments, cases.back()));
    const std::vector<FramePair> frames = generate_clip(arguments.format);
    std::vector<PlacedClip> clips;
    for (const std::string &backend : arguments.backends)
        clips.push_back(TRY(place(arguments, backend, frames)));
    observer.opened(runs);
    for (const BenchCase &bench : cases) {
        for (std::size_t i = 0; i < runs.size(); i++)
            runs[i].results.push_back(TRY(measure(bench, runs[i].backend, clips[i], arguments.frames)));
        observer.measured(runs);
    }
    cases.back().options.device_timing = true;
    for (std::size_t i = 0; i < runs.size(); i++) {
        runs[i].execution = runs[i].results.back().execution;
        if (!runs[i].execution.plugin.empty())
            runs[i].timed = TRY(measure(cases.back(), runs[i].backend, clips[i], arguments.frames));
    }
    return runs;
}

} // namespace isovmaf::tool

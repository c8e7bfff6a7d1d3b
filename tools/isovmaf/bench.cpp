// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <chrono>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/try.hpp"
#include "content/generated_clip.hpp"
#include "device/backends.hpp"
#include "engine/device_clip.hpp"
#include "engine/pair_readers.hpp"
#include "engine/placement.hpp"
#include "features/registry.hpp"
#include "frame/validate.hpp"
#include "isovmaf/score_video.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/execution_options.hpp"
#include "tools/isovmaf/exit_code.hpp"

namespace isovmaf::tool {

namespace {

struct BenchArguments {
    VideoFormat format{.width = 1920, .height = 1080, .chroma = Chroma::k420, .bit_depth = 8};
    int frames = 48;
    int threads = 1;
    std::string model = "vmaf_v0.6.1";
    std::string backend = "cpu";
    std::optional<int> device;
    std::vector<std::string> backend_folders;
    int frames_in_flight = 0;
    bool device_frames = false;
    bool json = false;
};

/// One thing to time: a feature alone, or a model with all its features.
struct BenchCase {
    std::string name;
    SessionOptions options;
};

struct BenchResult {
    std::string name;
    double milliseconds_per_frame = 0;
    double frames_per_second = 0;
    Execution execution;
};

constexpr std::uint32_t distinct_frames = 8; ///< enough that no cache holds the whole clip at 1080p

std::vector<BenchCase> make_cases(const BenchArguments &arguments) {
    SessionOptions common{.format = arguments.format,
                          .threads = arguments.threads,
                          .backend = arguments.backend,
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
    return read_numbered(static_cast<std::size_t>(frames), [&clip](std::size_t n) -> InputPair {
        const std::size_t i = n % clip.host.size();
        if (!clip.device)
            return share(clip.host[i]);
        const auto &[reference, distorted] = clip.device->frames()[i];
        return DevicePair{reference, distorted};
    });
}

/// Measures the wall-clock time of the whole pipeline, from the first push to the last score.
Result<BenchResult> measure(const BenchCase &bench, const PlacedClip &clip, int frames) {
    Session session = TRY(Session::create(bench.options));
    const auto start = std::chrono::steady_clock::now();
    TRY(score_video(session, repeat(clip, frames)));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return BenchResult{bench.name, elapsed.count() * 1e3 / frames, frames / elapsed.count(), session.execution()};
}

/// Measures a case once more with the device's clocks on, for the device time of each feature.
Result<BenchResult> measure_device_time(BenchCase bench, const PlacedClip &clip, int frames) {
    bench.name += " (timed)";
    bench.options.device_timing = true;
    return measure(bench, clip, frames);
}

/// Opens the device for the clip. The sessions open it again and can read its memory.
Result<Device> device_for_frames(const BenchArguments &arguments) {
    const BackendWish wish = TRY(parse_backend(arguments.backend));
    const std::string &backend = wish.device.empty() ? wish.cpu : wish.device;
    BackendChoice choice = TRY(choose_backend({backend, arguments.device, arguments.backend_folders}));
    if (!choice.device)
        return fail(ErrorCode::invalid_argument, "--device_frames needs a --backend with a device");
    return *std::move(choice.device);
}

Result<PlacedClip> place(const BenchArguments &arguments) {
    PlacedClip clip;
    GeneratedClip generator(arguments.format);
    for (std::uint32_t n = 0; n < distinct_frames; n++)
        clip.host.push_back(generator.frame(n));
    if (!arguments.device_frames)
        return clip;
    Device device = TRY(device_for_frames(arguments));
    try {
        clip.device.emplace(std::move(device), clip.host);
    } catch (const Failure &failure) {
        return tl::unexpected(failure.error());
    }
    return clip;
}

void print_result(const BenchResult &result, int frames) {
    print_output("{:<20} {:>10.3f} ms/frame {:>10.2f} fps\n", result.name, result.milliseconds_per_frame,
                 result.frames_per_second);
    for (const FeatureWork &work : result.execution.work)
        if (work.milliseconds > 0)
            print_output("  {:<18} {:>10.3f} ms/frame on the device\n", work.feature, work.milliseconds / frames);
}

Result<std::vector<BenchResult>> run(const BenchArguments &arguments) {
    TRY(validate_format(arguments.format));
    const PlacedClip clip = TRY(place(arguments));
    std::vector<BenchResult> results;
    const auto add = [&](Result<BenchResult> result) -> Result<void> {
        if (!result)
            return tl::unexpected(result.error());
        results.push_back(*std::move(result));
        if (!arguments.json)
            print_result(results.back(), arguments.frames);
        return {};
    };
    const std::vector<BenchCase> cases = make_cases(arguments);
    for (const BenchCase &bench : cases)
        TRY(add(measure(bench, clip, arguments.frames)));
    if (!results.back().execution.plugin.empty())
        TRY(add(measure_device_time(cases.back(), clip, arguments.frames)));
    return results;
}

nlohmann::ordered_json to_json(const BenchResult &result, int frames) {
    nlohmann::ordered_json json{{"name", result.name},
                                {"milliseconds_per_frame", result.milliseconds_per_frame},
                                {"frames_per_second", result.frames_per_second}};
    for (const FeatureWork &work : result.execution.work) {
        json["kernel_launches"][work.feature] = work.launches;
        if (work.milliseconds > 0)
            json["device_milliseconds_per_frame"][work.feature] = work.milliseconds / frames;
    }
    return json;
}

void print_json(const BenchArguments &arguments, const std::vector<BenchResult> &results) {
    const Execution &execution = results.back().execution;
    nlohmann::ordered_json json{{"version", version()},
                                {"backend", execution.backend},
                                {"device", execution.device},
                                {"driver", execution.driver},
                                {"build_id", execution.build_id},
                                {"frames_in", arguments.device_frames ? "device memory" : "host memory"},
                                {"frames_in_flight", execution.frames_in_flight},
                                {"width", arguments.format.width},
                                {"height", arguments.format.height},
                                {"bitdepth", arguments.format.bit_depth},
                                {"frames", arguments.frames},
                                {"threads", arguments.threads}};
    for (const BenchResult &result : results)
        json["results"].push_back(to_json(result, arguments.frames));
    print_output("{}\n", json.dump(2));
}

} // namespace

void add_bench_command(CLI::App &app, int &exit_code) {
    auto arguments = std::make_shared<BenchArguments>();
    CLI::App *command = app.add_subcommand("bench", "Time every feature alone and a model, on generated frames");
    command->set_help_flag("--help", "Print this help and exit");
    command->add_option("-w,--width", arguments->format.width, "Luma width")->capture_default_str();
    command->add_option("-h,--height", arguments->format.height, "Luma height")->capture_default_str();
    command->add_option("-b,--bitdepth", arguments->format.bit_depth, "Bits per sample")->capture_default_str();
    command->add_option("--frames", arguments->frames, "Frames per measurement")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    declare_threads(*command, arguments->threads);
    command->add_option("--backend", arguments->backend, "Where to compute, as for score")->capture_default_str();
    command->add_option("--device", arguments->device, "Number of the backend's device")->check(CLI::NonNegativeNumber);
    declare_backend_folders(*command, arguments->backend_folders);
    command
        ->add_option("--frames_in_flight", arguments->frames_in_flight, "Frames on the device at a time, as for score")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    command->add_flag("--device_frames", arguments->device_frames,
                      "Frames lie in device memory before they are scored");
    command->add_option("-m,--model", arguments->model, "Model to time as a whole")->capture_default_str();
    command->add_flag("--json", arguments->json, "Print JSON");
    command->callback([arguments, &exit_code] {
        const Result<std::vector<BenchResult>> results = run(*arguments);
        if (!results) {
            print_error("isovmaf: error: {}\n", results.error().message);
            exit_code = exit_failed;
        } else if (arguments->json) {
            print_json(*arguments, *results);
        }
    });
}

} // namespace isovmaf::tool

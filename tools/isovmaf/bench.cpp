// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <chrono>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/shared_frame.hpp"
#include "features/registry.hpp"
#include "frame/generated_clip.hpp"
#include "frame/validate.hpp"
#include "isovmaf/isovmaf.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/exit_code.hpp"

namespace isovmaf::tool {

namespace {

struct BenchArguments {
    VideoFormat format{.width = 1920, .height = 1080, .chroma = Chroma::k420, .bit_depth = 8};
    int frames = 48;
    int threads = 1;
    std::string model = "vmaf_v0.6.1";
    bool json = false;
};

/// One thing to time: a feature alone, or a model with all it reads.
struct BenchCase {
    std::string name;
    SessionOptions options;
};

struct BenchResult {
    std::string name;
    double milliseconds_per_frame = 0;
    double frames_per_second = 0;
};

constexpr std::uint32_t distinct_frames = 8; ///< enough that no cache holds the whole clip at 1080p

std::vector<BenchCase> make_cases(const BenchArguments &arguments) {
    SessionOptions common{.format = arguments.format, .threads = arguments.threads};
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

Result<BenchResult> measure(const BenchCase &bench, const std::vector<FramePair> &clip, int frames) {
    Result<Session> session = Session::create(bench.options);
    if (!session)
        return tl::unexpected(session.error());
    const auto start = std::chrono::steady_clock::now();
    for (int n = 0; n < frames; n++) {
        const FramePair &pair = clip[static_cast<std::size_t>(n) % clip.size()];
        if (Result<void> pushed = session->push(share(pair.reference), share(pair.distorted)); !pushed)
            return tl::unexpected(pushed.error());
    }
    if (Result<void> finished = session->finish(); !finished)
        return tl::unexpected(finished.error());
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return BenchResult{bench.name, elapsed.count() * 1e3 / frames, frames / elapsed.count()};
}

Result<std::vector<BenchResult>> run(const BenchArguments &arguments) {
    if (Result<void> valid = validate_format(arguments.format); !valid)
        return tl::unexpected(valid.error());
    GeneratedClip generator(arguments.format);
    std::vector<FramePair> clip;
    for (std::uint32_t n = 0; n < distinct_frames; n++)
        clip.push_back(generator.frame(n));
    std::vector<BenchResult> results;
    for (const BenchCase &bench : make_cases(arguments)) {
        Result<BenchResult> result = measure(bench, clip, arguments.frames);
        if (!result)
            return tl::unexpected(result.error());
        results.push_back(*std::move(result));
        if (!arguments.json)
            fmt::print("{:<20} {:>10.2f} ms/frame {:>10.2f} fps\n", results.back().name,
                       results.back().milliseconds_per_frame, results.back().frames_per_second);
    }
    return results;
}

void print_json(const BenchArguments &arguments, const std::vector<BenchResult> &results) {
    nlohmann::ordered_json json{{"version", version()},
                                {"backend", "cpu"},
                                {"width", arguments.format.width},
                                {"height", arguments.format.height},
                                {"bitdepth", arguments.format.bit_depth},
                                {"frames", arguments.frames},
                                {"threads", arguments.threads}};
    for (const BenchResult &result : results)
        json["results"].push_back({{"name", result.name},
                                   {"milliseconds_per_frame", result.milliseconds_per_frame},
                                   {"frames_per_second", result.frames_per_second}});
    fmt::print("{}\n", json.dump(2));
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
    command->add_option("--threads", arguments->threads, "Scoring threads, 0: one per processor")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    command->add_option("-m,--model", arguments->model, "Model to time as a whole")->capture_default_str();
    command->add_flag("--json", arguments->json, "Print JSON");
    command->callback([arguments, &exit_code] {
        const Result<std::vector<BenchResult>> results = run(*arguments);
        if (!results) {
            fmt::print(stderr, "isovmaf: error: {}\n", results.error().message);
            exit_code = exit_failed;
        } else if (arguments->json) {
            print_json(*arguments, *results);
        }
    });
}

} // namespace isovmaf::tool

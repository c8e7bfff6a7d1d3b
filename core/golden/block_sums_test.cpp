// SPDX-License-Identifier: BSD-2-Clause-Patent
// Compares the sums of XPSNR's blocks, their weights and the weighted errors with a golden file (xpsnr.md §12).
//
//     block_sums_test [--most-pixels PIXELS] FILE [CLIPS_FOLDER]
//
// By the definition and the CPU paths at every level that the processor has, or by the kernels of the plugin file that
// ISOVMAF_TEST_PLUGIN names. Exit code 0: all equal; 1: something differs; 77: the file does not exist.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/hashes.hpp"
#include "base/text.hpp"
#include "device/device.hpp"
#include "features/frame_window.hpp"
#include "features/gpu_run.hpp"
#include "features/xpsnr/xpsnr.hpp"
#include "golden/golden_clip_reader.hpp"
#include "golden/golden_file.hpp"

namespace isovmaf {
namespace {

using Json = nlohmann::ordered_json;

constexpr int exit_skipped = 77;

/// Something that extracts words.
struct Path {
    std::string name;
    CpuLevel level = CpuLevel::scalar;
    bool definition = false;
    const Device *device = nullptr;
};

class Comparison {
  public:
    template <class T>
    void compare(const std::string &what, const T &found, const T &expected) {
        compared_++;
        if (found == expected)
            return;
        different_++;
        fmt::print("{}: found {}, the golden file says {}\n", what, found, expected);
    }
    void print() const { fmt::print("compared {} digests and words, {} differ\n", compared_, different_); }
    [[nodiscard]] bool equal() const { return compared_ > 0 && different_ == 0; }

  private:
    std::int64_t compared_ = 0, different_ = 0;
};

template <class T>
void add_values(Sha256 &sha256, const std::vector<T> &values) {
    sha256.add(std::as_bytes(std::span(values)));
}

/// All frames of a clip for one request.
void compare_request(const GoldenClip &clip, const Json &json, const std::string &request, const Path &path,
                     Comparison &comparison) {
    const FeatureRequest parsed = value_of(FeatureRequest::parse(request));
    const OptionSet options = value_of(OptionSet::parse("xpsnr", xpsnr_feature.options, parsed.options));
    const PlanContext context{.format = clip.format, .cpu_level = path.level, .chroma_edge = clip.chroma_edge};
    const FeaturePlan plan = value_of(make_feature_plan(xpsnr_feature, context, {&options, 1}));
    const XpsnrGrid grid(clip.format, clip.chroma_edge, clip.format.plane_count());
    std::optional<GpuRun> run;
    if (path.device)
        run.emplace(value_of(GpuRun::create(*path.device, plan, clip.format)));
    const std::string title = fmt::format("{}, {} on {}", clip.title, request, path.name);

    Sha256 sums_hash, weights_hash;
    FrameHistory history(plan.earlier);
    Workspace workspace;
    const PairReader read = read_golden_clip(clip);
    for (std::size_t n = 0; const std::optional<FramePair> pair = value_of(read()); n++) {
        const FrameWindow window = history.next(*pair);
        std::vector<std::int64_t> sums(plan.extracted().size());
        workspace.reset();
        if (run)
            sums = value_of(run->words(window.pictures()));
        else
            (path.definition ? *plan.definition : plan.cpu_code()).extract(window.pictures(), workspace, sums);
        add_values(sums_hash, sums);
        if (grid.has_weights())
            add_values(weights_hash, xpsnr_weights(grid, sums));
        const std::vector<std::int64_t> words = kept_words(plan, sums);
        for (std::size_t p = 0; p < words.size(); p++) {
            const std::string name = fmt::format("weighted error {}", "yuv"[p]);
            comparison.compare(fmt::format("{}: {} of frame {}", title, name, n), static_cast<std::uint64_t>(words[p]),
                               json.at("words").at(request).at(name).at(n).get<std::uint64_t>());
        }
    }
    if (!grid.has_weights())
        return;
    const Json &digests = json.at("block_digests").at(request);
    comparison.compare(title + ": sums", std::move(sums_hash).hex(),
                       digests.at("sha256_block_sums").get<std::string>());
    comparison.compare(title + ": weights", std::move(weights_hash).hex(),
                       digests.at("sha256_weights").get<std::string>());
}

std::vector<Path> find_paths(const std::optional<Device> &device) {
    if (device)
        return {{device->info().name, CpuLevel::scalar, false, &*device}};
    std::vector<Path> paths{{"the definition", CpuLevel::scalar, true}};
    for (const CpuLevel level : usable_cpu_levels())
        if (level != CpuLevel::scalar)
            paths.push_back({std::string(cpu_level_name(level)), level});
    return paths;
}

int run(std::span<char *const> arguments) {
    std::int64_t most_pixels = std::int64_t{1} << 40;
    if (arguments.size() > 2 && std::string_view(arguments[0]) == "--most-pixels") {
        most_pixels = parse_integer(arguments[1]).value();
        arguments = arguments.subspan(2);
    }
    if (arguments.empty() || arguments.size() > 2)
        throw std::runtime_error("usage: block_sums_test [--most-pixels PIXELS] FILE [CLIPS_FOLDER]");
    if (!std::filesystem::exists(arguments[0])) {
        fmt::print("skipped: {} does not exist\n", arguments[0]);
        return exit_skipped;
    }
    std::optional<Device> device;
    if (const char *const plugin = std::getenv("ISOVMAF_TEST_PLUGIN"))
        device.emplace(value_of(Device::open(value_of(Plugin::open(plugin)), 0)));
    std::ifstream stream(arguments[0]);
    const Json json = Json::parse(stream);
    std::vector<const Json *> descriptions; // in the order of the clips, which are one for each request
    for (const char *const list : {"clips", "recorded"})
        for (const Json &clip : json.at(list))
            for (std::size_t i = 0; i < clip.at("words").size(); i++)
                descriptions.push_back(&clip);
    const std::vector<GoldenClip> clips =
        value_of(read_golden_file(arguments[0], arguments.size() > 1 ? arguments[1] : ""));
    Comparison comparison;
    for (std::size_t i = 0; i < clips.size(); i++)
        if (std::int64_t{clips[i].format.width} * clips[i].format.height <= most_pixels)
            for (const Path &path : find_paths(device))
                compare_request(clips[i], *descriptions.at(i), clips[i].features.at(0), path, comparison);
    comparison.print();
    return comparison.equal() ? 0 : 1;
}

} // namespace
} // namespace isovmaf

int main(int argc, char **argv) {
    try {
        return isovmaf::run({argv + 1, static_cast<std::size_t>(argc - 1)});
    } catch (const std::exception &exception) {
        fmt::print("failed: {}\n", exception.what());
        return 1;
    }
}

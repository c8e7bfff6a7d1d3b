// SPDX-License-Identifier: BSD-2-Clause-Patent
// Scores the clips of golden files and compares every value's bits.
//
//     golden_test [--most-pixels PIXELS] [--without FEATURE] [--beside FILE] FILE_OR_FOLDER [CLIPS_FOLDER]
//
// With --most-pixels, clips whose pictures have more pixels are left out; with --without, a feature; with --beside,
// values of generated clips that FILE has too.
// The scores are computed on the CPU, by the definitions and by the CPU paths at every level that the processor has, or
// on the device of the plugin file that ISOVMAF_TEST_PLUGIN names, with features that have no kernels on the CPU. Its
// waves must have as many lanes as ISOVMAF_TEST_WAVE says, if that is set.
//
// Exit code 0: all equal; 1: something differs, or nothing was compared; 77: the file or folder does not exist.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/text.hpp"
#include "device/backend_names.hpp"
#include "device/device.hpp"
#include "features/feature.hpp"
#include "features/registry.hpp"
#include "golden/golden_clip_reader.hpp"
#include "golden/golden_file.hpp"
#include "isovmaf/score_video.hpp"
#include "simd/level.hpp"

namespace isovmaf {
namespace {

constexpr int exit_skipped = 77;

/// Where scores are computed: the members of SessionOptions with these names.
struct TestedBackend {
    std::string backend, cpu_level = "auto";
    std::vector<std::string> backend_folders = {};

    [[nodiscard]] std::string title() const { return cpu_level == "auto" ? backend : backend + ":" + cpu_level; }
};

std::vector<TestedBackend> find_tested_backends() {
    if (const char *const file = std::getenv("ISOVMAF_TEST_PLUGIN"))
        return {{fmt::format("{},{}", value_of(Plugin::open(file))->name(), cpu_backend),
                 "auto",
                 {std::filesystem::path(file).parent_path()}}};
    std::vector<TestedBackend> backends{{std::string(definition_backend)}};
    for (const CpuLevel level : usable_cpu_levels())
        if (level != CpuLevel::scalar)
            backends.push_back({std::string(cpu_backend), std::string(cpu_level_name(level))});
    return backends;
}

struct ScoredClip {
    Session session;
    std::vector<FrameScores> frames = {};
};

/// Throws when a feature that has kernels runs on the CPU beside a device.
void check_placement(const Session &session) {
    const Execution execution = session.execution();
    if (execution.device.empty())
        return;
    for (const FeaturePlacement &place : execution.placement)
        if (place.backend != execution.backend && has_kernels(*find_feature(place.feature)))
            throw std::runtime_error(fmt::format("{} runs on {}: {}", place.feature, place.backend, place.reason));
}

ScoredClip score(const GoldenClip &clip, const TestedBackend &tested) {
    SessionOptions options = value_of(golden_options(clip));
    options.execution.backend = tested.backend;
    options.execution.cpu_level = tested.cpu_level;
    options.execution.backend_folders = tested.backend_folders;
    ScoredClip scored{value_of(Session::create(options))};
    check_placement(scored.session);
    const auto keep = [&](FrameScores scores) { scored.frames.push_back(std::move(scores)); };
    value_of(score_video(scored.session, read_golden_clip(clip), {.scored = keep}));
    return scored;
}

/// Counts and prints comparisons.
class Comparison {
  public:
    void compare(const std::string &clip, const std::string &what, double found, double expected) {
        compared_++;
        if (std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(expected))
            return;
        if (different_++ < most_printed)
            fmt::print("{}: {} is {:a} ({}), the reference says {:a} ({})\n", clip, what, found, found, expected,
                       expected);
    }

    [[nodiscard]] std::int64_t compared() const { return compared_; }
    [[nodiscard]] std::int64_t different() const { return different_; }

  private:
    static constexpr std::int64_t most_printed = 40;
    std::int64_t compared_ = 0;
    std::int64_t different_ = 0;
};

void compare_clip(const GoldenClip &clip, const TestedBackend &tested, Comparison &comparison) {
    if (clip.columns.empty())
        return;
    const auto [session, frames] = score(clip, tested);
    const std::string title = fmt::format("{} on {}", clip.title, tested.title());
    std::map<std::string, std::size_t> column_of;
    for (std::size_t i = 0; i < session.score_names().size(); i++)
        column_of[session.score_names()[i]] = i;

    for (const GoldenColumn &column : clip.columns) {
        const auto found = column_of.find(column.name);
        if (found == column_of.end())
            throw std::runtime_error(fmt::format("{}: there is no score {}", title, column.name));
        for (std::size_t n = 0; n < column.frames.size(); n++)
            comparison.compare(title, fmt::format("{} of frame {}", column.name, n),
                               frames.at(n).scores.at(found->second), column.frames[n]);
    }
    const auto aggregates = session.aggregates();
    for (const GoldenTotal &expected : clip.aggregates) {
        const auto found = std::ranges::find(aggregates, expected.name, &std::pair<std::string, double>::first);
        if (found == aggregates.end())
            throw std::runtime_error("no aggregate " + expected.name);
        comparison.compare(title, expected.name, found->second, expected.value);
    }
    for (const GoldenTotal &mean : clip.means)
        comparison.compare(title, "the mean of " + mean.name, value_of(session.pooled(mean.name)).mean, mean.value);
}

std::vector<std::filesystem::path> golden_files(const std::filesystem::path &path) {
    if (!std::filesystem::is_directory(path))
        return {path};
    std::vector<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::directory_iterator(path))
        if (entry.path().extension() == ".json")
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// Removes the values of a generated clip that the other clips have with the same bits.
void remove_common_values(GoldenClip &clip, std::span<const GoldenClip> others) {
    for (const GoldenClip &other : others) {
        if (!clip.reference.empty() || clip.title != other.title || clip.sha256_reference != other.sha256_reference)
            continue;
        std::erase_if(clip.columns, [&](const GoldenColumn &column) {
            const auto found = std::ranges::find(other.columns, column.name, &GoldenColumn::name);
            return found != other.columns.end() &&
                   std::ranges::equal(column.frames, found->frames, {}, std::bit_cast<std::uint64_t, double>,
                                      std::bit_cast<std::uint64_t, double>);
        });
    }
}

/// Removes a feature and its scores, whose names start with the feature's.
void remove_feature(GoldenClip &clip, const std::string &feature) {
    const auto is_of_feature = [&](const std::string &name) { return name.starts_with(feature); };
    std::erase_if(clip.features, is_of_feature);
    std::erase_if(clip.columns, [&](const GoldenColumn &column) { return is_of_feature(column.name); });
    for (std::vector<GoldenTotal> *const totals : {&clip.aggregates, &clip.means})
        std::erase_if(*totals, [&](const GoldenTotal &total) { return is_of_feature(total.name); });
}

/// The device, if the scores are computed on one. Prints its wave width, and throws when that is not the expected one.
std::optional<Device> open_device() {
    const char *const file = std::getenv("ISOVMAF_TEST_PLUGIN");
    if (!file)
        return std::nullopt;
    Device device = value_of(Device::open(value_of(Plugin::open(file)), 0));
    const isovmaf_device_info &info = device.info();
    fmt::print("on {}, waves of {}\n", info.name, info.wave_width);
    const char *const expected = std::getenv("ISOVMAF_TEST_WAVE");
    if (expected && expected != std::to_string(info.wave_width))
        throw std::runtime_error(fmt::format("its waves have to have {} lanes", expected));
    return device;
}

struct Arguments {
    std::filesystem::path golden, clips, beside;
    std::string without;
    std::int64_t most_pixels = std::numeric_limits<std::int64_t>::max();
};

/// Throws when the arguments are others than the usage says.
Arguments parse_arguments(std::span<char *const> texts) {
    Arguments arguments;
    bool known = true;
    for (; texts.size() > 1 && std::string_view(texts[0]).starts_with("--"); texts = texts.subspan(2))
        if (std::string_view(texts[0]) == "--beside")
            arguments.beside = texts[1];
        else if (std::string_view(texts[0]) == "--without")
            arguments.without = texts[1];
        else if (const auto limit = parse_integer(texts[1]); limit && std::string_view(texts[0]) == "--most-pixels")
            arguments.most_pixels = *limit;
        else
            known = false;
    if (!known || texts.empty() || texts.size() > 2)
        throw std::runtime_error(
            "usage: golden_test [--most-pixels PIXELS] [--without FEATURE] [--beside FILE] FILE_OR_FOLDER "
            "[CLIPS_FOLDER]");
    arguments.golden = texts[0];
    arguments.clips = texts.size() > 1 ? texts[1] : "";
    return arguments;
}

int run(const Arguments &arguments) {
    if (!std::filesystem::exists(arguments.golden)) {
        fmt::print("skipped: {} does not exist\n", arguments.golden.string());
        return exit_skipped;
    }
    const std::optional<Device> device = open_device(); // stays open, so that its kernels are compiled once
    const std::vector<TestedBackend> backends = find_tested_backends();
    const std::vector<GoldenClip> beside =
        arguments.beside.empty() ? std::vector<GoldenClip>() : value_of(read_golden_file(arguments.beside, ""));
    Comparison comparison;
    std::map<std::string, int> skipped;
    for (const std::filesystem::path &file : golden_files(arguments.golden))
        for (GoldenClip &clip : value_of(read_golden_file(file, arguments.clips))) {
            remove_common_values(clip, beside);
            if (!arguments.without.empty())
                remove_feature(clip, arguments.without);
            if (std::int64_t{clip.format.width} * clip.format.height > arguments.most_pixels)
                continue;
            for (const TestedBackend &tested : backends) {
                const std::int64_t before = comparison.compared();
                compare_clip(clip, tested, comparison);
                fmt::print("{} on {}: {} values\n", clip.title, tested.title(), comparison.compared() - before);
            }
            for (const std::string &name : clip.skipped)
                skipped[name]++;
        }
    for (const auto &[name, clips] : skipped)
        fmt::print("not in this version: {}\n", name);
    fmt::print("compared {} values, {} differ\n", comparison.compared(), comparison.different());
    return comparison.compared() > 0 && comparison.different() == 0 ? 0 : 1;
}

} // namespace
} // namespace isovmaf

int main(int argc, char **argv) {
    try {
        return isovmaf::run(isovmaf::parse_arguments({argv + 1, static_cast<std::size_t>(argc - 1)}));
    } catch (const std::exception &exception) {
        fmt::print("failed: {}\n", exception.what());
        return 1;
    }
}

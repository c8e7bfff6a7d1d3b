// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/testing/path_runner.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <span>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "content/patterns.hpp"
#include "features/frame_window.hpp"
#include "features/testing/guarded_frame.hpp"

namespace isovmaf::testing {

namespace {

/// What an extraction wrote.
struct Extracted {
    std::vector<std::int64_t> words;
    StageMemory stages;
};

Extracted extract(const FeaturePlan &plan, const Extractor &extractor, const PictureWindow &inputs, int bands,
                  Workspace &workspace) {
    Extracted result{std::vector<std::int64_t>(plan.extracted().size()), StageMemory(plan.stages)};
    std::vector<std::int64_t> share(result.words.size());
    for (int i = 0; i < bands; i++) {
        workspace.reset();
        std::ranges::fill(share, 0x5a5a5a5a);
        extractor.extract_band(inputs, {i, bands}, workspace, share, result.stages.taps());
        add_words(share, result.words);
    }
    return result;
}

void expect_equal_stages(const std::vector<Stage> &stages, const StageMemory &have, const StageMemory &want,
                         const std::string &title) {
    for (std::size_t s = 0; s < stages.size(); s++) {
        if (std::ranges::equal(have.plane(s), want.plane(s))) // much faster than mismatch
            continue;
        const auto differs = std::ranges::mismatch(have.plane(s), want.plane(s));
        const auto at = differs.in1 - have.plane(s).begin();
        ADD_FAILURE() << title << ", " << stages[s].name << ", column " << at % stages[s].width << ", row "
                      << at / stages[s].width << ": " << *differs.in1 << " for " << *differs.in2;
    }
}

/// One level's CPU path.
class PathTest {
  public:
    PathTest(FeaturePlan plan, CpuLevel level, const std::string &title)
        : plan_(std::move(plan)), title_(fmt::format("{}, {}", title, cpu_level_name(level))) {
        if (!plan_.cpu)
            throw Failure({ErrorCode::unsupported, title_ + ": there is no CPU path"});
        EXPECT_EQ(plan_.cpu->level(), cpu_level_name(level)) << title_;
    }

    /// Without taps, and with taps, cut into each of these numbers of bands.
    void compare(const PictureWindow &inputs, const Extracted &want, std::span<const int> counts,
                 const std::string &which) {
        compare_words(inputs, want, which);
        for (const int bands : counts)
            if (bands <= plan_.cpu->most_bands())
                compare_stages(inputs, want, bands, which);
    }

    /// With taps and without them.
    void compare_whole(const PictureWindow &inputs, const Extracted &want, const std::string &which) {
        compare_words(inputs, want, which);
        compare_stages(inputs, want, 1, which);
    }

  private:
    void compare_words(const PictureWindow &inputs, const Extracted &want, const std::string &which) {
        std::vector<std::int64_t> words(want.words.size(), 0x5a5a5a5a);
        workspace_.reset();
        plan_.cpu->extract(inputs, workspace_, words);
        EXPECT_EQ(words, want.words) << title_ << ", " << which << ", without taps";
    }

    void compare_stages(const PictureWindow &inputs, const Extracted &want, int bands, const std::string &which) {
        const Extracted have = extract(plan_, *plan_.cpu, inputs, bands, workspace_);
        const std::string title = fmt::format("{}, {}, {} bands", title_, which, bands);
        EXPECT_EQ(have.words, want.words) << title;
        expect_equal_stages(plan_.stages, have.stages, want.stages, title);
    }

    FeaturePlan plan_;
    std::string title_;
    Workspace workspace_;
};

/// The CPU paths of all levels that this processor has.
std::vector<std::unique_ptr<PathTest>> all_paths(std::string_view name, const std::vector<OptionTexts> &option_sets,
                                                 const VideoFormat &format, Semantics semantics) {
    const std::string title =
        fmt::format("{}, {}x{}, {} bit, seed {}", name, format.width, format.height, format.bit_depth, test_seed());
    std::vector<std::unique_ptr<PathTest>> paths;
    for (const CpuLevel level : usable_cpu_levels())
        if (level != CpuLevel::scalar)
            paths.push_back(
                std::make_unique<PathTest>(plan_feature(name, option_sets, {format, semantics, level}), level, title));
    return paths;
}

constexpr std::array band_counts{1, 2, 3, 7};

/// All of them for frames up to the one that is guarded, too. Where bands lie does not depend on samples: of later
/// frames each has another one.
std::span<const int> band_counts_of(std::size_t frame, std::size_t guarded_number) {
    if (frame <= guarded_number)
        return band_counts;
    return std::span(band_counts).subspan(frame % band_counts.size(), bands_of_later_frames);
}

FrameWindow guarded_copy(const FrameWindow &frame, RowPlace place) {
    const auto copy = [&](const Frame &picture) { return picture ? guarded_frame(picture, place) : Frame(); };
    return {{copy(frame.pair.reference), copy(frame.pair.distorted)},
            {copy(frame.earlier_reference[0]), copy(frame.earlier_reference[1])},
            {copy(frame.earlier_distorted[0]), copy(frame.earlier_distorted[1])}};
}

} // namespace

void expect_definition(std::string_view name, const std::vector<OptionTexts> &option_sets,
                       const std::vector<FramePair> &clip, Semantics semantics) {
    const VideoFormat &format = clip.front().reference.format();
    const FeaturePlan plan = plan_feature(name, option_sets, {format, semantics, CpuLevel::scalar});
    const auto paths = all_paths(name, option_sets, format, semantics);
    if (paths.empty())
        GTEST_SKIP() << "this build has no vector code that this processor runs";
    const std::size_t guarded_number = std::min(static_cast<std::size_t>(plan.earlier.most()), clip.size() - 1);
    FrameHistory history(plan.earlier);
    Workspace workspace;
    for (std::size_t n = 0; n < clip.size(); n++) {
        const FrameWindow frame = history.next(clip[n]);
        const Extracted want = extract(plan, *plan.definition, frame.pictures(), 1, workspace);
        for (const auto &path : paths)
            path->compare(frame.pictures(), want, band_counts_of(n, guarded_number), fmt::format("frame {}", n));
        if (n != guarded_number)
            continue;
        for (const RowPlace place : {RowPlace::page_start, RowPlace::page_end}) {
            const FrameWindow copy = guarded_copy(frame, place);
            for (const auto &path : paths)
                path->compare_whole(copy.pictures(), want, fmt::format("frame {}, guarded", n));
        }
    }
}

std::vector<FramePair> hard_clip_within_depth(const VideoFormat &format, std::uint32_t seed) {
    const std::uint32_t most = largest_sample(format);
    const auto paint = [&](auto sample) { return painted_frame(format, default_poison, sample); };
    const auto alternating = [&](int period) {
        return paint([=](int, int x, int y) { return (x / period + y / period) % 2 ? most : 0; });
    };
    std::mt19937 random(seed);
    const auto noisy_ramp = [&](std::uint32_t noise) {
        return paint([&](int, int x, int y) {
            return std::min<std::uint32_t>(most, static_cast<std::uint32_t>(x + 2 * y) % most +
                                                     static_cast<std::uint32_t>(random()) % (noise + 1));
        });
    };
    const auto ramp = paint([=](int, int x, int) { return static_cast<std::uint32_t>(x) * 3 % (most + 1); });
    return {noise_pair(format, seed),
            identical_pair(format, seed + 1),
            black_and_white(format),
            {alternating(1), alternating(2)},
            {ramp, noisy_ramp(1)},
            {noisy_ramp(3), noisy_ramp(most / 16)},
            {grain_frame(format, seed + 2), grain_frame(format, seed + 3)},
            {noise_frame(format, seed + 4), constant_frame(format, most)},
            {constant_frame(format, most), constant_frame(format, most)}};
}

std::vector<FramePair> hard_clip(const VideoFormat &format, std::uint32_t seed) {
    std::vector<FramePair> clip = hard_clip_within_depth(format, seed);
    std::mt19937 random(seed + 5);
    const auto beyond = [&] {
        return random_frame(format, static_cast<std::uint32_t>(random()), default_poison,
                            [](std::uint32_t bits) { return bits & 0xffff; });
    };
    if (format.bit_depth > 8 && format.bit_depth < 16)
        clip.push_back({beyond(), beyond()});
    return clip;
}

std::uint32_t test_seed() {
    static const std::uint32_t seed = [] {
        const char *const wanted = std::getenv("ISOVMAF_TEST_SEED");
        const auto chosen = wanted ? static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 10)) : 1;
        fmt::print("ISOVMAF_TEST_SEED={}\n", chosen);
        return chosen;
    }();
    return seed;
}

} // namespace isovmaf::testing

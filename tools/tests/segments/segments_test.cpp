// SPDX-License-Identifier: BSD-2-Clause-Patent
// Cuts clips at random into 1 to 7 segments, extracts each in a process of its own, merges the words files, and
// compares the report with that of a Session over the whole clip, byte for byte.
//
//     segments_test EXTRACT_SEGMENT CLIPS_FOLDER [SHARED_CLIPS_FOLDER]
//
// ISOVMAF_TEST_SEED (1) chooses the cuts.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "base/testing/temporary_folder.hpp"
#include "base/try.hpp"
#include "engine/words/segments.hpp"
#include "features/registry.hpp"
#include "features/semantics.hpp"
#include "isovmaf/score_video.hpp"
#include "model/model.hpp"
#include "report/report.hpp"
#include "segment_case.hpp"

namespace isovmaf::testing {
namespace {

std::filesystem::path extract_segment, clips_folder, shared_clips_folder;

std::mt19937 &cuts() {
    static std::mt19937 generator = [] {
        const char *const given = std::getenv("ISOVMAF_TEST_SEED");
        const unsigned seed = given ? static_cast<unsigned>(std::stoul(given)) : 1;
        fmt::print("ISOVMAF_TEST_SEED={}\n", seed);
        return std::mt19937(seed);
    }();
    return generator;
}

int run_process(std::vector<std::string> arguments) {
    std::vector<char *> raw;
    for (std::string &argument : arguments)
        raw.push_back(argument.data());
    raw.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        execv(raw[0], raw.data());
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct Scored {
    ScoreTable table;
    std::int64_t frames = 0;
};

/// Scores the whole clip in this process. Fails when the case has no meaning.
Result<Scored> score_whole(SegmentCase &the_case) {
    const CasePairs pairs = open_pairs(the_case, 0);
    Session session = TRY(Session::create({pairs.format, the_case.scoring, one_thread}));
    Scored scored;
    const auto read = [&]() -> Result<std::optional<FramePair>> {
        std::optional<FramePair> pair = pairs.read();
        scored.frames += pair ? 1 : 0;
        return pair;
    };
    TRY(score_video(session, read,
                    {.scored = [&](FrameScores row) { scored.table.frames.push_back(std::move(row)); }}));
    scored.table.names = session.score_names();
    scored.table.aggregates = session.aggregates();
    scored.table.sources = session.score_sources();
    return scored;
}

std::vector<std::int64_t> random_cuts(std::int64_t frames) {
    const auto segments = std::uniform_int_distribution<std::int64_t>(1, std::min<std::int64_t>(7, frames))(cuts());
    std::set<std::int64_t> borders{0, frames};
    while (static_cast<std::int64_t>(borders.size()) <= segments)
        borders.insert(std::uniform_int_distribution<std::int64_t>(1, frames - 1)(cuts()));
    return {borders.begin(), borders.end()};
}

std::vector<std::byte> read_file(const std::string &path) {
    std::ifstream stream(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

/// Extracts the segments in a random order.
std::vector<WordsFile> extract_in_processes(const std::vector<std::string> &words,
                                            const std::vector<std::int64_t> &borders) {
    const TemporaryFolder folder;
    std::vector<std::size_t> order;
    for (std::size_t i = 1; i < borders.size(); i++)
        order.push_back(i);
    std::ranges::shuffle(order, cuts());
    std::vector<WordsFile> files;
    for (const std::size_t i : order) {
        const std::string path = folder.file(fmt::format("{}.words", i));
        std::vector<std::string> arguments{extract_segment, path, std::to_string(borders[i - 1]),
                                           std::to_string(borders[i])};
        arguments.insert(arguments.end(), words.begin(), words.end());
        EXPECT_EQ(run_process(arguments), 0) << fmt::format("{}", fmt::join(arguments, " "));
        files.push_back(value_of(decode_words(read_file(path), path)));
    }
    return files;
}

std::string report_text(ScoreTable table, ReportFormat format) {
    Report report;
    report.scores = std::move(table);
    return write_report(report, format, Precision::max);
}

/// Whether the case has a meaning; if so, its merged report is compared with that of the whole clip.
bool expect_equal_reports(const std::vector<std::string> &words) {
    SegmentCase the_case = SegmentCase::parse(words);
    const Result<Scored> whole = score_whole(the_case);
    if (!whole)
        return false;
    const std::vector<std::int64_t> borders = random_cuts(whole->frames);
    const std::string shown = fmt::format("{}, cut at {}", fmt::join(words, " "), fmt::join(borders, " "));
    const Result<WordScores> merged = score_segments(the_case.scoring, extract_in_processes(words, borders));
    if (!merged) {
        ADD_FAILURE() << shown << ": " << merged.error().message;
        return true;
    }
    for (const ReportFormat format : {ReportFormat::json, ReportFormat::xml, ReportFormat::csv, ReportFormat::sub})
        EXPECT_EQ(report_text(merged->table, format), report_text(whole->table, format)) << shown;
    return true;
}

/// Another value of an option, or none that is a text.
std::string another_value(const OptionSpec &option) {
    if (const bool *const flag = std::get_if<bool>(&option.default_value))
        return *flag ? "false" : "true";
    if (std::holds_alternative<int>(option.default_value))
        return std::to_string(static_cast<int>(option.minimum + option.maximum) / 2);
    if (std::holds_alternative<double>(option.default_value))
        return fmt::format("{:g}", option.minimum + (std::min(option.maximum, 1e6) - option.minimum) / 4);
    return std::string(option.words.back());
}

const std::string small_clip = "generated=64x48:420:8:9", deep_clip = "generated=49x37:422:10:5";

/// `clip`, or one of the same kind that is large enough for the feature. The clip's smaller side is `side`.
std::string clip_for(const FeatureDescriptor &feature, const std::string &clip, int side) {
    const int square = smallest_picture(feature, OptionSet(feature.options)).square();
    if (square <= side)
        return clip;
    return fmt::format("generated={}x{}{}", square, square + 1, clip.substr(clip.find(':')));
}

class EveryFeature : public ::testing::TestWithParam<const FeatureDescriptor *> {};

// The default, the option sets that backends are compared with, and every option with another value. A new feature or
// option is covered by being there.
TEST_P(EveryFeature, SegmentsGiveTheReportOfTheWholeClip) {
    const std::string name(GetParam()->name);
    std::vector<std::string> words{clip_for(*GetParam(), small_clip, 48), "feature=" + name};
    ASSERT_TRUE(expect_equal_reports(words));
    const auto add = [&](const std::string &options) { // unless they cannot stand beside the others
        words.push_back(fmt::format("feature={}:{}", name, options));
        const SegmentCase the_case = SegmentCase::parse(words);
        if (!Session::create({the_case.generated, the_case.scoring, one_thread}))
            words.pop_back();
    };
    for (const std::string_view options : GetParam()->compared_options)
        add(std::string(options));
    for (const OptionSpec &option : GetParam()->options)
        if (option.name != GetParam()->maps_option)
            add(fmt::format("{}={}", option.name, another_value(option)));
    EXPECT_GT(words.size(), GetParam()->options.size() / 2);
    EXPECT_TRUE(expect_equal_reports(words));
    words.push_back("subsample=2");
    EXPECT_TRUE(expect_equal_reports(words));
    words.front() = clip_for(*GetParam(), deep_clip, 37);
    words.back() = "subsample=3";
    EXPECT_TRUE(expect_equal_reports(words));
}

TEST_P(EveryFeature, SegmentsGiveTheReportOfTheWholeClipInEachSemantics) {
    for (const Semantics &semantics : all_semantics())
        EXPECT_TRUE(
            expect_equal_reports({clip_for(*GetParam(), small_clip, 48), fmt::format("feature={}", GetParam()->name),
                                  fmt::format("semantics={}", semantics.name()), "subsample=2"}));
}

INSTANTIATE_TEST_SUITE_P(Segments, EveryFeature, ::testing::ValuesIn(all_features().begin(), all_features().end()),
                         [](const auto &feature) { return std::string(feature.param->name); });

/// Every model but those of VMAF v1, which need larger pictures and are no part of earlier semantics.
std::vector<std::string> with_every_model(std::vector<std::string> words) {
    for (const std::string_view version : builtin_model_versions())
        if (!version.starts_with("vmaf_v1"))
            words.push_back(fmt::format("model=version={}:name={}", version, version));
    return words;
}

TEST(Segments, EveryModelGivesTheReportOfTheWholeClip) {
    for (const Semantics &semantics : all_semantics()) {
        EXPECT_TRUE(
            expect_equal_reports(with_every_model({small_clip, fmt::format("semantics={}", semantics.name())})));
        EXPECT_TRUE(
            expect_equal_reports({deep_clip, "model=vmaf_v0.6.1", fmt::format("semantics={}", semantics.name())}));
    }
}

// Motion's options change how many neighbours a score has; all combinations of the flags.
TEST(Segments, MotionsWindowsReachOverCuts) {
    for (const std::string_view five : {"false", "true"})
        for (const std::string_view average : {"false", "true"})
            for (const std::string_view zero : {"false", "true"})
                EXPECT_TRUE(expect_equal_reports(
                    {small_clip, fmt::format("feature=motion:motion_five_frame_window={}:motion_moving_average={}:"
                                             "motion_force_zero={}",
                                             five, average, zero)}));
}

TEST(Segments, RealClipsGiveTheReportOfTheWholeClip) {
    const auto videos = [](std::string_view name) {
        const std::string path = (clips_folder / name).string();
        return fmt::format("videos={}_ref.mkv:{}_dis.mkv", path, path);
    };
    EXPECT_TRUE(expect_equal_reports({videos("landscape_576x324_10b"), "model=vmaf_v0.6.1"}));
    EXPECT_TRUE(expect_equal_reports(
        {videos("landscape_640x360_8b"), "feature=motion:mffw=true", "feature=psnr:enable_apsnr=true"}));
}

TEST(Segments, SharedClipsGiveTheReportOfTheWholeClip) {
    const std::filesystem::path reference = shared_clips_folder / "src01_ref_160x90_8b_420_48f.yuv",
                                distorted = shared_clips_folder / "src01_dis_160x90_8b_420_48f.yuv";
    if (!std::filesystem::exists(reference))
        GTEST_SKIP() << "no " << reference;
    EXPECT_TRUE(
        expect_equal_reports(with_every_model({fmt::format("raw={}:{}:160x90", reference.string(), distorted.string()),
                                               "feature=motion:mffw=true", "feature=psnr:enable_apsnr=true"})));
}

} // namespace
} // namespace isovmaf::testing

int main(int argc, char **argv) {
    ::testing::InitGoogleTest(&argc, argv);
    if (argc < 3) {
        fmt::print(stderr, "usage: segments_test EXTRACT_SEGMENT CLIPS_FOLDER [SHARED_CLIPS_FOLDER]\n");
        return 2;
    }
    isovmaf::testing::extract_segment = argv[1];
    isovmaf::testing::clips_folder = argv[2];
    isovmaf::testing::shared_clips_folder = argc > 3 ? argv[3] : "";
    return RUN_ALL_TESTS();
}

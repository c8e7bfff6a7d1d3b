// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/map_files.hpp"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_io.hpp"
#include "base/testing/temporary_folder.hpp"
#include "base/try.hpp"
#include "content/patterns.hpp"
#include "device/testing/plugin_folder.hpp"
#include "engine/plan/map_request.hpp"
#include "engine/testing/extracted_words.hpp"

namespace isovmaf::testing::map_files_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr VideoFormat format{.width = 20, .height = 6, .chroma = Chroma::k400};

/// One word, which no map changes. Three stages: the last is every second sample of every second row. Values of the
/// first, which is the widest, are put too, and nobody reads them.
class SampleReader final : public Extractor {
  public:
    void extract(const PictureWindow &frames, Workspace &, Words words, Taps taps) const override {
        const Plane &luma = frames.distorted->plane(0);
        words[0] = *luma.row<std::uint8_t>(0);
        if (!taps.memory)
            return;
        for (int y = 0; y < luma.height; y++)
            for (int x = 0; x < luma.width; x++) {
                const auto value = static_cast<float>(luma.row<std::uint8_t>(y)[x]);
                taps.put(0, x, y, -1);
                taps.put_f32(1, x, y, value);
                if (x % 2 == 0 && y % 2 == 0)
                    taps.put_f32(2, x / 2, y / 2, value / 2);
            }
    }
};

class FirstWord final : public Finisher {
  public:
    void push(std::int64_t frame, ConstWords words, ScoreSink &sink) override {
        sink.set(frame, 0, static_cast<double>(words[0]));
    }
};

class NoKernels final : public GpuExtractor {
  public:
    void record(Recorder &, const GpuFrame &) const override {}
};

const OptionSpec options[] = {
    {"folder", "", "", std::string(), 0, 0, Naming::plain},
    {"other", "", "", false},
};
constexpr OutputSpec outputs[] = {{"sample", ""}};

Result<FeaturePlan> plan_samples(const PlanContext &, std::span<const OptionSet> option_sets) {
    FeaturePlan plan;
    plan.definition = std::make_unique<SampleReader>();
    plan.gpu = std::make_unique<NoKernels>();
    plan.words = {{"sample"}};
    for (const auto &[name, width, height] : {std::tuple("lost", 20, 6), {"all", 20, 6}, {"some", 10, 3}})
        plan.stages.push_back({.name = name, .width = width, .height = height, .kind = WordKind::f32});
    for (std::size_t v = 0; v < option_sets.size(); v++)
        plan.variants.push_back(
            {{outputs[0]}, std::make_unique<FirstWord>(), {{"some.gray", 2, 50}, {"all.gray", 1, 255}}});
    return plan;
}

const FeatureDescriptor samples{.name = "samples",
                                .summary = "",
                                .options = options,
                                .outputs = outputs,
                                .maps_option = "folder",
                                .plan = plan_samples};

FeatureSet asked(const std::vector<OptionTexts> &option_sets) {
    FeatureSet set;
    for (const OptionTexts &texts : option_sets)
        EXPECT_TRUE(set.add(samples, OptionSet::parse("samples", options, texts).value()));
    return set;
}

EnginePlan planned(const std::vector<OptionTexts> &option_sets) {
    return make_plan(asked(option_sets), {format}).value();
}

FramePair pair_of(std::uint32_t level) {
    const Frame frame = constant_frame(format, level);
    return {frame, frame};
}

std::vector<std::uint16_t> samples_of(const std::string &path) {
    std::string text;
    EXPECT_EQ(read_whole_file(path, text), 0) << path;
    std::vector<std::uint16_t> read(text.size() / 2);
    std::memcpy(read.data(), text.data(), 2 * read.size());
    return read;
}

/// Frames 4, 1 and 3 of a video, whose levels are ten times their numbers, with many threads.
Result<void> write_maps(const EnginePlan &plan, const ExecutionOptions &where = {.backend = "cpu", .threads = 3}) {
    WordCollector collector;
    const ExecutionHandle execution = open_execution(where).value();
    OpenedScheduler scheduler = TRY(open_scheduler(*execution, plan));
    Extraction extraction(std::move(scheduler), plan, 1, {&collector});
    for (const std::uint32_t number : {4u, 1u, 3u})
        TRY(extraction.push(pair_of(10 * number), number));
    TRY(extraction.finish());
    std::vector<std::int64_t> words;
    for (const auto &[frame, rows] : collector.by_frame)
        words.push_back(rows[0][0]);
    EXPECT_THAT(words, ElementsAre(40, 10, 30));
    return {};
}

/// libvmaf's samples of the same values, which were recorded.
TEST(StageMap, HasTheLowBitsOfOneF64Product) {
    for (const auto &[largest, value, sample] :
         {std::tuple(13, 0.f, 0), {13, 12.f, 60493}, {13, 5.33333349f, 26886}, {13, 13.333334f, 1679}, {0, 0.f, 0}})
        EXPECT_EQ((StageMap{"", 0, static_cast<double>(largest)}.sample(word_of(value))), sample) << value;
    EXPECT_EQ((StageMap{"", 0, 162}.sample(word_of(118.44155883789062f))), 47913) << "an f32 product gives 47914";
}

TEST(StageMemory, HasPlanesForTheStagesThatAreKept) {
    const std::vector<Stage> stages{{"a", 5, 2}, {"b", 3, 2}, {"c", 9, 1}};
    StageMemory memory(stages, std::vector<std::size_t>{1});
    EXPECT_EQ(memory.words().size(), 3 * 2 + 9 + 3u * 2);
    for (int stage = 0; stage < 3; stage++)
        for (int y = 0; y < stages[static_cast<std::size_t>(stage)].height; y++)
            for (int x = 0; x < stages[static_cast<std::size_t>(stage)].width; x++)
                memory.taps().put(stage, x, y, 100 * stage + 10 * y + x);
    EXPECT_THAT(memory.plane(1), ElementsAre(100, 101, 102, 110, 111, 112));
    EXPECT_THAT(memory.plane(0), ElementsAre());
}

TEST(MapFiles, HaveEachFrameWhereItsNumberSays) {
    const TemporaryFolder folder;
    const std::string maps = folder.file("maps");
    ASSERT_TRUE(write_maps(planned({{{"folder", maps}}})));
    const std::vector<std::uint16_t> all = samples_of(maps + "/all.gray"), some = samples_of(maps + "/some.gray");
    ASSERT_EQ(all.size(), 5u * 20 * 6);
    ASSERT_EQ(some.size(), 5u * 10 * 3);
    for (std::size_t n = 0; n < 5; n++) {
        const auto level = n == 0 || n == 2 ? 0 : static_cast<float>(10 * n);
        for (std::size_t i = 0; i < 20 * 6; i++)
            EXPECT_EQ(all[n * 20 * 6 + i], static_cast<std::uint16_t>(level * 257)) << n << ", " << i;
        for (std::size_t i = 0; i < 10 * 3; i++)
            EXPECT_EQ(some[n * 10 * 3 + i], static_cast<std::uint16_t>(level / 2 * (65535. / 50))) << n << ", " << i;
    }
    struct stat status {};
    ASSERT_EQ(stat(maps.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07, 0u);
}

TEST(MapFiles, AreWrittenAgainByTheNextRun) {
    const TemporaryFolder folder;
    folder.write("all.gray", std::string(10'000, 'x'));
    ASSERT_TRUE(write_maps(planned({{{"folder", folder.path()}}})));
    EXPECT_EQ(samples_of(folder.file("all.gray")).size(), 5u * 20 * 6);
}

TEST(MapFiles, AreNoneWithoutAFolder) {
    EXPECT_EQ(MapFiles::create(planned({{}}).features[0]).value(), nullptr);
    EXPECT_TRUE(write_maps(planned({{}})));
}

TEST(MapFiles, BelongToOneOptionSet) {
    const TemporaryFolder folder;
    const std::string one = folder.file("one"), other = folder.file("other");
    EXPECT_TRUE(write_maps(planned({{{"folder", one}}, {{"folder", other}, {"other", "true"}}})));
    EXPECT_EQ(samples_of(one + "/all.gray"), samples_of(other + "/all.gray"));
    const Result<void> both = write_maps(planned({{{"folder", one}}, {{"folder", one}, {"other", "true"}}}));
    EXPECT_THAT(both.error().message, AllOf(HasSubstr("one/some.gray"), HasSubstr("a folder of its own")));
}

TEST(MapFiles, EndTheRunWhereTheyCannotBeWritten) {
    const TemporaryFolder folder;
    const Result<void> absent = write_maps(planned({{{"folder", folder.file("a/b")}}}));
    EXPECT_EQ(absent.error().code, ErrorCode::io);
    EXPECT_THAT(absent.error().message, AllOf(HasSubstr("a/b"), HasSubstr("No such file or directory")));
    const Result<void> a_file = write_maps(planned({{{"folder", folder.write("c", "")}}}));
    EXPECT_THAT(a_file.error().message, AllOf(HasSubstr("c/some.gray"), HasSubstr("Not a directory")));
    ASSERT_EQ(symlink("/dev/full", folder.file("all.gray").c_str()), 0);
    const Result<void> full = write_maps(planned({{{"folder", folder.path()}}}));
    EXPECT_EQ(full.error().code, ErrorCode::io);
    EXPECT_THAT(full.error().message, AllOf(HasSubstr("all.gray"), HasSubstr("No space left on device")));
}

TEST(MapFiles, KeepTheirFeatureOnTheCpu) {
    PluginFolder plugins;
    plugins.add("inexact");
    const TemporaryFolder folder;
    const EnginePlan plan = planned({{{"folder", folder.path()}}});
    ExecutionOptions where{.backend = "inexact,cpu", .backend_folders = {plugins.text()}, .threads = 1};
    EXPECT_TRUE(write_maps(plan, where));
    EXPECT_EQ(samples_of(folder.file("all.gray")).size(), 5u * 20 * 6);
    where.backend = "inexact";
    EXPECT_THAT(write_maps(plan, where).error().message, HasSubstr("the values of its maps (folder)"));
}

TEST(RefuseMaps, NamesTheOptionAndTheFolder) {
    EXPECT_TRUE(refuse_maps(asked({{}, {{"other", "true"}}}), "no"));
    const Result<void> refused = refuse_maps(asked({{{"other", "true"}, {"folder", "here"}}}), "a batch has none");
    EXPECT_EQ(refused.error().message, "feature samples cannot write maps to \"here\" (folder): a batch has none");
}

} // namespace
} // namespace isovmaf::testing::map_files_test

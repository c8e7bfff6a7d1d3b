// SPDX-License-Identifier: BSD-2-Clause-Patent
// Units that share a reference: their words are those that they have alone.
#include <filesystem>
#include <memory>

#include <gtest/gtest.h>

#include "base/testing/temporary_folder.hpp"
#include "batch/work/unit_extractor.hpp"

namespace isovmaf::batch::extract_group_test {
namespace {

constexpr int width = 64, height = 48;

std::string y4m(int frames, int seed, int picture_width = width) {
    const auto header =
        "YUV4MPEG2 W" + std::to_string(picture_width) + " H" + std::to_string(height) + " F25:1 C420jpeg\n";
    std::string bytes = header;
    for (int n = 0; n < frames; n++) {
        bytes += "FRAME\n";
        for (int i = 0; i < picture_width * height * 3 / 2; i++)
            bytes += static_cast<char>((i * (7 + n) / 5 + (i / picture_width) * seed + n) & 0xff);
    }
    return bytes;
}

/// A reference of nine frames, and encodes of it in a folder.
class Ladder : public ::testing::Test {
  protected:
    void SetUp() override { write("ref", y4m(9, 0)); }

    std::string path(const std::string &name) const { return folder_.file(name); }
    void write(const std::string &name, const std::string &bytes) const { folder_.write(name, bytes); }

    /// One more unit of the group.
    void add(const std::string &name, const std::string &bytes) {
        write(name, bytes);
        PairJob job;
        job.videos.reference.path = path("ref");
        job.videos.distorted.path = path(name);
        job.scoring = {.models = {ModelRequest{}}, .features = {{"psnr", {}}}};
        job.execution = {.backend = "cpu", .threads = 2};
        units_.push_back(std::make_unique<Unit>(Unit{name, std::move(job)}));
    }
    PairJob &job(std::size_t unit) { return units_[unit]->job; }

    std::vector<UnitExtractor::Request> requests() const {
        std::vector<UnitExtractor::Request> requests;
        for (const auto &unit : units_)
            requests.push_back({unit->key, unit->job, frames, "session", never_, log_});
        return requests;
    }

    /// Extracts every unit alone, and then all side by side. Those of `dropped` are not extracted side by side: their
    /// files are gone when they are asked for, and the words of all others are there nevertheless.
    void expect_same_words(const std::vector<bool> &dropped) {
        StageTimes times;
        UnitExtractor alone, together;
        together.prepare(requests());
        for (std::size_t m = 0; m < units_.size(); m++) {
            SCOPED_TRACE(units_[m]->key);
            const UnitExtractor::Request request = requests()[m];
            const auto expected = alone.extract(request, times);
            std::filesystem::rename(path(units_[m]->key), path("away"));
            const auto words = together.extract(request, times);
            std::filesystem::rename(path("away"), path(units_[m]->key));
            ASSERT_EQ(words.has_value(), !dropped[m]);
            if (!dropped[m]) {
                EXPECT_EQ(encode_words(*words->words), encode_words(*expected->words));
                EXPECT_EQ(words->warnings, expected->warnings);
                EXPECT_EQ(words->pictures, expected->pictures);
                EXPECT_EQ(words->pictures.empty(), frames == FrameRange());
                EXPECT_EQ(words->rate, 25);
            } else if (const auto again = together.extract(request, times); expected && expected->words)
                EXPECT_EQ(encode_words(*again->words), encode_words(*expected->words));
            else
                EXPECT_EQ(again.has_value(), expected.has_value());
        }
    }

    FrameRange frames;

  private:
    struct Unit {
        std::string key;
        PairJob job;
    };

    testing::TemporaryFolder folder_;
    std::vector<std::unique_ptr<Unit>> units_;
    std::function<bool()> never_ = [] { return false; };
    LogSink log_;
};

TEST_F(Ladder, ThreeEncodes) {
    for (int i = 1; i <= 3; i++)
        add("dis" + std::to_string(i), y4m(9, i));
    expect_same_words({false, false, false});
    frames = {4, 7};
    expect_same_words({false, false, false});
    frames = {7, std::nullopt};
    expect_same_words({false, false, false});
}

TEST_F(Ladder, OneEncodeIsExtractedAlone) {
    add("dis", y4m(9, 1));
    expect_same_words({true});
}

TEST_F(Ladder, AnEncodeMayEndEarly) {
    add("one", y4m(1, 1));
    add("long", y4m(12, 2));
    add("four", y4m(4, 3));
    expect_same_words({false, false, false});
    frames = {2, 6};
    expect_same_words({true, false, false}); // the first one has no such frames
}

TEST_F(Ladder, EncodesThatFailDropOut) {
    std::string damaged = y4m(9, 2);
    damaged.replace(damaged.rfind("FRAME"), 5, "FRUME");
    add("dis", y4m(9, 1));
    add("damaged", damaged);
    add("text", "no video");
    add("wide", y4m(9, 3, width + 2));
    add("last", y4m(9, 4));
    expect_same_words({false, true, true, true, false});
}

TEST_F(Ladder, EncodesOfOtherSizesAreScaled) {
    add("dis", y4m(9, 1));
    add("narrow", y4m(9, 2, width / 2));
    for (const std::size_t unit : {0U, 1U})
        job(unit).videos.resize = Resize{};
    expect_same_words({false, false});
}

TEST_F(Ladder, AReferenceThatIsConvertedIsNotShared) {
    add("one", y4m(9, 1));
    add("two", y4m(9, 2));
    for (const std::size_t unit : {0U, 1U}) {
        job(unit).videos.reference.convert_bit_depth = 10;
        job(unit).videos.distorted.convert_bit_depth = 10;
    }
    expect_same_words({false, true}); // the first one is left, and goes on
}

TEST_F(Ladder, AReferenceThatFailsIsLeftToEachUnit) {
    for (const std::string &bytes : {std::string("no video"), y4m(0, 0)}) {
        add("one", y4m(9, 1));
        add("two", y4m(9, 2));
        write("ref", bytes);
        expect_same_words(std::vector<bool>(requests().size(), true));
    }
}

/// Kept for the units behind it: the video that failed says nothing of the device.
TEST_F(Ladder, ADamagedEncodeDoesNotCloseTheDevice) {
    std::string damaged = y4m(9, 2);
    damaged.replace(damaged.rfind("FRAME"), 5, "FRUME");
    add("damaged", damaged);
    add("dis", y4m(9, 1));
    int found = 0;
    UnitExtractor extractor([&](HardwareDecoding, const DeviceHandle &, const LogSink &) {
        found++;
        return Decoding{};
    });
    for (const UnitExtractor::Request &unit : requests()) {
        EXPECT_TRUE(extractor.open_device(unit.job.execution, HardwareDecoding::none, {}));
        StageTimes times;
        const auto extracted = extractor.extract(unit, times);
        EXPECT_EQ(extracted.has_value(), unit.key == "dis");
    }
    EXPECT_EQ(found, 1);
}

TEST(UnitExtractor, APlaceThatCannotBeUsedKeepsTheCodeOfItsDevice) {
    const auto code_of = [](ErrorCode code) {
        UnitExtractor extractor([&](HardwareDecoding, const DeviceHandle &, const LogSink &) {
            return Result<Decoding>(fail(code, "it cannot be had"));
        });
        const Result<void> opened = extractor.open_device({.backend = "cpu"}, HardwareDecoding::cuda, {});
        EXPECT_EQ(opened.error().message, "it cannot be had");
        return opened.error().code;
    };
    for (const ErrorCode code : {ErrorCode::out_of_memory, ErrorCode::device_lost, ErrorCode::device_failed,
                                 ErrorCode::not_executed, ErrorCode::unavailable})
        EXPECT_EQ(code_of(code), code);
    for (const ErrorCode code : {ErrorCode::not_found, ErrorCode::invalid_argument, ErrorCode::unsupported})
        EXPECT_EQ(code_of(code), ErrorCode::unavailable) << "this machine lacks it";
}

TEST(GroupSize, PicturesFitIntoMemory) {
    EXPECT_EQ(most_in_group({.width = 1920, .height = 1080}, {}), 28U);
    EXPECT_EQ(most_in_group({.width = 1920, .height = 1080}, {.reference = 2}), 28U) << "all share the reference";
    EXPECT_EQ(most_in_group({.width = 1920, .height = 1080}, {.distorted = 2}), 26U);
    EXPECT_EQ(most_in_group({.width = 3840, .height = 2160, .bit_depth = 10}, {}), 3U);
    EXPECT_EQ(most_in_group({.width = 32768, .height = 32768}, {}), 1U);
}

TEST(UnitExtractor, OpensADeviceOfTheBackendsThatWereFound) {
    const testing::TemporaryFolder folder;
    const ExecutionOptions wish{.backend = "auto", .backend_folders = {folder.file("none")}};
    EXPECT_FALSE(UnitExtractor().open_device(wish, HardwareDecoding::none, {}));
    const auto none_found = std::make_shared<const std::vector<BackendCandidate>>();
    EXPECT_TRUE(UnitExtractor(decoding_for, none_found).open_device(wish, HardwareDecoding::none, {}));
}

} // namespace
} // namespace isovmaf::batch::extract_group_test

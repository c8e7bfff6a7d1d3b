// SPDX-License-Identifier: BSD-2-Clause-Patent
// Units whose videos a device decodes, on the backend that ISOVMAF_TEST_PLUGIN names, by a pretended decoder.
#include <cstdlib>

#include <gmock/gmock.h>

#include "batch/work/unit_ends.hpp"
#include "batch/work/unit_extractor.hpp"
#include "engine/words/words_file.hpp"
#include "input/libav/frame_indexes.hpp"
#include "input/read_content.hpp"
#include "run/testing/pretended_decoding.hpp"

namespace isovmaf::batch::unit_decoding_test {
namespace {

using namespace isovmaf::testing;
using ::testing::HasSubstr;

constexpr VideoFormat format{.width = 66, .height = 50};
constexpr int frame_count = 36;

class UnitsDecodedByADevice : public ::testing::Test {
  protected:
    void SetUp() override {
        setenv("XDG_CACHE_HOME", folder_.file("cache").c_str(), 1);
        std::vector<AvFrame> reference, distorted;
        for (const FramePair &pair : clip_of(format, frame_count)) {
            reference.push_back(av_frame(pair.reference));
            distorted.push_back(av_frame(pair.distorted));
        }
        if (!write("ref.mkv", reference) || !write("one.mkv", distorted) || !write("two.mkv", reference))
            GTEST_SKIP() << "this libavcodec has no encoder for such video";
    }
    void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

    [[nodiscard]] PairJob job(const char *distorted = "one.mkv") const {
        SessionOptions options = on_device(format);
        options.scoring.models.clear(); // psnr and motion read all that a model reads, and take less time
        PairJob job;
        job.videos.reference.path = folder_.file("ref.mkv");
        job.videos.distorted.path = folder_.file(distorted);
        job.videos.hwaccel = HardwareDecoding::cuda;
        job.scoring = options.scoring;
        job.execution = options.execution;
        return job;
    }

    [[nodiscard]] UnitExtractor::Request request(const PairJob &job, const std::string &key,
                                                 const FrameRange &frames = {}) const {
        return {key, job, frames, "session", never_, log_};
    }

    /// An extractor whose device is open, and decodes where that is wanted.
    [[nodiscard]] UnitExtractor extractor(HardwareDecoding hwaccel) {
        UnitExtractor opened([this](HardwareDecoding wish, const DeviceHandle &device, const LogSink &) {
            return wish == HardwareDecoding::none
                       ? Result<Decoding>(Decoding{})
                       : Decoding{std::make_shared<PretendedDevice>(device, pretence_), true};
        });
        EXPECT_TRUE(opened.open_device(on_device(format).execution, hwaccel, {}));
        return opened;
    }

    /// The words of a unit, and what its pictures say.
    [[nodiscard]] static std::vector<std::byte> words(UnitExtractor &extractor, const UnitExtractor::Request &request) {
        StageTimes times;
        const auto extracted = extractor.extract(request, times);
        EXPECT_TRUE(extracted && extracted->words) << (extracted ? "no words" : extracted.error().message);
        if (!extracted || !extracted->words)
            return {};
        std::vector<std::byte> bytes = encode_words(*extracted->words);
        bytes.insert(bytes.end(), extracted->pictures.begin(), extracted->pictures.end());
        return bytes;
    }

    TemporaryFolder folder_;
    Pretence pretence_;

  private:
    [[nodiscard]] bool write(const char *name, const std::vector<AvFrame> &frames) const {
        return write_videos(folder_.file(name), "matroska", "libx264",
                            {{.frames = &frames, .encoder_options = "g=12,bf=2,preset=fast,crf=20"}});
    }

    std::function<bool()> never_ = [] { return false; };
    LogSink log_;
};

TEST_F(UnitsDecodedByADevice, HaveTheWordsOfSoftware) {
    UnitExtractor software = extractor(HardwareDecoding::none), device = extractor(HardwareDecoding::cuda);
    FrameIndexes indexes([] { return false; });
    for (const FrameRange &frames : {FrameRange{}, FrameRange{0, 14}, FrameRange{14, 30}}) {
        PairJob unit = job();
        if (frames.end)
            unit.videos.indexes = &indexes;
        pretence_.taken = 0;
        EXPECT_EQ(words(device, request(unit, "unit", frames)), words(software, request(unit, "unit", frames)));
        EXPECT_GE(pretence_.taken, 2 * (frames.end.value_or(frame_count) - frames.first - 1));
    }
}

TEST_F(UnitsDecodedByADevice, ShareAReference) {
    UnitExtractor software = extractor(HardwareDecoding::none), device = extractor(HardwareDecoding::cuda);
    const PairJob one = job("one.mkv"), two = job("two.mkv");
    const std::string name_of_one = "one", name_of_two = "two"; // to which requests refer
    const std::vector units{request(one, name_of_one), request(two, name_of_two)};
    (void)words(device, units[0]); // after it nothing is compared
    pretence_.taken = 0;
    device.prepare(units);
    EXPECT_EQ(pretence_.taken, 3 * frame_count);
    for (const UnitExtractor::Request &unit : units) {
        EXPECT_TRUE(device.has_prepared(unit.key));
        EXPECT_EQ(words(device, unit), words(software, unit));
    }
}

TEST_F(UnitsDecodedByADevice, AreHashedThoughTheReaderGoesNoFurtherThanTheFirstFrame) {
    UnitExtractor device = extractor(HardwareDecoding::cuda);
    PairJob unit = job();
    unit.videos.reference.content = std::make_shared<ReadContent>(std::vector<std::string>());
    (void)words(device, request(unit, "unit"));
    EXPECT_GE(pretence_.taken, 2 * frame_count);
}

/// What a device does wrong says nothing of a video: the unit is tried again, by this node or another.
TEST_F(UnitsDecodedByADevice, NoFaultIsPutDownToTheVideo) {
    StageTimes times;
    const PairJob unit = job();
    const auto failure = [&] {
        UnitExtractor device = extractor(HardwareDecoding::cuda);
        const auto extracted = device.extract(request(unit, "unit"), times);
        return extracted ? Error{ErrorCode::internal, "no failure"} : extracted.error();
    };
    pretence_.wrong_from = 0;
    EXPECT_THAT(failure().message, HasSubstr("has other samples when pretended decoder"));
    EXPECT_FALSE(is_permanent(failure().code));
    pretence_.wrong_from = Pretence::never;
    pretence_.surfaces = 20;
    EXPECT_EQ(failure().message, "no decoder surfaces left");
    EXPECT_FALSE(is_permanent(failure().code));
    pretence_.surfaces = -1;
    std::string bytes = read_bytes(unit.videos.distorted.path);
    bytes.replace(bytes.size() * 3 / 4, 200, 200, '\x55');
    folder_.write("one.mkv", bytes);
    EXPECT_THAT(failure().message,
                HasSubstr("a device decoded it: --hwaccel none tells whether the video is at fault"));
    EXPECT_FALSE(is_permanent(failure().code));
    UnitExtractor software = extractor(HardwareDecoding::none);
    const auto damaged = software.extract(request(unit, "unit"), times);
    ASSERT_FALSE(damaged);
    EXPECT_TRUE(is_permanent(damaged.error().code));
}

TEST_F(UnitsDecodedByADevice, OpenTheDeviceAgainAfterItsFault) {
    int found = 0;
    UnitExtractor device([&](HardwareDecoding, const DeviceHandle &handle, const LogSink &) {
        found++;
        return Decoding{std::make_shared<PretendedDevice>(handle, pretence_), true};
    });
    const PairJob unit = job();
    for (const int surfaces : {20, -1}) {
        pretence_.surfaces = surfaces;
        EXPECT_TRUE(device.open_device(unit.execution, HardwareDecoding::cuda, {}));
        StageTimes times;
        const auto extracted = device.extract(request(unit, "unit"), times);
        EXPECT_EQ(extracted.has_value(), surfaces < 0);
    }
    EXPECT_EQ(found, 2);
}

TEST_F(UnitsDecodedByADevice, FailWhereNoDeviceDecodes) {
    UnitExtractor plain;
    const Result<void> opened = plain.open_device({.backend = "cpu"}, HardwareDecoding::cuda, {});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::unavailable);
    EXPECT_THAT(opened.error().message, HasSubstr("--hwaccel cuda cannot be had: the scores are computed on the CPU"));
}

} // namespace
} // namespace isovmaf::batch::unit_decoding_test

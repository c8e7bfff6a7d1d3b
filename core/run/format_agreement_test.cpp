// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/format_agreement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "run/testing/opened_pair.hpp"

namespace isovmaf::format_agreement_test {

namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace testing;

constexpr VideoFormat small{.width = 34, .height = 32};

/// One frame of raw video of 34x32 with more than 8 bits, all of whose samples are 0x101.
VideoSide deep_side(const TemporaryFolder &folder, const std::string &name, Chroma chroma, int bit_depth) {
    const std::string samples(34 * 32 * 2 * (chroma == Chroma::k422 ? 4 : 3) / 2, '\x01');
    return {folder.write(name, samples), VideoFormat{34, 32, chroma, bit_depth}};
}

/// The sample of the first pair's distorted luma at the left top.
int first_sample(const VideoRequest &request) {
    const OpenedVideos videos = value_of(open_videos(request, {}));
    const Frame frame = value_of(videos.pairs->read())->distorted;
    return frame.format().bit_depth == 8 ? *frame.plane(0).row<std::uint8_t>(0) : *frame.plane(0).row<std::uint16_t>(0);
}

TEST(Formats, TheSideWithFewerBitsGetsMore) {
    const TemporaryFolder folder;
    VideoRequest request{.reference = deep_side(folder, "ten.yuv", Chroma::k420, 10),
                         .distorted = {y4m_file(folder, "d.y4m", "C420jpeg")}};
    const Opened raised = open(request);
    EXPECT_EQ(raised.format.bit_depth, 10) << raised.error;
    EXPECT_THAT(raised.conversions, ElementsAre(HasSubstr("bit depth from 8 to 10, samples times 4")));
    EXPECT_THAT(raised.notes, Contains(AllOf(HasSubstr("d.y4m has 8 bits a sample"), HasSubstr("ten.yuv has 10"))));
    EXPECT_THAT(raised.warnings, IsEmpty());
    EXPECT_EQ(first_sample(request), 4 * 0x81);
    request.bits_added = BitsAdded::by_shift;
    EXPECT_EQ(open(request).format.bit_depth, 10);
    EXPECT_THAT(open(request).notes, Not(Contains(HasSubstr("bits a sample"))));
    request.bits_added = BitsAdded::by_range;

    request.distorted.convert_bit_depth = 10;
    EXPECT_THAT(open(request).conversions, ElementsAre(HasSubstr("bit depth from 8 to 10")));
    EXPECT_THAT(open(request).notes, Not(Contains(HasSubstr("bits a sample"))));
    request.distorted.convert_bit_depth = 12; // which the reference gets, too
    EXPECT_EQ(open(request).format.bit_depth, 12);
    EXPECT_THAT(open(request).notes, Contains(HasSubstr("ten.yuv has 10 bits a sample")));
    request.distorted.convert_bit_depth.reset();
    std::swap(request.reference, request.distorted);
    EXPECT_EQ(open(request).format.bit_depth, 10);
    EXPECT_THAT(open(request).notes, Contains(HasSubstr("reference " + request.reference.path + " has 8 bits")));
}

TEST(Formats, BitsOfFullRangeKeepWhatTheyMean) {
    const TemporaryFolder folder;
    const VideoSide full{y4m_file(folder, "full.y4m", "C420jpeg XCOLORRANGE=FULL")};
    const VideoSide limited{y4m_file(folder, "limited.y4m", "C420jpeg XCOLORRANGE=LIMITED")};
    const auto deep = [&](const std::string &range) { // of 10 bit
        const std::string samples(34 * 32 * 3, '\x01');
        return VideoSide{
            folder.write("deep.y4m", "YUV4MPEG2 W34 H32 F25:1 Ip A1:1 C420p10 " + range + "\nFRAME\n" + samples)};
    };
    const int shifted = 4 * 0x81, kept = 518; // 0x81 * 1023 / 255 is 517.5
    EXPECT_EQ(first_sample({.reference = deep("XCOLORRANGE=FULL"), .distorted = full}), kept);
    EXPECT_EQ(first_sample({.reference = deep(""), .distorted = full}), kept);
    EXPECT_EQ(first_sample({.reference = deep("XCOLORRANGE=LIMITED"), .distorted = limited}), shifted);
    EXPECT_EQ(first_sample({.reference = deep(""), .distorted = limited}), shifted);
    // A side that does not say its range is refused unless it has that of the other.
    const VideoSide unspecified{y4m_file(folder, "unspecified.y4m", "C420jpeg")};
    EXPECT_EQ(first_sample({.reference = deep("XCOLORRANGE=FULL"), .distorted = unspecified}), kept);
    EXPECT_EQ(first_sample({.reference = deep(""), .distorted = unspecified}), shifted);

    VideoRequest contradiction{.reference = deep("XCOLORRANGE=LIMITED"), .distorted = full};
    contradiction.colours = ColourPolicy::accept;
    EXPECT_EQ(first_sample(contradiction), shifted);
    contradiction.colours = ColourPolicy::refuse;
    contradiction.distorted.convert_range = true; // after bits were added: 518 * 876 / 1023 + 64 is 507.6
    EXPECT_EQ(first_sample(contradiction), 508);
    contradiction.distorted.convert_bit_depth = 10; // a shift, as it is asked for: 516 * 876 / 1023 + 64 is 505.9
    EXPECT_EQ(first_sample(contradiction), 506);
    VideoRequest shift{.reference = deep("XCOLORRANGE=FULL"), .distorted = full};
    shift.bits_added = BitsAdded::by_shift;
    EXPECT_EQ(first_sample(shift), shifted);
}

TEST(Formats, StrictAddsBitsOnlyWhenAsked) {
    const TemporaryFolder folder;
    VideoRequest request{.reference = deep_side(folder, "ten.yuv", Chroma::k420, 10),
                         .distorted = {y4m_file(folder, "d.y4m", "C420jpeg")}};
    request.pair.strict = true;
    EXPECT_THAT(open(request).error,
                AllOf(HasSubstr("ten.yuv is 34x32 4:2:0 10-bit, distorted"), HasSubstr("d.y4m is 34x32 4:2:0 8-bit"),
                      HasSubstr("with --strict no bits are added"), HasSubstr("; use --convert dis:10 to")));
    request.distorted.convert_bit_depth = 10;
    EXPECT_EQ(open(request).error, "");
    request.distorted.convert_bit_depth = 12;
    EXPECT_THAT(open(request).error, HasSubstr("; use --convert ref:12 to"));
    request.reference.crop = Crop{20, 16, 4, 8};
    EXPECT_THAT(open(request).error,
                AllOf(HasSubstr("ten.yuv is 34x32 4:2:0 10-bit, converted to 20x16 4:2:0 10-bit"),
                      EndsWith("; use --resize dis --convert ref:12, or --resize ref --convert ref:12")));
}

TEST(Formats, WithoutChromaAreComparedInLumaWhenNothingReadsChroma) {
    const TemporaryFolder folder;
    VideoRequest request{.reference = {y4m_file(folder, "r.y4m", "Cmono")},
                         .distorted = {y4m_file(folder, "d.y4m", "")}};
    EXPECT_THAT(open(request).error, HasSubstr("r.y4m is 34x32 4:0:0 8-bit"));
    ScoringOptions scoring{.features = {{.name = "vif"}, {.name = "psnr"}}};
    request.readers = [&](const VideoFormat &format) { return find_readers(scoring, format); };
    EXPECT_THAT(open(request).error, AllOf(HasSubstr("d.y4m is 34x32 4:2:0 8-bit, and psnr would read chroma"),
                                           HasSubstr("; leave it out to compare luma"),
                                           HasSubstr("psnr:enable_chroma=false"), Not(HasSubstr("--convert"))));
    scoring.features[1].options = {{"enable_chroma", "false"}};
    for (const bool swap : {false, true}) {
        if (swap)
            std::swap(request.reference, request.distorted);
        const Opened opened = open(request);
        EXPECT_EQ(opened.error, "");
        EXPECT_EQ(opened.format, (VideoFormat{34, 32, Chroma::k400}));
        EXPECT_THAT(opened.notes, Contains(HasSubstr("luma is compared")));
    }
    request.reference.crop = Crop{8, 8, 0, 0}; // vif refuses it, but not what it is scaled to
    request.resize = Resize{.reference = true};
    EXPECT_EQ(open(request).error, "");
}

/// A 4:2:2 master of 10 bit beside an encode in 4:2:0 of 8 bit.
TEST(Formats, WithDifferentChromaAreComparedInLumaOrConverted) {
    const TemporaryFolder folder;
    VideoRequest request{.reference = deep_side(folder, "master.yuv", Chroma::k422, 10),
                         .distorted = {y4m_file(folder, "d.y4m", "C420mpeg2")}};
    ScoringOptions scoring{.features = {{.name = "vif"}}};
    request.readers = [&](const VideoFormat &format) { return find_readers(scoring, format); };
    for (const bool swap : {false, true}) {
        if (swap)
            std::swap(request.reference, request.distorted);
        const Opened luma = open(request);
        EXPECT_EQ(luma.error, "");
        EXPECT_EQ(luma.format, (VideoFormat{34, 32, Chroma::k400, 10}));
        EXPECT_THAT(luma.notes, Contains(HasSubstr("d.y4m has 8 bits a sample")));
        EXPECT_THAT(luma.notes, Contains(AllOf(HasSubstr("master.yuv has chroma (4:2:2)"),
                                               HasSubstr("d.y4m has chroma (4:2:0)"), HasSubstr("luma is compared"))));
    }
    std::swap(request.reference, request.distorted);
    scoring.features.push_back({.name = "psnr"});
    EXPECT_THAT(
        open(request).error,
        AllOf(HasSubstr("master.yuv is 34x32 4:2:2 10-bit, distorted"),
              HasSubstr("d.y4m is 34x32 4:2:0 8-bit, and psnr would read chroma"),
              HasSubstr("use --feature psnr:enable_chroma=false in its place"),
              EndsWith("use --convert ref:420p10 or --convert dis:422p10 to give both the same format, or --fit to let "
                       "isovmaf choose and say what it did")));
    request.pair.strict = true;
    EXPECT_THAT(open(request).error,
                AllOf(HasSubstr("leave it out and give --convert dis:10"),
                      HasSubstr("use --convert dis:10 --feature psnr:enable_chroma=false"),
                      HasSubstr("use --convert ref:420p10 --convert dis:10 or --convert dis:422p10 to give both")));
    request.pair.strict = false;
    request.distorted.convert_format = SampleFormat{Chroma::k422, 10};
    const Opened raised = open(request);
    EXPECT_EQ(raised.format, (VideoFormat{34, 32, Chroma::k422, 10})) << raised.error;
    EXPECT_THAT(raised.conversions,
                ElementsAre(HasSubstr("bit depth from 8 to 10"), HasSubstr("420p10 to 422p10 by libswscale")));
    EXPECT_THAT(raised.notes, Not(Contains(HasSubstr("bits a sample"))));
    request.reference.convert_format = SampleFormat{Chroma::k420, 8};
    request.distorted.convert_format.reset();
    EXPECT_EQ(open(request).format, small);
}

TEST(Formats, OfAModelThatReadsChromaAreConverted) {
    const TemporaryFolder folder;
    VideoRequest request{.reference = deep_side(folder, "master.yuv", Chroma::k422, 10),
                         .distorted = {y4m_file(folder, "d.y4m", "C420mpeg2")}};
    FormatReaders readers{.chroma = {"speed_chroma"}, .models_read_chroma = true, .others = true};
    request.readers = [&](const VideoFormat &) { return readers; };
    EXPECT_THAT(open(request).error,
                EndsWith("and speed_chroma would read chroma; use --convert ref:420p10 or --convert dis:422p10 to give "
                         "both the same format, or --fit to let isovmaf choose and say what it did"));
    request.reference.crop = Crop{20, 16, 4, 8};
    EXPECT_THAT(open(request).error, EndsWith("; use --resize dis --convert ref:420p10 or --resize dis --convert "
                                              "dis:422p10 to give both the same format, or --fit to let isovmaf "
                                              "choose and say what it did"));
    request.reference = {y4m_file(folder, "r.y4m", "Cmono")};
    EXPECT_THAT(open(request).error, EndsWith("; take a model that reads luma alone, such as -m version=vmaf_v0.6.1, "
                                              "and no feature that reads chroma, to compare luma"));
    readers = {.chroma = {"ciede"}};
    EXPECT_THAT(open(request).error, EndsWith("and ciede would read chroma; ask for features that read luma alone"));
}

TEST(Formats, AddedBitsThatAFeatureTakesForThoseOfTheEncoderAreNoted) {
    const TemporaryFolder folder;
    VideoRequest request{.reference = deep_side(folder, "ten.yuv", Chroma::k420, 10),
                         .distorted = {y4m_file(folder, "d.y4m", "C420jpeg")}};
    request.readers = [](const VideoFormat &format) {
        FormatReaders readers;
        if (format.bit_depth < 10)
            readers.depth_options = {{"cambi", "enc_bitdepth"}};
        return readers;
    };
    EXPECT_THAT(open(request).notes, Contains(HasSubstr("cambi.enc_bitdepth=8")));
    std::swap(request.reference, request.distorted);
    EXPECT_THAT(open(request).notes, Not(Contains(HasSubstr("cambi"))));
    request.reference = deep_side(folder, "nine.yuv", Chroma::k420, 12);
    EXPECT_THAT(open(request).notes, Not(Contains(HasSubstr("cambi")))) << "10 bits of the encoder are as 12";
}

} // namespace

} // namespace isovmaf::format_agreement_test

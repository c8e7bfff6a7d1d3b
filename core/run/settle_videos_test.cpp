// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/settle_videos.hpp"

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "run/testing/opened_pair.hpp"

namespace isovmaf::settle_videos_test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace testing;

std::vector<std::string> options_of(const VideoRequest &settled) {
    std::vector<std::string> options;
    for (const SettledOption &option : settled.settled)
        if (!option.name.empty())
            options.push_back("--" + option.name + " " + option.value);
    return options;
}

std::vector<std::string> settle(const VideoRequest &request) {
    const Result<VideoRequest> settled = settle_videos(request);
    if (!settled)
        return {settled.error().message};
    EXPECT_TRUE(is_settled(*settled));
    return options_of(*settled);
}

/// Files of 34x32, of which the distorted one is cropped to another size where a test wants that.
class Fit : public ::testing::Test {
  protected:
    Fit() {
        request_.reference = {y4m_file(folder_, "r.y4m", "C420jpeg XCOLORRANGE=FULL")};
        request_.distorted = {y4m_file(folder_, "d.y4m", "C420jpeg XCOLORRANGE=LIMITED")};
        request_.fit = true;
        request_.readers = [this](const VideoFormat &) { return readers_; };
    }

    void crop_distorted() { request_.distorted.crop = Crop{20, 16, 4, 8}; }

    std::string deep_master() { // 4:2:2 of 10 bit
        return folder_.write("master.y4m",
                             "YUV4MPEG2 W34 H32 F25:1 Ip A1:1 C422p10\nFRAME\n" + std::string(34 * 32 * 2 * 2, '\x01'));
    }

    TemporaryFolder folder_;
    FormatReaders readers_ = {};
    VideoRequest request_;
};

TEST_F(Fit, StepsStandInTheOrderInWhichTheyAreMade) {
    readers_.chroma = {"psnr"};
    request_.reference = {deep_master()};
    request_.distorted = {y4m_file(folder_, "d.y4m", "C420jpeg")};
    crop_distorted();
    EXPECT_THAT(settle(request_), ElementsAre("--convert ref:420p10", "--resize dis:bicubic+exact"));
    const VideoRequest settled = value_of(settle_videos(request_));
    EXPECT_THAT(settled_text(settled.settled.front()),
                AllOf(HasSubstr("--fit: reference "), HasSubstr("master.y4m has 4:2:2, distorted "),
                      HasSubstr("d.y4m has 4:2:0, and psnr would read chroma: --convert ref:420p10")));
    EXPECT_THAT(settled_text(settled.settled.back()), HasSubstr("has 34x32, distorted "));
    // Whoever opens the pair decides the same.
    EXPECT_THAT(open(request_).notes,
                ::testing::IsSupersetOf({settled_text(settled.settled.front()), settled_text(settled.settled.back())}));
    EXPECT_EQ(open(request_).format, (VideoFormat{34, 32, Chroma::k420, 10}));
    EXPECT_EQ(open(settled).conversions, open(request_).conversions);
}

TEST_F(Fit, ChromaThatNobodyReadsStays) {
    request_.reference = {deep_master()};
    request_.distorted = {y4m_file(folder_, "d.y4m", "C420jpeg")};
    EXPECT_THAT(settle(request_), IsEmpty());
    EXPECT_EQ(open(request_).format.chroma, Chroma::k400);
    EXPECT_THAT(open(request_).notes, Contains("--fit: the two videos can be compared as they are"));
    readers_.chroma = {"psnr"};
    request_.distorted = {y4m_file(folder_, "grey.y4m", "Cmono")};
    EXPECT_THAT(settle(request_), IsEmpty()); // luma alone gets no chroma
    request_.distorted = {y4m_file(folder_, "full.y4m", "C420jpeg XCOLORRANGE=FULL")};
    EXPECT_THAT(settle(request_), ElementsAre("--convert ref:420p10")) << "the range of the master is not stated";
    std::swap(request_.reference, request_.distorted);
    EXPECT_THAT(settle(request_), ElementsAre("--convert dis:420p10"));
}

TEST_F(Fit, BitsOfFullRangeAreNotShifted) {
    readers_.chroma = {"psnr"};
    request_.reference = {folder_.write("r.y4m", "YUV4MPEG2 W34 H32 F25:1 Ip A1:1 C422 XCOLORRANGE=FULL\nFRAME\n" +
                                                     std::string(34 * 32 * 2, '\x81'))};
    request_.distorted = {folder_.write("d.y4m", "YUV4MPEG2 W34 H32 F25:1 Ip A1:1 C420p10 XCOLORRANGE=FULL\nFRAME\n" +
                                                     std::string(34 * 32 * 3, '\x01'))};
    EXPECT_THAT(settle(request_), ElementsAre("--convert ref:420p8"));
    EXPECT_EQ(open(request_).format.bit_depth, 10);
}

TEST_F(Fit, OptionsByHandComeFirst) {
    crop_distorted();
    EXPECT_THAT(settle(request_), ElementsAre("--convert dis:range", "--resize dis:bicubic+exact"));
    request_.resize = Resize{.reference = true, .flags = "bilinear"};
    EXPECT_THAT(settle(request_), ElementsAre("--convert dis:range"));
    EXPECT_EQ(value_of(settle_videos(request_)).resize->flags, "bilinear");
    request_.reference.convert_range = true;
    EXPECT_THAT(settle(request_), IsEmpty());
    request_.reference.convert_range = false;
    request_.colours = ColourPolicy::accept;
    EXPECT_THAT(settle(request_), IsEmpty());

    readers_.chroma = {"psnr"};
    request_.colours = ColourPolicy::refuse;
    request_.reference = {deep_master()};
    request_.reference.convert_format = SampleFormat{Chroma::k444, 10};
    EXPECT_THAT(settle(request_), Not(Contains(HasSubstr("420p"))));
    request_.reference.convert_format = SampleFormat{Chroma::k420, 8};
    EXPECT_THAT(settle(request_), Not(Contains(HasSubstr("420p"))));
}

TEST_F(Fit, ARangeThatOneSideDoesNotStateIsLeftToThePictures) {
    request_.distorted = {y4m_file(folder_, "d.y4m", "C420jpeg")};
    EXPECT_THAT(settle(request_), IsEmpty());
    std::swap(request_.reference, request_.distorted);
    EXPECT_THAT(settle(request_), IsEmpty());
}

TEST_F(Fit, IsNamedWhereItWouldHelp) {
    request_.fit = false;
    EXPECT_THAT(open(request_).error, HasSubstr("--fit to let isovmaf choose"));
    request_.distorted = request_.reference;
    crop_distorted();
    EXPECT_THAT(open(request_).error, HasSubstr(", or --fit to let isovmaf choose and say what it did"));
    readers_.chroma = {"psnr"};
    request_.distorted = {y4m_file(folder_, "grey.y4m", "Cmono XCOLORRANGE=FULL")};
    for (const bool fit : {false, true}) { // which does not help
        request_.fit = fit;
        EXPECT_THAT(open(request_).error, AllOf(HasSubstr("psnr would read chroma"), Not(HasSubstr("--fit"))));
    }
}

TEST_F(Fit, WhatCanBeReadOnceIsRefused) {
    request_.distorted.path = folder_.file("pipe");
    ASSERT_EQ(mkfifo(request_.distorted.path.c_str(), 0600), 0);
    EXPECT_THAT(settle(request_), ElementsAre(AllOf(HasSubstr("--fit looks at both videos before they are scored"),
                                                    HasSubstr("pipe can be read once: give files"))));
    request_.fit = false;
    request_.find_offset = 10;
    request_.distorted.path = "-";
    EXPECT_THAT(settle(request_), ElementsAre(AllOf(HasSubstr("--offset auto looks at both videos"),
                                                    HasSubstr("standard input can be read once"))));
}

TEST_F(Fit, HeadersAloneTellNoOffset) {
    crop_distorted();
    request_.find_offset = 10;
    const VideoRequest settled = value_of(settle_videos(request_, SettledBy::headers));
    EXPECT_TRUE(is_settled(settled));
    EXPECT_THAT(options_of(settled), ElementsAre("--convert dis:range", "--resize dis:bicubic+exact"));
}

} // namespace
} // namespace isovmaf::settle_videos_test

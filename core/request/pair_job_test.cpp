// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/pair_job.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf::pair_job_test {
namespace {

using ::testing::ElementsAre;
using Texts = std::map<std::string, std::vector<std::string>>;

std::string error_of(const Texts &texts) {
    const Result<RequestArguments> arguments = read_request_options(texts);
    return arguments ? "" : arguments.error().message;
}

TEST(RequestOptions, TextsBecomeValuesOfEveryKind) {
    const Result<RequestArguments> arguments = read_request_options({{"width", {"640"}},
                                                                     {"pixel_format", {"422"}},
                                                                     {"frame_skip_dis", {"7"}},
                                                                     {"frame_cnt", {"5000000000"}},
                                                                     {"offset", {"-3"}},
                                                                     {"sync-tolerance", {"0.25"}},
                                                                     {"as-is", {"true"}},
                                                                     {"strict", {"off"}},
                                                                     {"subsample", {"+2"}},
                                                                     {"resize", {"dis:lanczos"}},
                                                                     {"feature", {"psnr", "vif"}}});
    ASSERT_TRUE(arguments) << arguments.error().message;
    EXPECT_EQ(arguments->width, 640);
    EXPECT_EQ(arguments->pixel_format, "422");
    EXPECT_EQ(arguments->skip_distorted, 7);
    EXPECT_EQ(arguments->frame_count, 5'000'000'000);
    EXPECT_EQ(arguments->offset, NumberOrAuto{-3});
    EXPECT_EQ(arguments->sync_tolerance, 0.25);
    EXPECT_TRUE(arguments->as_is);
    EXPECT_FALSE(arguments->strict);
    EXPECT_EQ(arguments->subsample, 2);
    EXPECT_EQ(arguments->resize, "dis:lanczos");
    EXPECT_THAT(arguments->features, ElementsAre("psnr", "vif"));
    EXPECT_EQ(arguments->height, std::nullopt);
    EXPECT_EQ(arguments->sync, "auto");
}

TEST(RequestOptions, AnErrorNamesTheOptionAndWhatItTakes) {
    EXPECT_EQ(error_of({{"bitdepth", {"17"}}}), "--bitdepth takes a whole number from 8 to 16, not \"17\"");
    EXPECT_EQ(error_of({{"subsample", {"0"}}}), "--subsample takes a whole number of 1 or more, not \"0\"");
    EXPECT_EQ(error_of({{"subsample", {"4294967297"}}}),
              "--subsample takes a whole number of 1 or more, not \"4294967297\"");
    EXPECT_EQ(error_of({{"frame_skip_ref", {""}}}), "--frame_skip_ref takes a whole number of 0 or more, not \"\"");
    EXPECT_EQ(error_of({{"sync-tolerance", {"nan"}}}), "--sync-tolerance takes a number from 0 to 3600, not \"nan\"");
    EXPECT_EQ(error_of({{"pixel_format", {"411"}}}), "--pixel_format takes one of 400, 420, 422, 444, not \"411\"");
    EXPECT_EQ(error_of({{"offset", {"soon"}}}),
              "--offset takes auto, or a whole number from -1000000000 to 1000000000, not \"soon\"");
    EXPECT_EQ(error_of({{"strict", {"maybe"}}}), "--strict takes true or false, not \"maybe\"");
    EXPECT_EQ(error_of({{"feature", {"psnr"}}, {"sharpness", {"1"}}}), "there is no option --sharpness");
}

TEST(RequestOptions, TheFirstWrongOptionIsNamedInTheOrderOfTheHelp) {
    EXPECT_THAT(error_of({{"compat", {"x"}}, {"width", {"x"}}}), ::testing::HasSubstr("--width"));
}

TEST(RequestOptions, NamesAreDistinct) {
    std::set<std::string> names, lists;
    for (const RequestOptionName &option : request_option_names()) {
        EXPECT_TRUE(names.insert(option.name).second) << option.name;
        if (option.is_list)
            lists.insert(option.name);
    }
    EXPECT_THAT(lists, ElementsAre("convert", "crop", "feature", "model", "model_dir"));
    EXPECT_TRUE(names.contains("frame_skip_dis"));
    EXPECT_FALSE(names.contains("frame_skip_dist")); // another name of the same option
}

TEST(RequestOptions, ConversionsBelongToASide) {
    RequestArguments arguments =
        read_request_options({{"convert", {"ref:420p8", "ref:rotate", "dis:422p10", "dis:12", "dis:range"}},
                              {"resize", {"dis:lanczos+exact"}}})
            .value();
    arguments.reference = "a.y4m";
    arguments.distorted = "b.y4m";
    const Result<PairJob> job = parse_request(arguments);
    ASSERT_TRUE(job) << job.error().message;
    const VideoSide &reference = job->videos.reference, &distorted = job->videos.distorted;
    EXPECT_EQ(reference.convert_format, (SampleFormat{Chroma::k420, 8}));
    EXPECT_TRUE(reference.rotate && !distorted.rotate);
    EXPECT_EQ(distorted.convert_format, (SampleFormat{Chroma::k422, 10}));
    EXPECT_EQ(distorted.convert_bit_depth, 12);
    EXPECT_TRUE(distorted.convert_range && !reference.convert_range);
    EXPECT_EQ(job->videos.resize->flags, "lanczos+accurate_rnd+bitexact");
    for (const char *wrong :
         {"dis:420p7", "dis:411p8", "dis:420p", "dis:420x8", "420p7", "dis:rotated", "ref:7", "range", "bt709", "7"}) {
        arguments.conversions = {wrong};
        EXPECT_THAT(parse_request(arguments).error().message, ::testing::HasSubstr("a chroma and depth such as 420p8"))
            << wrong;
    }
}

TEST(RequestOptions, ConversionsWithoutASideAreThoseOfBothVideos) {
    for (const char *text : {"420p10", "12", "rotate", "400"}) {
        RequestArguments arguments = read_request_options({{"convert", {text, "dis:444"}}}).value();
        arguments.reference = "a.y4m";
        arguments.distorted = "b.y4m";
        const Result<PairJob> job = parse_request(arguments);
        ASSERT_TRUE(job) << job.error().message;
        const VideoSide &reference = job->videos.reference, &distorted = job->videos.distorted;
        EXPECT_EQ(distorted.convert_format, (SampleFormat{Chroma::k444, 8})) << "the last one counts";
        EXPECT_EQ(reference.convert_format,
                  text == std::string_view("420p10") ? std::optional(SampleFormat{Chroma::k420, 10})
                  : text == std::string_view("400")  ? std::optional(SampleFormat{Chroma::k400, 8})
                                                     : std::nullopt);
        EXPECT_EQ(reference.convert_bit_depth, text == std::string_view("12") ? std::optional(12) : std::nullopt);
        EXPECT_EQ(distorted.convert_bit_depth, reference.convert_bit_depth);
        EXPECT_EQ(reference.rotate, text == std::string_view("rotate"));
        EXPECT_EQ(distorted.rotate, reference.rotate);
    }
}

TEST(RequestOptions, WhatNeedNotBeSaidIsLeftOut) {
    std::map<std::string, std::vector<std::string>> texts{{"film-grain", {"on"}}, {"sync", {"auto"}}};
    EXPECT_EQ(parse_videos(read_request_options(texts).value())->film_grain, true);
    leave_out_unsaid(texts);
    EXPECT_EQ(texts.size(), 1U);
    texts["film-grain"] = {"off"};
    leave_out_unsaid(texts);
    EXPECT_EQ(texts.size(), 2U);
    EXPECT_EQ(parse_videos(read_request_options(texts).value())->film_grain, false);
    EXPECT_THAT(error_of({{"film-grain", {"true"}}}), ::testing::HasSubstr("--film-grain takes one of on, off"));
}

TEST(RequestOptions, AJobHasTheVideosAndWhatIsScored) {
    RequestArguments arguments = read_request_options({{"offset", {"2"}}, {"feature", {"psnr"}}}).value();
    arguments.reference = "a.y4m";
    arguments.distorted = "b.y4m";
    const Result<PairJob> job = parse_request(arguments);
    ASSERT_TRUE(job) << job.error().message;
    EXPECT_EQ(job->videos.reference.path, "a.y4m");
    EXPECT_EQ(job->videos.pair.skip_distorted, 2);
    EXPECT_EQ(job->scoring.models.size(), 1U);
    EXPECT_TRUE(job->videos.predicts);
    arguments.no_prediction = true;
    EXPECT_FALSE(parse_request(arguments)->videos.predicts);
}

} // namespace
} // namespace isovmaf::pair_job_test

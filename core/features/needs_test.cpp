// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/needs.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "features/feature.hpp"
#include "features/frame_window.hpp"
#include "features/registry.hpp"
#include "features/testing/path_runner.hpp"
#include "frame/validate.hpp"

namespace isovmaf::needs_test {
namespace {

using testing::hard_clip_within_depth;

std::string refusal(const FeatureNeeds &needs, const VideoFormat &format) {
    const Result<void> checked = check_needs(needs, "feature x", format);
    return checked ? "" : checked.error().message;
}

TEST(BitDepths, AreASet) {
    const BitDepths some = BitDepths::of({8, 10, 12, 16});
    for (int depth = 0; depth <= 20; depth++) {
        EXPECT_EQ(some.contains(depth), depth == 8 || depth == 10 || depth == 12 || depth == 16) << depth;
        EXPECT_EQ(BitDepths().contains(depth), depth >= 8 && depth <= 16) << depth;
        EXPECT_EQ(BitDepths::up_to(12).contains(depth), depth >= 8 && depth <= 12) << depth;
    }
    EXPECT_EQ(some.text(), "8, 10, 12 and 16");
    EXPECT_EQ(BitDepths::up_to(12).text(), "8 to 12");
    EXPECT_EQ(BitDepths::of({8, 9}).text(), "8 and 9");
    EXPECT_EQ(BitDepths::of({10}).text(), "10");
}

TEST(Needs, AreSaidWithWhatWasFound) {
    const FeatureNeeds needs{
        .width = 4, .height = 6, .longer_side = 20, .depths = BitDepths::of({8, 10}), .chroma = true};
    EXPECT_EQ(refusal(needs, {.width = 4, .height = 20}), "");
    EXPECT_EQ(refusal(needs, {.width = 20, .height = 6, .bit_depth = 10}), "");
    EXPECT_EQ(refusal(needs, {.width = 20, .height = 6, .bit_depth = 9}),
              "feature x is defined at 8 and 10 bit, but the video has 9 bit");
    EXPECT_EQ(refusal(needs, {.width = 20, .height = 6, .chroma = Chroma::k400}),
              "feature x reads chroma, but the video is 4:0:0, which has none");
    for (const auto &[width, height] : {std::pair{3, 20}, {20, 5}})
        EXPECT_EQ(refusal(needs, {.width = width, .height = height}),
                  "feature x needs pictures of at least 4x6, but the video is " + std::to_string(width) + "x" +
                      std::to_string(height));
    EXPECT_EQ(refusal(needs, {.width = 19, .height = 19}),
              "feature x needs pictures with a side of at least 20, but the video is 19x19");
    EXPECT_EQ(refusal({.width = 2, .advice = "set y"}, {.width = 1, .height = 1}),
              "feature x needs pictures of at least 2x1, but the video is 1x1: set y");
    EXPECT_EQ(refusal({.refusal = "z is no w"}, {.width = 1, .height = 1}), "feature x: z is no w");
}

/// A feature with blocks that grow with the picture, which has to be larger than one.
FeatureNeeds needs_of_blocks(const VideoFormat &format, const OptionSet &) {
    const int block = format.width * format.height / 256;
    return {.width = block + 1, .height = block + 1, .shape = "no side 256 times as long as the other"};
}

TEST(Needs, MayDependOnTheSize) {
    const FeatureDescriptor blocks{
        .name = "blocks", .summary = "", .options = {}, .outputs = {}, .needs = needs_of_blocks};
    const OptionSet none;
    EXPECT_EQ(smallest_picture(blocks, none), SmallestPicture());
    EXPECT_EQ(needs_text(blocks), "reads luma, from 1x1, no side 256 times as long as the other, at 8 to 16 bit");
    for (const auto &[width, height, taken] : {std::tuple{1, 255, true},
                                               {1, 256, false},
                                               {2, 255, true},
                                               {2, 256, false},
                                               {256, 2, false},
                                               {16, 16, true},
                                               {1, 1, true}}) {
        const VideoFormat format{.width = width, .height = height};
        EXPECT_EQ(has_needed_shape(blocks, format, none), taken) << format_text(format);
        const Result<void> checked = check_needs(blocks, format, none);
        EXPECT_EQ(checked.has_value(), taken) << format_text(format);
        EXPECT_EQ(checked ? "" : checked.error().message,
                  taken
                      ? ""
                      : "feature blocks needs pictures with no side 256 times as long as the other, but the video is " +
                            std::to_string(width) + "x" + std::to_string(height));
    }
    EXPECT_TRUE(
        has_needed_shape(*find_feature("adm"), {.width = 1, .height = 1}, OptionSet(find_feature("adm")->options)))
        << "it needs no shape";
}

/// Every option set that isovmaf diff compares: the defaults, the fallback, and those beside them.
std::vector<OptionSet> option_sets_of(const FeatureDescriptor &feature) {
    std::vector<std::string_view> texts{"", feature.fallback_options};
    texts.insert(texts.end(), feature.compared_options.begin(), feature.compared_options.end());
    std::vector<OptionSet> sets;
    for (const std::string_view text : texts) {
        const FeatureRequest request = value_of(FeatureRequest::parse(request_text(feature, text)));
        sets.push_back(value_of(OptionSet::parse(feature.name, feature.options, request.options)));
    }
    return sets;
}

/// The video, larger or smaller by some columns and rows.
VideoFormat resized(VideoFormat format, int columns, int rows) {
    format.width += columns;
    format.height += rows;
    return format;
}

/// Calls `visit(feature, options, format)` for each option set, chroma format and bit depth, with pictures of the
/// smallest size. `format` may lack other needs.
template <class Visit>
void at_every_border(const Visit &visit) {
    for (const FeatureDescriptor *feature : all_features())
        for (const OptionSet &options : option_sets_of(*feature))
            for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
                for (int depth = BitDepths::least; depth <= BitDepths::greatest; depth++) {
                    VideoFormat format{.chroma = chroma, .bit_depth = depth};
                    const FeatureNeeds needs = needs_of(*feature, format, options);
                    format.width = std::max(needs.width, needs.longer_side);
                    format.height = needs.height;
                    SCOPED_TRACE(std::string(feature->name) + ":" + options.text() + ", " + format_text(format));
                    visit(*feature, options, format);
                }
}

TEST(Needs, HoldAtEveryBorder) {
    int taken = 0, refused = 0;
    at_every_border([&](const FeatureDescriptor &feature, const OptionSet &options, const VideoFormat &format) {
        const FeatureNeeds needs = needs_of(feature, format, options);
        const auto takes = [&](const VideoFormat &other) { return check_needs(feature, other, options).has_value(); };
        const bool defined =
            needs.depths.contains(format.bit_depth) && (!needs.chroma || format.chroma != Chroma::k400);
        ASSERT_EQ(takes(format), defined && needs.refusal.empty());
        (defined ? taken : refused)++;
        if (!defined)
            return;
        const VideoFormat larger = resized(format, 1, 1); // which may be too small again, when a step is rounded down
        EXPECT_EQ(takes(larger), needs_of(feature, larger, options).refusal.empty());
        EXPECT_FALSE(takes(resized(format, -1, 0)));
        EXPECT_FALSE(takes(resized(format, 0, -1)));
        const VideoFormat tall = resized(format, needs.width - format.width, needs.longer_side - format.height);
        if (needs.longer_side > needs.height) {
            EXPECT_TRUE(takes(tall));
            EXPECT_FALSE(takes(resized(tall, 0, -1)));
        }
    });
    EXPECT_GT(taken, 100);
    EXPECT_GT(refused, 10);
}

/// Extracts hard pictures in the smallest size, by every way through the code: few of them where that size is large,
/// and with one chroma format where luma alone is read.
TEST(Needs, SmallestPicturesAreExtracted) {
    at_every_border([](const FeatureDescriptor &feature, const OptionSet &options, const VideoFormat &format) {
        const bool luma_alone = needs_of(feature, format, options).planes == PlaneUse::luma;
        const bool tested = format.chroma == Chroma::k420 ? format.bit_depth == 8 || format.bit_depth == 12
                                                          : format.bit_depth == 8 && !luma_alone;
        if (!check_needs(feature, format, options) || !tested)
            return;
        std::vector<FramePair> clip = hard_clip_within_depth(format, 1);
        if (std::max(format.width, format.height) > testing::narrow_width)
            clip.resize(testing::needed_pictures);
        testing::expect_definition(feature.name, {options.changed()}, clip);
    });
}

} // namespace
} // namespace isovmaf::needs_test

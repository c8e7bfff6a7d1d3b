// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/locate.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/registry.hpp"

namespace isovmaf::diff::shrink_test {
namespace {

const VideoFormat noise_format{.width = 131, .height = 67, .chroma = Chroma::k420, .bit_depth = 10};

OptionSet option_set(std::string_view feature, const OptionTexts &texts) {
    return OptionSet::parse(feature, find_feature(feature)->options, texts).value();
}

FeatureCase noise_case(std::string_view feature, const VideoFormat &format, std::uint32_t frames = 1) {
    FeatureCase c{find_feature(feature), {option_set(feature, {})}, Semantics::libvmaf_3_2, {}};
    for (std::uint32_t seed = 0; seed < frames; seed++)
        c.frames.push_back(noise_pair(format, seed));
    return c;
}

/// The luma sample of the last reference.
std::uint32_t luma(const FeatureCase &c, int x, int y) {
    const Plane &plane = c.frames.back().reference.plane(0);
    return c.format().bytes_per_sample() == 1 ? plane.row<std::uint8_t>(y)[x] : plane.row<std::uint16_t>(y)[x];
}

std::uint32_t or_of_samples(const FeatureCase &c) {
    std::uint32_t bits = 0;
    for (int y = 0; y < c.format().height; y++)
        for (int x = 0; x < c.format().width; x++)
            bits |= luma(c, x, y);
    return bits;
}

bool has_sample(const FeatureCase &c, std::uint32_t value) {
    for (int y = 0; y < c.format().height; y++)
        for (int x = 0; x < c.format().width; x++)
            if (luma(c, x, y) == value)
                return true;
    return false;
}

/// Black, but for one sample.
FeatureCase one_pixel(std::string_view feature, const VideoFormat &format, int left, int top, std::uint32_t value) {
    FeatureCase c = noise_case(feature, format);
    const Frame reference = painted_frame(format, default_poison, [&](int plane, int x, int y) {
        return plane == 0 && x == left && y == top ? value : 0;
    });
    c.frames = {{reference, constant_frame(format, 0)}};
    return c;
}

/// That what is left is the case, reduced as told.
void expect_reduced(const SmallCase &small, const FeatureCase &whole) {
    EXPECT_EQ(small.reduction.skip, 0);
    EXPECT_FALSE(small.reduction.count);
    if (small.reduction.crop) {
        EXPECT_TRUE(check_crop(whole.format(), *small.reduction.crop));
    }
    FeatureCase again = whole;
    again.frames.erase(again.frames.begin(), again.frames.begin() + static_cast<std::ptrdiff_t>(small.dropped_frames));
    again = reduce(again, small.reduction);
    ASSERT_EQ(again.frames.size(), small.smallest.frames.size());
    ASSERT_EQ(again.format(), small.smallest.format());
    for (int y = 0; y < again.format().height; y++)
        for (int x = 0; x < again.format().width; x++)
            ASSERT_EQ(luma(again, x, y), luma(small.smallest, x, y));
}

/// Where the crop of a fault at one pixel has to end: as small as the feature and whole chroma samples permit.
void expect_smallest_around(const SmallCase &small, const FeatureCase &whole, int x, int y) {
    const VideoFormat &format = whole.format();
    const Crop crop = small.reduction.crop.value_or(Crop{format.width, format.height, 0, 0});
    EXPECT_TRUE(crop.left <= x && x < crop.left + crop.width && crop.top <= y && y < crop.top + crop.height);
    const FeatureNeeds least = needs_of(*whole.feature, format, whole.option_sets.front());
    const int unit_x = 1 << format.chroma_shift_x(), unit_y = 1 << format.chroma_shift_y();
    EXPECT_GE(crop.width, least.width);
    EXPECT_GE(crop.height, least.height);
    EXPECT_LT(crop.width, least.width + unit_x) << x << ", " << y;
    EXPECT_LT(crop.height, least.height + unit_y) << x << ", " << y;
}

TEST(Shrink, FindsThePixelWhereverItIs) {
    for (const char *const feature : {"psnr", "motion", "vif", "adm"})
        for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
            for (const int x : {0, 1, 63, 64, 100, 129, 130})
                for (const int y : {0, 33, 65, 66}) {
                    VideoFormat format = noise_format;
                    format.chroma = chroma;
                    const FeatureCase whole = one_pixel(feature, format, x, y, 0x201);
                    const SmallCase small = shrink(whole, [](const FeatureCase &c) { return has_sample(c, 0x201); });
                    expect_reduced(small, whole);
                    expect_smallest_around(small, whole, x, y);
                    EXPECT_TRUE(has_sample(small.smallest, 0x201));
                    EXPECT_EQ(small.reduction.keep_bits, 0x201U);
                }
}

TEST(Shrink, KeepsBothOfTwoPixels) {
    FeatureCase whole = one_pixel("psnr", noise_format, 40, 20, 1);
    whole.frames[0].reference = painted_frame(noise_format, default_poison, [](int plane, int x, int y) {
        return plane == 0 ? (x == 40 && y == 20 ? 1 : x == 91 && y == 31 ? 2 : 0) : 0;
    });
    const SmallCase small = shrink(whole, [](const FeatureCase &c) { return has_sample(c, 1) && has_sample(c, 2); });
    EXPECT_EQ(small.reduction.crop, (Crop{52, 12, 40, 20}));
    EXPECT_EQ(small.reduction.keep_bits, 3U);
}

TEST(Shrink, KeepsTheBitsThatMatter) {
    for (const int bits : {8, 10, 16})
        for (int bit = 0; bit < bits; bit++) {
            VideoFormat format{.width = 19, .height = 17, .bit_depth = bits};
            const FeatureCase whole = noise_case("psnr", format);
            const SmallCase small =
                shrink(whole, [&](const FeatureCase &c) { return (or_of_samples(c) >> bit & 1) != 0; });
            EXPECT_EQ(small.reduction.keep_bits, 1U << bit);
            EXPECT_EQ(or_of_samples(small.smallest), 1U << bit);
            expect_reduced(small, whole);
        }
}

TEST(Shrink, KeepsAsManyFramesAsItTakes) {
    for (std::size_t needed = 1; needed <= 3; needed++) {
        const FeatureCase whole = noise_case("motion", noise_format, 3);
        const SmallCase small = shrink(whole, [&](const FeatureCase &c) { return c.frames.size() >= needed; });
        EXPECT_EQ(small.smallest.frames.size(), needed);
        EXPECT_EQ(small.dropped_frames, 3 - needed);
        expect_reduced(small, whole);
    }
}

TEST(Shrink, FindsTheOptionSet) {
    FeatureCase whole = noise_case("vif", noise_format);
    whole.option_sets.push_back(option_set("vif", {{"vif_skip_scale0", "true"}}));
    whole.option_sets.push_back(option_set("vif", {{"vif_enhn_gain_limit", "1.5"}}));
    const auto skips = [](const OptionSet &set) { return set.flag("vif_skip_scale0"); };
    const SmallCase small =
        shrink(whole, [&](const FeatureCase &c) { return std::ranges::any_of(c.option_sets, skips); });
    EXPECT_EQ(feature_options(small.smallest), "--feature vif:vif_skip_scale0=true");

    const auto limits = [](const OptionSet &set) { return set.number("vif_enhn_gain_limit") == 1.5; };
    const SmallCase two = shrink(whole, [&](const FeatureCase &c) {
        return std::ranges::any_of(c.option_sets, skips) && std::ranges::any_of(c.option_sets, limits);
    });
    EXPECT_EQ(feature_options(two.smallest),
              "--feature vif:vif_skip_scale0=true --feature vif:vif_enhn_gain_limit=1.5");
}

TEST(Shrink, DoesAllOfIt) {
    FeatureCase whole = noise_case("adm", noise_format, 3);
    whole.option_sets.push_back(option_set("adm", {{"adm_csf_mode", "2"}, {"adm_norm_view_dist", "5.0"}}));
    whole.frames.back() = one_pixel("adm", noise_format, 77, 11, 0x155).frames.back();
    const SmallCase small = shrink(whole, [](const FeatureCase &c) {
        return c.frames.size() >= 2 && has_sample(c, 0x155) && c.option_sets.back().integer("adm_csf_mode") == 2;
    });
    EXPECT_EQ(small.dropped_frames, 1U);
    EXPECT_EQ(small.smallest.option_sets.size(), 1U);
    EXPECT_EQ(small.reduction.keep_bits, 0x155U);
    expect_smallest_around(small, whole, 77, 11);
    expect_reduced(small, whole);
}

TEST(Shrink, WhatCannotBeSmallerStays) {
    const FeatureCase whole = noise_case("psnr", noise_format, 2);
    const SmallCase same = shrink(whole, [](const FeatureCase &) { return false; });
    EXPECT_EQ(same.reduction, Reduction{});
    EXPECT_EQ(same.dropped_frames, 0U);
    EXPECT_EQ(same.smallest.frames.size(), 2U);
    EXPECT_EQ(same.smallest.format(), noise_format);
}

TEST(Shrink, TriesNoMoreThanItMay) {
    const FeatureCase whole = one_pixel("psnr", noise_format, 100, 50, 0x201);
    for (const int attempts : {0, 1, 7, 20, 200}) {
        int calls = 0;
        const SmallCase small = shrink(
            whole,
            [&](const FeatureCase &c) {
                calls++;
                return has_sample(c, 0x201);
            },
            attempts);
        EXPECT_LE(calls, attempts);
        if (attempts <= 20) {
            EXPECT_EQ(calls, attempts) << "there is more to try";
        }
        EXPECT_TRUE(has_sample(small.smallest, 0x201));
        expect_reduced(small, whole);
    }
}

TEST(Shrink, LargePicturesTakeFewAttempts) {
    const VideoFormat format{.width = 1920, .height = 1080, .chroma = Chroma::k400};
    const FeatureCase whole = one_pixel("psnr", format, 1234, 567, 1);
    const SmallCase small = shrink(whole, [](const FeatureCase &c) { return has_sample(c, 1); });
    EXPECT_EQ(small.reduction.crop, (Crop{1, 1, 1234, 567}));
    EXPECT_EQ(small.reduction.keep_bits, 1U);
}

/// A fault that shows in some widths alone: the way down must not end at the first width that hides it.
TEST(Shrink, NothingMoreCanBeCutInTheEnd) {
    const FeatureCase whole = noise_case("psnr", noise_format);
    const auto fails = [](const FeatureCase &c) { return c.format().width % 3 == 2 && c.format().height >= 5; };
    const SmallCase small = shrink(whole, fails);
    ASSERT_TRUE(small.reduction.crop);
    const Crop crop = *small.reduction.crop;
    EXPECT_TRUE(fails(small.smallest));
    EXPECT_EQ(crop.height, 5);
    for (const Crop &next : {Crop{crop.width - 2, crop.height, crop.left + 2, crop.top},
                             Crop{crop.width - 1, crop.height, crop.left, crop.top}})
        EXPECT_TRUE(next.width < 1 || !fails(reduce(whole, {.crop = next})));
}

} // namespace
} // namespace isovmaf::diff::shrink_test

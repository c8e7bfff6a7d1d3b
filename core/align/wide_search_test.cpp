// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "align/wide_search.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "content/patterns.hpp"

namespace isovmaf::wide_search_test {

namespace {

constexpr VideoFormat tiny{.width = 64, .height = 36, .chroma = Chroma::k400};
constexpr int frames = 120;

/// A picture of moving waves; `period` frames later it is the same. Other `scene`s show other waves.
Thumbnail picture(int frame, int scene, double amplitude = 60, int period = 1000) {
    const double time = frame % period;
    std::mt19937 random(static_cast<unsigned>(frame * 7 + scene));
    return make_thumbnail(painted_frame(tiny, default_poison, [&](int, int x, int y) {
        const double wave = std::sin((x + time * 1.7) / (5.3 + scene)) + std::sin((y - time * 0.9) / (4.1 + scene)) +
                            std::sin((x - y + time * time * 0.01) / (9.7 - scene));
        return static_cast<std::uint32_t>(128 + amplitude / 2 * wave / 1.5 + static_cast<double>(random() % 3));
    }));
}

WideSearch search(int late, int scene = 0, double amplitude = 60, int period = 1000) {
    WideSearch wide;
    for (int n = 0; n < frames; n++)
        wide.add(picture(n + std::max(late, 0), 0, amplitude, period),
                 picture(n + std::max(-late, 0), scene, amplitude, period));
    return wide;
}

TEST(WideSearch, FindsOffsetsOfSeconds) {
    for (const int late : {-70, -31, -12, 12, 40, 90}) {
        const auto found = search(late).find_offset();
        ASSERT_TRUE(found) << late;
        EXPECT_EQ(found->offset, late);
        EXPECT_LT(found->difference, 2);
        EXPECT_GT(found->difference_before, 5);
    }
}

TEST(WideSearch, IsSilentWhereNoOffsetIsClear) {
    EXPECT_FALSE(search(0).find_offset()) << "aligned";
    EXPECT_FALSE(search(0, 3).find_offset()) << "other pictures";
    EXPECT_FALSE(search(15, 0, 60, 30).find_offset()) << "pictures that come again";
    EXPECT_FALSE(search(40, 0, 1).find_offset()) << "hardly any contrast";
    EXPECT_FALSE(WideSearch().find_offset());
}

TEST(WideSearch, TellsWhetherPicturesFitAsTheyArePaired) {
    EXPECT_TRUE(search(0).fit_as_paired());
    EXPECT_TRUE(search(1).fit_as_paired());
    EXPECT_FALSE(search(9).fit_as_paired());
    EXPECT_FALSE(search(-14).fit_as_paired());
    EXPECT_TRUE(search(14, 0, 1).fit_as_paired()) << "hardly any contrast";
    EXPECT_TRUE(WideSearch().fit_as_paired());
    WideSearch few; // too few for an offset
    for (int n = 0; n < 5; n++)
        few.add(picture(n, 0), picture(n + 14, 0));
    EXPECT_FALSE(few.fit_as_paired());
}

TEST(WideSearch, TellsWhetherPicturesResembleEachOther) {
    EXPECT_TRUE(search(0).look_alike());
    EXPECT_TRUE(search(1).look_alike());
    EXPECT_FALSE(search(0, 3).look_alike());
    EXPECT_TRUE(search(0, 3, 1).look_alike()) << "too little contrast to tell";
    EXPECT_TRUE(WideSearch().look_alike());
}

} // namespace

} // namespace isovmaf::wide_search_test

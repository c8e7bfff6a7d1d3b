// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "diff/content.hpp"

namespace isovmaf::diff::sweep_test {
namespace {

constexpr int tiles[] = {8, 16, 32, 60, 64, 112};

template <class Key>
std::set<Key> keys(const std::vector<Content> &contents, Key (*key)(const Content &)) {
    std::set<Key> all;
    for (const Content &content : contents)
        all.insert(key(content));
    return all;
}

std::string fill(const Content &content) { return content.fill; }
int bit_depth(const Content &content) { return content.format.bit_depth; }
Chroma chroma(const Content &content) { return content.format.chroma; }
std::pair<int, Chroma> kind(const Content &content) { return {bit_depth(content), chroma(content)}; }
std::pair<int, int> size(const Content &content) { return {content.format.width, content.format.height}; }
int width(const Content &content) { return content.format.width; }
int height(const Content &content) { return content.format.height; }

/// What every list of contents of this choice has to keep to.
void expect_within(const std::vector<Content> &contents, const ContentChoice &choice) {
    for (const Content &content : contents) {
        const VideoFormat &format = content.format;
        EXPECT_GE(std::min(format.width, format.height), choice.smallest_side) << describe(content);
        EXPECT_GT(format.plane_width(1), 0) << describe(content);
        EXPECT_GT(format.plane_height(1), 0) << describe(content);
        EXPECT_TRUE(make_frame(content, content.frames - 1)) << describe(content);
    }
}

/// Multiples of any tile plus `beside` among these sides.
int count_beside_tiles(const std::vector<int> &sides, int beside) {
    return static_cast<int>(std::count_if(sides.begin(), sides.end(), [&](int side) {
        return std::any_of(std::begin(tiles), std::end(tiles),
                           [&](int tile) { return side >= tile - 1 && (side - beside) % tile == 0; });
    }));
}

class ShortSweep : public ::testing::TestWithParam<int> {};

TEST_P(ShortSweep, CoversEverything) {
    const int smallest = GetParam();
    const ContentChoice choice{.smallest_side = smallest};
    const std::vector<Content> sweep = short_sweep(choice, 7);
    expect_within(sweep, choice);
    EXPECT_LE(sweep.size(), 60u);
    EXPECT_EQ(keys(sweep, fill), (std::set<std::string>{content_names().begin(), content_names().end()}));
    EXPECT_EQ(keys(sweep, kind).size(), 16u);
    EXPECT_EQ(keys(sweep, bit_depth), (std::set{8, 10, 12, 16}));
    const auto sizes = keys(sweep, size);
    for (const auto &least : {std::pair{0, 0}, std::pair{1, 0}, std::pair{0, 1}})
        EXPECT_TRUE(sizes.contains({smallest + least.first, smallest + least.second}));
    const auto widths = keys(sweep, width), heights = keys(sweep, height);
    for (const int tile : tiles)
        for (const int beside : {-1, 0, 1}) {
            const int side = (smallest + tile) / tile * tile + beside;
            EXPECT_TRUE(widths.contains(side)) << side;
            EXPECT_TRUE(heights.contains(side)) << side;
        }
    const auto long_and_thin = [&](int a, int b) { return a == smallest && b >= 500; };
    EXPECT_TRUE(std::any_of(sizes.begin(), sizes.end(), [&](auto s) { return long_and_thin(s.first, s.second); }));
    EXPECT_TRUE(std::any_of(sizes.begin(), sizes.end(), [&](auto s) { return long_and_thin(s.second, s.first); }));
    EXPECT_TRUE(std::any_of(sizes.begin(), sizes.end(), [&](auto s) { return s.first % 2 && s.second % 2; }));
    for (const Content &content : sweep) {
        EXPECT_LE(content.format.width * content.format.height, 20000) << describe(content);
        EXPECT_EQ(content.seed, 7u);
        EXPECT_EQ(content.frames, choice.frames);
    }
}

TEST_P(ShortSweep, ShowsWhatRepeats) {
    for (const Content &content : short_sweep({.smallest_side = GetParam()}, 1)) {
        if (!content.fill.starts_with("checkerboard-") && !content.fill.starts_with("impulse-seams-"))
            continue;
        const int pitch = std::stoi(content.fill.substr(content.fill.rfind('-') + 1));
        EXPECT_GT(std::max(content.format.width, content.format.height), pitch) << describe(content);
    }
}

INSTANTIATE_TEST_SUITE_P(Sides, ShortSweep, ::testing::Values(1, 17, 33));

TEST(ShortSweepOf, OneFillHasEverySizeAndKind) {
    const auto everything = keys(short_sweep({.smallest_side = 33}, 1), size);
    for (const std::string fill : {"noise", "impulse-seams-112"}) {
        const std::vector<Content> sweep = short_sweep({.fills = {fill}, .smallest_side = 33}, 1);
        EXPECT_EQ(keys(sweep, size), everything);
        EXPECT_EQ(keys(sweep, kind).size(), 16u);
        EXPECT_EQ(keys(sweep, &sweep_test::fill), std::set{fill});
    }
}

TEST(ShortSweepOf, AChoiceKeepsToIt) {
    const ContentChoice choice{.fills = {"zero", "noise"},
                               .sizes = {{.width = 50, .height = 40}, {.width = 400, .height = 300}},
                               .chroma = {Chroma::k420, Chroma::k444},
                               .bit_depths = {9, 10},
                               .frames = 2};
    const std::vector<Content> sweep = short_sweep(choice, 1);
    EXPECT_EQ(keys(sweep, fill), (std::set<std::string>{"zero", "noise"}));
    EXPECT_EQ(keys(sweep, size), (std::set{std::pair{50, 40}, std::pair{400, 300}}));
    EXPECT_EQ(keys(sweep, kind).size(), 4u);
    EXPECT_EQ(keys(sweep, chroma), (std::set{Chroma::k420, Chroma::k444}));
    EXPECT_EQ(keys(sweep, bit_depth), (std::set{9, 10}));
    EXPECT_EQ(sweep.front().frames, 2);
}

TEST(ShortSweepOf, OneSampleGetsAChromaFormatThatFits) {
    for (const std::vector<Chroma> &fitting : {std::vector{Chroma::k420, Chroma::k444}, {Chroma::k444, Chroma::k420}})
        EXPECT_TRUE(keys(short_sweep({.chroma = fitting}, 1), size).contains({1, 1}));
    const std::vector<Content> halved = short_sweep({.chroma = {Chroma::k420}}, 1);
    expect_within(halved, {.smallest_side = 2});
    EXPECT_TRUE(keys(halved, size).contains({2, 2}));
}

TEST(ShortSweepOf, LargeMinimumsAreStillThere) {
    const std::vector<Content> sweep = short_sweep({.smallest_side = 200}, 1);
    expect_within(sweep, {.smallest_side = 200});
    EXPECT_TRUE(keys(sweep, size).contains({200, 200}));
    EXPECT_EQ(keys(sweep, fill).size(), content_names().size());
}

std::vector<Content> random_contents(const ContentChoice &choice, std::uint32_t seed, int count) {
    RandomContents random(choice, seed);
    std::vector<Content> contents;
    for (int i = 0; i < count; i++)
        contents.push_back(random.next());
    return contents;
}

TEST(RandomContents, RepeatForTheSameSeed) {
    const auto contents = random_contents({.smallest_side = 33}, 5, 100);
    EXPECT_EQ(contents, random_contents({.smallest_side = 33}, 5, 100));
    EXPECT_NE(contents, random_contents({.smallest_side = 33}, 6, 100));
    EXPECT_EQ(describe(contents[0]), "ramp-horizontal of seed 426659522, 74x69, 4:4:4, 8 bit, 1 frame");
    EXPECT_EQ(describe(contents[99]), "bytes-apart of seed 3995406749, 72x61, 4:4:4, 16 bit, 2 frames");
}

TEST(RandomContents, CoverEverythingWithEmphasis) {
    constexpr int count = 4000;
    const ContentChoice choice{.smallest_side = 33};
    const std::vector<Content> contents = random_contents(choice, 1, count);
    EXPECT_EQ(keys(contents, fill).size(), content_names().size());
    EXPECT_EQ(keys(contents, kind).size(), 16u);
    std::vector<int> sides;
    int small = 0;
    std::set<int> frames;
    for (const Content &content : contents) {
        const auto [w, h] = size(content);
        EXPECT_TRUE(w >= 33 && w <= 300 && h >= 33 && h <= 160) << describe(content);
        sides.insert(sides.end(), {w, h});
        small += std::max(w, h) <= 120;
        frames.insert(content.frames);
    }
    EXPECT_EQ(frames, (std::set{1, 2, 3}));
    EXPECT_GT(*std::max_element(sides.begin(), sides.end()), 280);
    EXPECT_EQ(*std::min_element(sides.begin(), sides.end()), 33);
    EXPECT_GT(small, count * 2 / 3);
    EXPECT_LT(small, count);
    for (const int beside : {-1, 0, 1})
        EXPECT_GT(count_beside_tiles(sides, beside), 2 * count * 17 / 100) << beside; // of evenly drawn sides 14 %
    const auto odd = std::count_if(sides.begin(), sides.end(), [](int side) { return side % 2; });
    EXPECT_GT(odd, 2 * count * 6 / 10);
}

TEST(RandomContents, KeepToTheChoice) {
    expect_within(random_contents({}, 3, 200), {});
    const ContentChoice choice{.fills = {"grain"},
                               .sizes = {{.width = 50, .height = 40}},
                               .chroma = {Chroma::k422},
                               .bit_depths = {9, 16},
                               .frames = 1};
    for (const Content &content : random_contents(choice, 3, 50)) {
        EXPECT_EQ(content.fill, "grain");
        EXPECT_EQ(size(content), (std::pair{50, 40}));
        EXPECT_EQ(content.format.chroma, Chroma::k422);
        EXPECT_TRUE(content.format.bit_depth == 9 || content.format.bit_depth == 16);
        EXPECT_EQ(content.frames, 1);
    }
    for (const Content &content :
         random_contents({.smallest_side = 40, .largest_width = 30, .largest_height = 41}, 3, 50))
        EXPECT_TRUE(content.format.width == 40 && content.format.height >= 40 && content.format.height <= 41);
}

} // namespace
} // namespace isovmaf::diff::sweep_test

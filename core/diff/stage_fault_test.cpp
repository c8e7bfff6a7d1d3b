// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/stage_fault.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "features/words.hpp"

namespace isovmaf::diff::stage_fault_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

const Stage stage{"a stage", 150, 100, 64, 16};

std::vector<std::string> patterns(const std::function<bool(int, int)> &differs, const Stage &of = stage) {
    std::vector<bool> flags;
    for (int y = 0; y < of.height; y++)
        for (int x = 0; x < of.width; x++)
            flags.push_back(differs(x, y));
    return find_patterns(of, flags);
}

TEST(StageFault, EqualStagesHaveNone) {
    const std::vector<std::int64_t> values(15000, 3);
    EXPECT_FALSE(compare_stage(stage, values, values));
}

TEST(StageFault, TellsTheFirstDifferenceAndCountsThem) {
    const std::vector<std::int64_t> expected(15000, 3);
    std::vector<std::int64_t> found = expected;
    found[7 * 150 + 11] = -5;
    found[90 * 150] = 4;
    const std::optional<StageFault> fault = compare_stage(stage, expected, found);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->stage, "a stage");
    EXPECT_EQ(fault->x, 11);
    EXPECT_EQ(fault->y, 7);
    EXPECT_EQ(fault->expected, 3);
    EXPECT_EQ(fault->found, -5);
    EXPECT_EQ(fault->different, 2);
    EXPECT_NE(fault->expected_hash, fault->found_hash);
    EXPECT_EQ(fault->heat.width, 150);
    EXPECT_EQ(fault->heat.heat[7 * 150 + 11], 4); // a distance of 8
    EXPECT_EQ(fault->heat.heat[90 * 150], 1);
    EXPECT_EQ(fault->heat.heat[0], 0);
}

TEST(StageFault, FloatsAreApartByTheNumbersBetweenThem) {
    Stage floats{"floats", 4, 1};
    floats.kind = WordKind::f32;
    const std::vector<std::int64_t> expected(4, word_of(1.0F));
    std::vector<std::int64_t> found = expected;
    found[2] = word_of(0x1.000008p+0F);
    found[3] = word_of(-1.0F);
    const std::optional<StageFault> fault = compare_stage(floats, expected, found);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, WordKind::f32);
    EXPECT_EQ(f32_of(fault->found), 0x1.000008p+0F);
    EXPECT_THAT(fault->heat.heat, ElementsAre(0, 0, 3, 31));
}

TEST(StageFault, HeatMapsOfLargeStagesAreSmall) {
    const Stage large{"large", 1000, 300};
    const std::vector<std::int64_t> expected(300000);
    std::vector<std::int64_t> found = expected;
    found.back() = 1;
    const std::optional<StageFault> fault = compare_stage(large, expected, found);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->heat.width, 250);
    EXPECT_EQ(fault->heat.cell_width, 4);
    EXPECT_EQ(fault->heat.height, 150);
    EXPECT_EQ(fault->heat.heat.back(), 1);
}

TEST(StageFault, HashesAreSha256OfTheWords) {
    EXPECT_EQ(stage_hash({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    const std::vector<std::int64_t> zero(8);
    EXPECT_EQ(stage_hash(zero), "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"); // of 64 zero bytes
}

TEST(Patterns, Borders) {
    EXPECT_THAT(patterns([](int x, int) { return x < 2; }), Contains("only within 2 of the left edge"));
    EXPECT_THAT(patterns([](int x, int) { return x == 149; }), Contains("only within 1 of the right edge"));
    EXPECT_THAT(patterns([](int x, int y) { return y >= 98 && x % 2; }), Contains("only within 2 of the bottom edge"));
    EXPECT_THAT(patterns([](int x, int y) { return x < 2 || y < 1 || x > 147; }),
                Contains("only within 2 of the picture's border"));
    EXPECT_THAT(patterns([](int x, int y) { return x == 0 || (x == 75 && y == 50); }),
                Not(Contains(::testing::HasSubstr("edge"))));
}

TEST(Patterns, Rows) {
    EXPECT_THAT(patterns([](int, int y) { return y >= 40; }), Contains("everything from row 40 on"));
    EXPECT_THAT(patterns([](int x, int y) { return y == 40 && x > 20; }), Contains("only in row 40"));
    EXPECT_THAT(patterns([](int, int y) { return y % 2 == 1; }), Contains("only in odd rows"));
    EXPECT_THAT(patterns([](int x, int) { return x == 40; }), Contains("only in column 40"));
}

TEST(Patterns, Tiles) {
    EXPECT_THAT(patterns([](int x, int) { return x == 63 || x == 64 || x == 127; }),
                Contains("only within 1 of the seams of tiles 64 wide"));
    EXPECT_THAT(patterns([](int x, int) { return x == 0 || x == 149; }), Not(Contains(::testing::HasSubstr("seams"))))
        << "a picture's edges are no seams";
    EXPECT_THAT(patterns([](int x, int y) { return x >= 64 && x < 128 && y >= 16 && y < 32; }),
                Contains("in 1 of 21 tiles of 64x16"));
}

TEST(Patterns, Waves) {
    EXPECT_THAT(patterns([](int x, int) { return x % 32 == 31; }),
                Contains("only in columns that are 31 modulo 32: a multiple of a wave's width"));
    EXPECT_THAT(patterns([](int x, int) { return x % 64 == 5; }),
                Contains("only in columns that are 5 modulo 64: a multiple of a wave's width"));
}

TEST(Patterns, EverythingAndNothing) {
    EXPECT_THAT(patterns([](int, int) { return true; }), ElementsAre("every value"));
    EXPECT_THAT(patterns([](int, int) { return false; }), IsEmpty());
    EXPECT_THAT(patterns([](int x, int y) { return x == 75 && y == 50; }), Contains("a single value"));
}

} // namespace
} // namespace isovmaf::diff::stage_fault_test

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/words.hpp"

#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "features/registry.hpp"

namespace isovmaf::words_test {
namespace {

TEST(Words, KindsAndOrdersAreFoundByTheirNames) {
    for (const WordKind kind : {WordKind::i64, WordKind::f32, WordKind::f64})
        EXPECT_EQ(find_word_kind(word_kind_name(kind)), kind);
    for (const SumOrder order : {SumOrder::any, SumOrder::raster, SumOrder::block_raster, SumOrder::blocks})
        EXPECT_EQ(find_sum_order(sum_order_name(order)), order);
    EXPECT_EQ(word_kind_name(WordKind::f32), "f32");
    EXPECT_EQ(sum_order_name(SumOrder::block_raster), "block raster");
    EXPECT_EQ(find_word_kind("f16"), std::nullopt);
    EXPECT_EQ(find_word_kind(""), std::nullopt);
    EXPECT_EQ(find_sum_order("i64"), std::nullopt);
}

TEST(Words, FloatsKeepTheirBits) {
    EXPECT_EQ(word_of(-1.0F), 0xbf800000) << "the high half is zero";
    EXPECT_EQ(word_of(1.0), 0x3ff0000000000000);
    for (const float value : {0.0F, -0.0F, 1e-45F, -3.5F, std::numeric_limits<float>::infinity()})
        EXPECT_EQ(std::bit_cast<std::uint32_t>(f32_of(word_of(value))), std::bit_cast<std::uint32_t>(value));
    for (const double value : {0.0, -0.0, 5e-324, -3.5})
        EXPECT_EQ(std::bit_cast<std::uint64_t>(f64_of(word_of(value))), std::bit_cast<std::uint64_t>(value));
}

TEST(Words, TextsAreOfTheKind) {
    EXPECT_EQ(word_text(-12, WordKind::i64), "-12");
    EXPECT_EQ(word_text(word_of(0.1F), WordKind::f32), "0.1");
    EXPECT_EQ(word_text(word_of(-0.1), WordKind::f64), "-0.1");
    EXPECT_EQ(word_text(word_of(-0.0F), WordKind::f32), "-0");
}

TEST(Words, DistancesAreOfTheKind) {
    EXPECT_EQ(word_distance(-3, 4, WordKind::i64), 7u);
    EXPECT_EQ(word_distance(INT64_MIN, INT64_MAX, WordKind::i64), UINT64_MAX);
    EXPECT_EQ(word_distance(word_of(1.0F), word_of(0x1.000004p+0F), WordKind::f32), 2u);
    EXPECT_EQ(word_distance(word_of(-0x1p-149F), word_of(0.0F), WordKind::f32), 2u) << "-0 lies between";
    EXPECT_EQ(word_distance(word_of(1.0), word_of(0x1.0000000000001p+0), WordKind::f64), 1u);
    EXPECT_EQ(word_distance(word_of(1.0F), word_of(1.0F) | (std::int64_t{1} << 40), WordKind::f32), 1u);
    EXPECT_EQ(word_distance(word_of(1.0F), word_of(std::numeric_limits<float>::infinity()), WordKind::f32), UINT64_MAX);
}

TEST(Words, EveryFeatureNamesEachOfItsWordsOnce) {
    for (const FeatureDescriptor *const feature : all_features()) {
        const OptionSet defaults = value_of(OptionSet::parse(feature->name, feature->options, {}));
        const int side = smallest_picture(*feature, defaults).square();
        const FeaturePlan plan =
            value_of(make_feature_plan(*feature, {.format = {.width = side, .height = side}}, {&defaults, 1}));
        EXPECT_FALSE(plan.words.empty()) << feature->name;
        std::set<std::string> names;
        for (const WordSpec &word : plan.words) {
            EXPECT_NE(word.name, "") << feature->name;
            EXPECT_TRUE(names.insert(word.name).second) << feature->name << ": " << word.name;
        }
    }
}

} // namespace
} // namespace isovmaf::words_test

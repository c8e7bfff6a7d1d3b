// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/score_store.hpp"

#include <climits>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf::capi::score_store_test {
namespace {

using ::testing::ElementsAre;

TEST(ScoreStore, KeepsScoresOfAnyIndex) {
    ScoreStore store;
    const std::size_t a = store.find_or_add("a");
    for (const unsigned index : {0u, 63u, 64u, 2'000'000'000u, UINT_MAX})
        EXPECT_TRUE(store.set(a, index, index));
    EXPECT_EQ(store.at(a, UINT_MAX), UINT_MAX);
    EXPECT_EQ(store.at(a, 1), std::nullopt);
    EXPECT_EQ(store.at(a, 65), std::nullopt);
    EXPECT_THAT(store.indices().multiples(1), ElementsAre(0, 63, 64, 2'000'000'000, UINT_MAX));
    EXPECT_THAT(store.indices().multiples(3), ElementsAre(0, 63, UINT_MAX));
}

TEST(ScoreStore, AScoreStays) {
    ScoreStore store;
    const std::size_t a = store.find_or_add("a");
    EXPECT_FALSE(store.has_scores(a));
    EXPECT_TRUE(store.set(a, 3, 1));
    EXPECT_FALSE(store.set(a, 3, 1));
    EXPECT_FALSE(store.set(a, 3, 2));
    EXPECT_EQ(store.at(a, 3), 1);
    EXPECT_TRUE(store.has_scores(a));
}

TEST(ScoreStore, NamesOfColumnsAreDistinct) {
    ScoreStore store;
    EXPECT_EQ(store.find_or_add("vmaf"), store.find_or_add("vmaf"));
    const std::size_t second = store.add("vmaf"), third = store.add("vmaf");
    EXPECT_EQ(store.name(second), "vmaf_2");
    EXPECT_EQ(store.name(third), "vmaf_3");
    EXPECT_EQ(store.find("vmaf"), 0u);
    EXPECT_EQ(store.find("vmaf_4"), std::nullopt);
}

TEST(ScoreStore, RangesAreWholeOrNothing) {
    ScoreStore store;
    const std::size_t a = store.find_or_add("a");
    for (const unsigned index : {0u, 2u, 3u, 4u, 6u})
        store.set(a, index, index);
    EXPECT_THAT(store.range(a, 2, 4, 1), ::testing::Optional(ElementsAre(2, 3, 4)));
    EXPECT_THAT(store.range(a, 1, 7, 2), ::testing::Optional(ElementsAre(2, 4, 6)));
    EXPECT_EQ(store.range(a, 0, 2, 1), std::nullopt);
    EXPECT_EQ(store.range(a, 7, 9, 10), std::nullopt); // no multiple of 10
    EXPECT_EQ(store.range(a, 6, UINT_MAX, 2), std::nullopt);
    EXPECT_EQ(store.range(a, UINT_MAX, UINT_MAX, UINT_MAX - 1), std::nullopt);
}

TEST(ScoreStore, TellsOfScoresThatAreStored) {
    std::vector<std::tuple<std::size_t, unsigned, double>> told;
    ScoreStore store(
        [&](std::size_t column, unsigned index, double score) { told.emplace_back(column, index, score); });
    const std::size_t a = store.find_or_add("a");
    store.set(a, 7, 0.5);
    store.set(a, 7, 0.25);
    EXPECT_THAT(told, ElementsAre(std::tuple(a, 7u, 0.5)));
}

TEST(IndexSet, HasWhatWasInserted) {
    IndexSet set;
    EXPECT_TRUE(set.empty());
    for (const unsigned index : {5u, 64u, UINT_MAX})
        set.insert(index);
    EXPECT_TRUE(set.contains(64));
    EXPECT_FALSE(set.contains(65));
    EXPECT_FALSE(set.contains(6400));
    EXPECT_THAT(set.multiples(5), ElementsAre(5, UINT_MAX));
}

} // namespace
} // namespace isovmaf::capi::score_store_test

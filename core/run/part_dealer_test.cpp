// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/part_dealer.hpp"

#include <future>
#include <string>

#include <gmock/gmock.h>

namespace isovmaf::part_dealer_test {

namespace {

using ::testing::ElementsAre;

constexpr PartPlan tens{.frames = 100, .least_frames = 10, .most_frames = 1000};

/// Takes up to `most` frames of a worker's part from `first` on, and returns the frame behind them.
std::int64_t go(PartDealer &dealer, std::size_t worker, std::int64_t first, std::int64_t most = 1'000'000) {
    std::int64_t frame = first;
    while (frame < first + most && dealer.goes_on(worker, frame))
        frame++;
    return frame;
}

/// Lets one worker take all that it can get, and writes the parts down: "0-50" for the frames 0 to 49.
std::vector<std::string> take_all(PartDealer &dealer, std::size_t worker, std::int64_t end) {
    std::vector<std::string> parts;
    while (const std::optional<std::int64_t> first = dealer.begin(worker)) {
        const std::int64_t behind = go(dealer, worker, *first, end - *first);
        parts.push_back(std::to_string(*first) + "-" + std::to_string(behind));
        dealer.scored(behind);
        if (behind == end)
            break;
    }
    return parts;
}

TEST(PartDealer, OneWorkerGetsTheVideoInOnePart) {
    PartDealer dealer(1);
    dealer.set_plan(tens);
    EXPECT_THAT(take_all(dealer, 0, 100), ElementsAre("0-100"));
}

TEST(PartDealer, OneWorkerGetsAVideoThatIsNotCut) {
    for (const bool plan_is_late : {true, false}) {
        PartDealer dealer(3);
        if (!plan_is_late)
            dealer.set_plan(uncut_plan());
        EXPECT_EQ(dealer.begin(1), 0);
        if (plan_is_late)
            dealer.set_plan(uncut_plan());
        EXPECT_EQ(go(dealer, 1, 0, 100'000), 100'000);
        for (const std::size_t worker : {0u, 2u, 1u})
            EXPECT_EQ(dealer.begin(worker), std::nullopt);
    }
}

TEST(PartDealer, WorkersGetEqualSharesAndThenHalvesOfWhatIsLeft) {
    PartDealer dealer(2);
    dealer.set_plan(tens);
    EXPECT_EQ(dealer.begin(0), 0);
    EXPECT_EQ(dealer.begin(1), 50);
    EXPECT_EQ(go(dealer, 1, 50, 10), 60);
    EXPECT_EQ(go(dealer, 0, 0), 50); // what is behind belongs to the other
    EXPECT_EQ(dealer.begin(0), 80);  // of 60 to 100
    EXPECT_EQ(go(dealer, 1, 60), 80);
    EXPECT_EQ(dealer.begin(1), 90);
    EXPECT_EQ(go(dealer, 0, 80), 90);
    EXPECT_EQ(dealer.begin(0), std::nullopt) << "ten frames are no two parts";
    EXPECT_TRUE(dealer.goes_on(1, 105)) << "the videos may have more frames than their files say";
}

TEST(PartDealer, AWorkerThatOpensLateTakesHalfOfWhatIsLeft) {
    PartDealer dealer(2);
    dealer.set_plan(tens);
    ASSERT_EQ(dealer.begin(0), 0);
    EXPECT_EQ(go(dealer, 0, 0, 70), 70); // the frames behind its own are free
    EXPECT_EQ(dealer.begin(1), 85);
    EXPECT_EQ(go(dealer, 0, 70), 85);
}

TEST(PartDealer, AWorkerGoesOnWithFreeFramesAndOnlyThenMoves) {
    PartDealer dealer(2);
    dealer.set_plan({.frames = 100, .least_frames = 10, .most_frames = 20});
    ASSERT_EQ(dealer.begin(0), 0);
    ASSERT_EQ(dealer.begin(1), 20);
    EXPECT_EQ(go(dealer, 1, 20, 25), 45); // 40 to 60, too
    EXPECT_EQ(go(dealer, 0, 0), 20);
    EXPECT_EQ(dealer.begin(0), 60);
}

TEST(PartDealer, PartsBeginWhereTheyMay) {
    PartDealer dealer(3);
    dealer.set_plan({.frames = 100, .starts = {{3, 28, 45, 58, 95}}, .least_frames = 10, .most_frames = 1000});
    EXPECT_EQ(dealer.begin(0), 0);
    EXPECT_EQ(dealer.begin(1), 28); // is nearest to 34
    EXPECT_EQ(dealer.begin(2), 58); // is nearest to 62
    EXPECT_EQ(go(dealer, 2, 58), 1'000'058);
    EXPECT_EQ(dealer.begin(2), 45) << "in the longest part that can be cut";
    EXPECT_EQ(go(dealer, 0, 0), 28);
    EXPECT_EQ(dealer.begin(0), std::nullopt);
}

TEST(PartDealer, FramesFarBehindThoseThatAreScoredAreNotBegun) {
    PartDealer dealer(2);
    dealer.set_plan({.frames = 1000, .least_frames = 10, .most_frames = 20});
    ASSERT_EQ(dealer.begin(0), 0);
    ASSERT_EQ(dealer.begin(1), 20);
    EXPECT_EQ(go(dealer, 1, 20), 80); // two shares of each worker
    EXPECT_EQ(dealer.begin(1), 10) << "half of what keeps the others waiting";
    EXPECT_EQ(go(dealer, 1, 10), 20);
    EXPECT_EQ(go(dealer, 0, 0), 10);
    auto waiting = std::async(std::launch::async, [&] { return dealer.begin(0); });
    dealer.scored(1);
    EXPECT_EQ(waiting.get(), 80);
}

TEST(PartDealer, OneWorkerBeginsBeforeThePlanIsKnown) {
    PartDealer dealer(2);
    ASSERT_EQ(dealer.begin(0), 0);
    auto second = std::async(std::launch::async, [&] { return dealer.begin(1); });
    EXPECT_EQ(go(dealer, 0, 0, 20), 20);
    dealer.set_plan(tens);
    EXPECT_EQ(second.get(), 60); // half of the 80 that are left
    EXPECT_EQ(go(dealer, 0, 20), 60);
}

TEST(PartDealer, BeginsNoPartAfterAStop) {
    PartDealer dealer(3);
    ASSERT_EQ(dealer.begin(0), 0);
    auto waiting = std::async(std::launch::async, [&] { return dealer.begin(1); });
    dealer.stop();
    EXPECT_EQ(waiting.get(), std::nullopt);
    dealer.set_plan(tens);
    EXPECT_EQ(dealer.begin(2), std::nullopt);
}

} // namespace

} // namespace isovmaf::part_dealer_test

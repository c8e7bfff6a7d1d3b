// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/frame_times.hpp"

#include <gtest/gtest.h>

namespace isovmaf::frame_times_test {

namespace {

constexpr Rational milliseconds{1, 1000}, stated{25, 1};

/// Frames with these numbers at 25 per second.
std::vector<std::int64_t> frames(const std::vector<std::int64_t> &numbers) {
    std::vector<std::int64_t> times;
    for (const std::int64_t number : numbers)
        times.push_back(1400 + 40 * number);
    return times;
}

TEST(FrameTimes, FramesThatAreLeftOutMakeTheRateVariable) {
    const auto rate = variable_rate(frames({0, 1, 3, 7, 8, 10, 14, 15, 17, 21}), milliseconds, stated);
    ASSERT_TRUE(rate);
    EXPECT_NEAR(rate->value(), 9 / 0.84, 1e-9);
    EXPECT_TRUE(variable_rate(frames({0, 1, 2, 3, 4, 5, 6, 8, 9}), milliseconds, stated)) << "one frame dropped";
    EXPECT_TRUE(variable_rate(frames({0, 3, 1, 4, 7, 6, 10, 9}), milliseconds, stated)) << "coded in another order";
}

TEST(FrameTimes, ConstantRatesAndJitterDoNot) {
    EXPECT_FALSE(variable_rate(frames({0, 4, 2, 1, 3, 8, 6, 5, 7}), milliseconds, stated));
    EXPECT_FALSE(variable_rate({0, 48, 72, 128, 152, 208, 232, 288, 312}, milliseconds, stated));
    EXPECT_FALSE(variable_rate({0, 33, 67, 100, 133, 167, 200, 233, 267}, milliseconds, {30, 1}));
    EXPECT_FALSE(variable_rate({0, 33, 67, 100, 133, 167, 200, 233, 267}, milliseconds, stated)) << "equal distances";
}

TEST(FrameTimes, FitARateWithinHalfAFrame) {
    EXPECT_TRUE(fits_rate({1400, 1440, 1480, 1520}, milliseconds, stated));
    EXPECT_TRUE(fits_rate({0, 33, 67, 100, 133}, milliseconds, {30, 1}));
    EXPECT_FALSE(fits_rate({0, 40, 80, 160}, milliseconds, stated));
    EXPECT_FALSE(fits_rate({0, 40}, milliseconds, {1000, 1}));
    EXPECT_FALSE(fits_rate({1400}, milliseconds, stated));
}

TEST(FrameTimes, TooLittleSaysNothing) {
    EXPECT_FALSE(variable_rate(frames({0, 1, 3, 7, 8, 10, 14}), milliseconds, stated));
    EXPECT_FALSE(variable_rate(frames({0, 1, 3, 3, 7, 8, 10, 14}), milliseconds, stated)) << "two at a time";
    EXPECT_FALSE(variable_rate({}, milliseconds, stated));
}

} // namespace

} // namespace isovmaf::frame_times_test

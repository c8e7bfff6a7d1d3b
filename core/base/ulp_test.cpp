// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/ulp.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

TEST(Ulp, CountsRepresentableNumbers) {
    EXPECT_EQ(ulp_distance(1.0, 1.0), 0u);
    EXPECT_EQ(ulp_distance(1.0, std::nextafter(1.0, 2.0)), 1u);
    EXPECT_EQ(ulp_distance(std::nextafter(1.0, 0.0), std::nextafter(1.0, 2.0)), 2u);
    EXPECT_EQ(ulp_distance(-1.0, std::nextafter(-1.0, 0.0)), 1u);
    EXPECT_EQ(ulp_distance(1.0, 2.0), std::uint64_t{1} << 52);
    EXPECT_EQ(ulp_distance(1.0f, 2.0f), std::uint64_t{1} << 23);
}

TEST(Ulp, SeesWhatComparesEqualButHasOtherBits) {
    EXPECT_EQ(ulp_distance(0.0, -0.0), 1u);
    EXPECT_EQ(ulp_distance(0.0f, -0.0f), 1u);
    EXPECT_EQ(ulp_distance(std::nan("1"), std::nan("1")), 0u);
    EXPECT_EQ(ulp_distance(std::nan("1"), std::nan("2")), 1u);
}

TEST(Ulp, GoesThroughZero) {
    const double least = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(ulp_distance(-least, least), 3u);
    EXPECT_LT(ulp_distance(-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()), beyond_ulp);
}

TEST(Ulp, PutsWhatIsNotFiniteBeyondEverything) {
    EXPECT_EQ(ulp_distance(1.0, std::nan("")), beyond_ulp);
    EXPECT_EQ(ulp_distance(std::numeric_limits<double>::infinity(), 1.0), beyond_ulp);
    EXPECT_EQ(ulp_distance(std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()),
              beyond_ulp);
}

TEST(Ulp, BucketsArePowersOfTwo) {
    EXPECT_EQ(ulp_bucket(0), 0u);
    EXPECT_EQ(ulp_bucket(1), 1u);
    EXPECT_EQ(ulp_bucket(2), 2u);
    EXPECT_EQ(ulp_bucket(3), 2u);
    EXPECT_EQ(ulp_bucket(beyond_ulp - 1), 64u);
    EXPECT_EQ(ulp_bucket(beyond_ulp), UlpHistogram{}.size() - 1);
}

} // namespace
} // namespace isovmaf

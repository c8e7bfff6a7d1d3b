// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/heat_scale.hpp"

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

TEST(HeatScale, GrowsWithDistance) {
    EXPECT_EQ(heat_level(0), 0u);
    EXPECT_EQ(heat_level(1), 1u);
    EXPECT_EQ(heat_level(6), 5u);
    EXPECT_EQ(heat_level(64), 14u);
    EXPECT_EQ(heat_level(65), 15u);
    EXPECT_EQ(heat_label(5), "2⁴");
    EXPECT_EQ(heat_label(1), "1");
}

} // namespace
} // namespace isovmaf

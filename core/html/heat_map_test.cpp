// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/heat_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf {
namespace {

using testing::HasSubstr;

TEST(HeatMap, ShowsThePlaceAndTheTitle) {
    const HeatMap heat{2, 2, 4, 3, {0, 1, 0, 0}};
    const std::string text = heat_map_html(heat, "<variance>", 5, 1);
    EXPECT_THAT(text, HasSubstr("alt=\"Differences in &lt;variance&gt;\""));
    EXPECT_THAT(text, HasSubstr("left:68.750%;top:25.000%")); // (5.5, 1.5) of 8x6
    EXPECT_THAT(text, HasSubstr("each cell of 4x3 values"));
}

TEST(HeatMap, IsLeftOutWhenCellsAreMissing) { EXPECT_EQ(heat_map_html({2, 2, 1, 1, {0, 1, 0}}, "variance", 0, 0), ""); }

} // namespace
} // namespace isovmaf

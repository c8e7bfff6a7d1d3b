// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/strip.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "html/heat_scale.hpp"

namespace isovmaf {
namespace {

using testing::HasSubstr;

TEST(Strip, ManyFramesTakeNoMoreRoomThanAThousand) {
    std::vector<std::uint8_t> worst(100'000);
    for (std::size_t frame = 0; frame < worst.size(); frame += 2)
        worst[frame] = static_cast<std::uint8_t>(1 + frame / 100 % 64);
    const std::string text = strip_html("hip:0", worst);
    EXPECT_LT(text.size(), std::size_t{30'000});
    EXPECT_THAT(text, HasSubstr("50,000 of 100,000 frames differ: 0, 2, 4, 6, 8, 10, 12, 14 and 49,992 more"));

    worst.assign(100'000, 0);
    worst[54'321] = 1; // one frame is not lost
    EXPECT_THAT(strip_html("hip:0", worst), HasSubstr("d=\"M543 0h1v1h-1z\""));
}

TEST(Strip, MergesRuns) {
    const std::string text = strip_html("hip:0", std::array<std::uint8_t, 6>{0, 0, 3, 3, 3, 65});
    EXPECT_THAT(text, HasSubstr("4 of 6 frames differ: 2–5"));
    EXPECT_THAT(text, HasSubstr(fmt::format("stroke=\"{}\" d=\"M2 0h3v1h-3z\"", heat_colour(3))));
    EXPECT_THAT(text, HasSubstr(fmt::format("stroke=\"{}\" d=\"M5 0h1v1h-1z\"", heat_colour(15))));
}

TEST(Strip, EscapesItsTitle) {
    EXPECT_THAT(strip_html("<hip>", std::array<std::uint8_t, 1>{0}), HasSubstr("<h3>&lt;hip&gt;</h3>"));
}

} // namespace
} // namespace isovmaf

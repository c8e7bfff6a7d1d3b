// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/validate.hpp"

#include <climits>

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

TEST(ValidateFormat, TakesEverySizeAndDepthThatFramesCanHave) {
    for (const int side : {1, 2, 321, max_frame_side})
        for (int bits = 8; bits <= 16; bits++)
            EXPECT_TRUE(validate_format({.width = side, .height = side, .bit_depth = bits})) << side << " " << bits;
}

TEST(ValidateFormat, NamesWhatIsWrong) {
    const struct {
        VideoFormat format;
        const char *message;
    } cases[] = {
        {{0, 16}, "the frame width has to be from 1 to 32768, not 0"},
        {{16, -1}, "the frame height has to be from 1 to 32768, not -1"},
        {{32769, 16}, "the frame width has to be from 1 to 32768, not 32769"},
        {{16, INT_MAX}, "the frame height has to be from 1 to 32768, not 2147483647"},
        {{16, 16, Chroma::k420, 7}, "the bit depth has to be from 8 to 16, not 7"},
        {{16, 16, Chroma::k420, 17}, "the bit depth has to be from 8 to 16, not 17"},
        {{16, 16, static_cast<Chroma>(9), 8},
         "there is no chroma subsampling number 9; known are 4:0:0, 4:2:0, 4:2:2 and 4:4:4"},
    };
    for (const auto &c : cases) {
        const auto result = validate_format(c.format);
        ASSERT_FALSE(result) << c.message;
        EXPECT_EQ(result.error().message, c.message);
    }
}

TEST(ValidateFormat, SidesAreCheckedBeforeTheyAreNarrowed) {
    EXPECT_EQ(validate_side("the width", 32768), 32768);
    EXPECT_FALSE(validate_side("the width", std::int64_t{1} << 31));
    EXPECT_FALSE(validate_side("the width", (std::int64_t{1} << 32) + 16));
}

TEST(FormatText, ReadsAsPeopleWriteIt) {
    EXPECT_EQ(format_text({.width = 1920, .height = 1080}), "1920x1080 4:2:0 8-bit");
    EXPECT_EQ(format_text({.width = 5, .height = 3, .chroma = Chroma::k400, .bit_depth = 12}), "5x3 4:0:0 12-bit");
    EXPECT_EQ(format_text({.width = 5, .height = 3, .chroma = Chroma::k422, .bit_depth = 16}), "5x3 4:2:2 16-bit");
    EXPECT_EQ(format_text({.width = 5, .height = 3, .chroma = Chroma::k444, .bit_depth = 8}), "5x3 4:4:4 8-bit");
}

} // namespace
} // namespace isovmaf

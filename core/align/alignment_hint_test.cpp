// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "align/alignment_hint.hpp"

#include <gtest/gtest.h>

namespace isovmaf::alignment_hint_test {

namespace {

TEST(AlignmentHint, NamesAConstantOffsetAndTheOption) {
    EXPECT_EQ(alignment_hint({{0, 2, 0.41, 5.2}}, {}, {}),
              "distorted seems 2 frames late (mean difference of small pictures 5.20 -> 0.41 of 255): try --offset 2");
    EXPECT_EQ(alignment_hint({{0, -1, 0.41, 5.2}}, {.offset = 3}, SampledMeans{"vmaf", 40, 33.04, 95.81}),
              "distorted seems 1 frame early (mean vmaf of 40 sampled frames 33.0 -> 95.8): try --offset 2");
}

TEST(AlignmentHint, NamesTheFrameWhereTheOffsetChanges) {
    EXPECT_EQ(
        alignment_hint({{}, {57, -1, 0.5, 4}}, {.skip_reference = 10}, {}),
        "distorted seems in time at first; from reference frame 67 on it seems 1 frame early (mean difference of "
        "small pictures 4.00 -> 0.50 of 255): 1 frame seems to be dropped near there; --frame_skip_ref 67 "
        "--frame_skip_dis 56 scores the frames after that; where the files state presentation times, try --sync pts");
    EXPECT_EQ(
        alignment_hint({{0, 2, 0.5, 4}, {30, 4, 1, 6}}, {}, {}),
        "distorted seems 2 frames late (mean difference of small pictures 4.00 -> 0.50 of 255): try --offset 2; "
        "from reference frame 30 on it seems 4 frames late (mean difference of small pictures 6.00 -> 1.00 of "
        "255): 2 frames seem to be repeated near there; --frame_skip_ref 30 --frame_skip_dis 34 scores the frames "
        "after that; where the files state presentation times, try --sync pts");
}

TEST(TimeHint, NamesFramesOfTheFasterVideoAndWhatToLeaveOut) {
    const TimePairs fast_reference{.skipped = {4, 2}, .reference_moves = true, .moving_per_fixed = 2};
    EXPECT_EQ(time_hint({{0, 1, 0.41, 5.2}}, fast_reference, {}),
              "distorted seems 1 frame of the reference early (mean difference of small pictures 5.20 -> 0.41 of 255): "
              "try --frame_skip_ref 5 --frame_skip_dis 2");
    EXPECT_EQ(
        time_hint({{0, 2, 0.41, 5.2}}, {.moving_per_fixed = 2, .absolute = true}, SampledMeans{"vmaf", 40, 33, 95}),
        "distorted seems 2 frames of the distorted video late (mean vmaf of 40 sampled frames 33.0 -> 95.0): try "
        "--sync pts --frame_skip_ref 0 --frame_skip_dis 2");
    EXPECT_EQ(
        time_hint({{}, {30, -1, 0.5, 4}}, fast_reference, {}),
        "distorted seems in time at first; from pair 30 on it seems 1 frame of the reference late (mean difference "
        "of small pictures 4.00 -> 0.50 of 255)");
}

TEST(TimeHint, BeginsLaterWhereTheFasterVideoHasNoEarlierFrame) {
    const auto skips = [](int offset, bool reference_moves, double moving_per_fixed) {
        return skips_for(offset, {.reference_moves = reference_moves, .moving_per_fixed = moving_per_fixed});
    };
    EXPECT_EQ(skips(3, true, 2), (FrameSkips{3, 0}));
    EXPECT_EQ(skips(-1, true, 2), (FrameSkips{1, 1}));
    EXPECT_EQ(skips(-2, true, 2), (FrameSkips{0, 1}));
    EXPECT_EQ(skips(-3, true, 2.5), (FrameSkips{2, 2}));
    EXPECT_EQ(skips(-1, false, 2), (FrameSkips{1, 1}));
    EXPECT_EQ(skips(-1, false, 1), (FrameSkips{1, 0}));
}

} // namespace

} // namespace isovmaf::alignment_hint_test

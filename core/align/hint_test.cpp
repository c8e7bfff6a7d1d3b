// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "align/hint.hpp"

#include <gtest/gtest.h>

namespace isovmaf::hint_test {
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
        alignment_hint({{0, 2, 0.5, 4}, {30, 4, 1, 6}}, {.by_time = true}, {}),
        "distorted seems 2 frames late (mean difference of small pictures 4.00 -> 0.50 of 255): try --offset 2; "
        "from reference frame 30 on it seems 4 frames late (mean difference of small pictures 6.00 -> 1.00 of "
        "255): 2 frames seem to be repeated near there; --frame_skip_ref 30 --frame_skip_dis 34 scores the frames "
        "after that");
}

} // namespace
} // namespace isovmaf::hint_test

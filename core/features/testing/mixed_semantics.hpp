// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/semantics.hpp"

namespace isovmaf::testing {

/// A row of tests alone, in no list: choices together that no release has together. It shows that code reads choices.
inline constexpr SemanticsRow mixed_row{
    .name = "mixed",
    .release = "the tests' mixture",
    .title = "choices of several releases",
    .meaning = "of tests",
    .choices = {.motion_blur = MotionBlur::each_picture,
                .motion_scores = MotionScores::up_to_motion3,
                .adm_share_rounding = AdmShareRounding::half},
};
inline constexpr Semantics mixed_semantics{mixed_row};

} // namespace isovmaf::testing

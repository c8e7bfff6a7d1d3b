// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "frame/black_bars.hpp"
#include "input/source.hpp"
#include "run/video_request.hpp"

namespace isovmaf {

/// A video whose pictures were looked at for black bars.
struct BarredVideo {
    const SourceInfo &info;
    BlackBars bars;
};

/// What of which video is to be cropped.
struct BarsDecision {
    std::optional<Crop> reference = {}, distorted = {}; ///< one of them at most
    std::string reason;                                 ///< also why nothing is cropped
};

/// Whether two pictures have one shape but for the rounding of their sizes. Samples are square where a side does not
/// say what they are.
[[nodiscard]] bool have_same_shape(const SourceInfo &reference, const SourceInfo &distorted);

/// Finds the black bars that one of two videos has, whose pictures have different shapes: at the top and the bottom of
/// the one whose picture is higher, or on the left and the right of the other. They are cropped only where that leaves
/// no doubt: the bars end clearly, and what is left has the shape of the other picture.
[[nodiscard]] BarsDecision decide_bars(const BarredVideo &reference, const BarredVideo &distorted);

/// Crops black bars that one of the videos has alone, as far as pictures at fixed places of both files show them. Looks
/// at none where the videos have the same shape. Adds what was decided to VideoRequest::settled. The sources are at
/// their beginning, and give what would be cropped.
Result<void> fit_bars(VideoRequest &request, FrameSource &reference, FrameSource &distorted);

} // namespace isovmaf

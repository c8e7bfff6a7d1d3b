// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/frame_maps.hpp"
#include "isovmaf/frame.hpp"

namespace isovmaf {

/// How samples become colours.
struct PictureColour {
    std::string matrix = {}; ///< libav's name; empty: that of BT.709 from 720 rows on, else that of BT.601
    bool full_range = false;
};

/// A picture as JPEG files hold it: planes of the same size of full-range Y, Cb and Cr of BT.601, without gaps.
struct SmallPicture {
    int width = 0, height = 0;
    std::array<std::vector<std::uint8_t>, 3> planes;
};

/// The larger side of a small picture, at most.
inline constexpr int largest_small_side = 640;

/// The frame with 1/n of its width and height, where n is the smallest whole number that makes it small enough. Each
/// sample is the mean of n x n samples. Samples of BT.2020, PQ and HLG are shown without tone mapping.
[[nodiscard]] SmallPicture shrink(const Frame &frame, const PictureColour &colour);

/// Where the luma of two frames differs: gray, 0 where it is equal.
struct DifferencePicture {
    SmallPicture picture;
    int factor = 1; ///< that 8-bit levels are multiplied by: 1, 2, 4 and so on to 64, as large as 99 % of them allow
};

/// The means of the absolute differences, of the same size as the pictures of `shrink`.
[[nodiscard]] DifferencePicture shrink_difference(const FramePair &pair);

/// The maps of a frame of that format in one picture, as large as those of `shrink`: gray, 0 where all maps are 0, and
/// 255 where one has its largest value or more. A sample shows the largest share that the maps have there; its level
/// grows with the square root, as most shares are small.
[[nodiscard]] SmallPicture shrink_maps(const VideoFormat &format, std::span<const MapShares> maps);

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

namespace isovmaf {

/// Chroma subsampling of planar Y'CbCr video.
enum class Chroma : std::uint8_t {
    k400, ///< luma only
    k420, ///< chroma halved in both directions
    k422, ///< chroma halved horizontally
    k444, ///< chroma at full size
};

/// Subsampled chroma of an odd size is scored rounded down, but stored rounded up: whether a frame's memory holds the
/// last column and row too.
enum class ChromaEdge : std::uint8_t { absent, present };

/// Shape of every frame of a video.
///
/// Samples are unsigned: one byte each at 8 bit, else two little-endian bytes with the value in the low bits.
/// Odd luma sizes: files hold ceil(width / 2) chroma columns, scoring reads floor(width / 2) of them (likewise rows),
/// because the reference semantics do. `plane_width` and `plane_height` give the scored size.
struct VideoFormat {
    int width = 0;                ///< luma samples per row, 1..32768
    int height = 0;               ///< luma rows, 1..32768
    Chroma chroma = Chroma::k420; ///< which chroma samples there are
    int bit_depth = 8;            ///< 8..16

    /// Whether both formats are the same in everything.
    friend bool operator==(const VideoFormat &, const VideoFormat &) = default;

    /// 1 for 4:0:0, else 3.
    [[nodiscard]] constexpr int plane_count() const { return chroma == Chroma::k400 ? 1 : 3; }
    /// 1 at 8 bit, else 2.
    [[nodiscard]] constexpr int bytes_per_sample() const { return bit_depth > 8 ? 2 : 1; }
    /// 1 where chroma has half the columns, else 0.
    [[nodiscard]] constexpr int chroma_shift_x() const {
        return chroma == Chroma::k420 || chroma == Chroma::k422 ? 1 : 0;
    }
    /// 1 where chroma has half the rows, else 0.
    [[nodiscard]] constexpr int chroma_shift_y() const { return chroma == Chroma::k420 ? 1 : 0; }
    /// Samples in a row of plane 0..2, as scored.
    [[nodiscard]] constexpr int plane_width(int plane) const { return plane == 0 ? width : width >> chroma_shift_x(); }
    /// Rows of plane 0..2, as scored.
    [[nodiscard]] constexpr int plane_height(int plane) const {
        return plane == 0 ? height : height >> chroma_shift_y();
    }
};

/// "Y", "Cb" or "Cr".
[[nodiscard]] constexpr const char *plane_name(int plane) { return plane == 0 ? "Y" : plane == 1 ? "Cb" : "Cr"; }

/// Largest width and height. Every sum of the arithmetic is wide enough for pictures of this size.
inline constexpr int max_frame_side = 32768;

} // namespace isovmaf

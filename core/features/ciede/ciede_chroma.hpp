// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/feature.hpp"

namespace isovmaf {

/// Cb or Cr of the pixels of a picture, by the addresses that libvmaf takes (features.md §7).
///
/// libvmaf's planes lie in one block of zeros, Cb before Cr, each row from a multiple of 32 samples on. In 4:2:0 the
/// last column of an odd width lies behind the chroma row. In 4:2:2 libvmaf halves rows and not columns: the right half
/// of a row of pixels lies behind the chroma row. There are zeros, and then the next row, and Cr behind Cb.
template <class Sample>
class CiedeChroma {
  public:
    /// `plane`: 1 for Cb, 2 for Cr. The picture outlives this.
    CiedeChroma(const HostPicture &picture, int plane)
        : planes_{picture.plane(plane), picture.plane(2)}, is_last_(plane == 2),
          pitch_((planes_[0].width + pitch_unit - 1) / pitch_unit * pitch_unit),
          halves_rows_(picture.format().chroma != Chroma::k444),
          halves_columns_(picture.format().chroma == Chroma::k420) {}

    /// The sample of the pixel in row y and column x; 0 where libvmaf reads padding, or beyond Cr.
    [[nodiscard]] Sample at(int y, int x) const {
        const int column = halves_columns_ ? x / 2 : x;
        int row = (halves_rows_ ? y / 2 : y) + column / pitch_;
        const bool is_beyond = row >= planes_[0].height;
        if (is_beyond)
            row -= planes_[0].height;
        if ((is_beyond && is_last_) || row >= planes_[1].height || column % pitch_ >= planes_[0].width)
            return 0;
        return planes_[is_beyond ? 1 : 0].template row<Sample>(row)[column % pitch_];
    }

  private:
    static constexpr int pitch_unit = 32;

    Plane planes_[2]; ///< this one, and the one behind it unless this is the last
    bool is_last_;
    int pitch_;
    bool halves_rows_, halves_columns_;
};

} // namespace isovmaf

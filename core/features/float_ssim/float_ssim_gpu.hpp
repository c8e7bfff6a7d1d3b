// SPDX-License-Identifier: BSD-2-Clause-Patent
// Passes that float_ssim and float_ms_ssim share.
#pragma once

#include <array>

#include "features/float_ssim/float_ssim.hpp"
#include "features/float_ssim/float_ssim_params.h"

namespace isovmaf {

/// Compares pairs of pictures, one for each scale: from f32 samples in scratch memory to means.
class SsimGpuPasses {
  public:
    /// `sums` are those of a scale: 3 for l, c and s, 4 for l · c · s and these. `sizes` are those of the pictures.
    SsimGpuPasses(int sums, std::span<const SsimSize> sizes);

    [[nodiscard]] std::uint64_t scratch_bytes() const { return layout_.bytes(); }

    /// The reference picture of a scale; the distorted one follows it.
    [[nodiscard]] isovmaf_range pictures(const GpuFrame &frame, std::size_t scale) const {
        return frame.scratch + pictures_.at(scale);
    }

    /// Fills the pictures of the first scale from luma, reduced by that factor. It comes before everything else.
    void record_reduction(Recorder &recorder, const GpuFrame &frame, const VideoFormat &format, int factor) const;

    /// From the pictures of all scales to the words.
    void record_comparison(Recorder &recorder, const GpuFrame &frame) const;

  private:
    SsimParams params_{};
    std::uint32_t scales_, tiles_ = 0, groups_ = 0;
    ScratchLayout layout_;
    std::array<std::uint64_t, SSIM_MOST_SCALES> pictures_{};
    std::uint64_t terms_ = 0, plain_sums_ = 0, binades_ = 0, steps_ = 0;
};

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of MS-SSIM's means: SSIM's at five scales (features.md §6.4).
#include "features/float_ms_ssim/float_ms_ssim.hpp"

namespace isovmaf {

namespace {

constexpr SsimKernel low_pass{MS_SSIM_TAP_COUNT, ms_ssim_low_pass};

class FloatMsSsimReference final : public Extractor {
  public:
    explicit FloatMsSsimReference(int bit_depth) : bit_depth_(bit_depth) {}

    void extract(const PictureWindow &frames, Workspace &workspace, Words words, Taps taps) const override {
        SsimPicture reference = ssim_load(frames.reference->plane(0), bit_depth_, workspace);
        SsimPicture distorted = ssim_load(frames.distorted->plane(0), bit_depth_, workspace);
        for (int scale = 0; scale < MS_SSIM_SCALE_COUNT; scale++) {
            if (scale > 0) {
                reference = ssim_reduce(reference, 2, low_pass, workspace);
                distorted = ssim_reduce(distorted, 2, low_pass, workspace);
            }
            put_ms_ssim_means(ssim_compare(reference, distorted, workspace, taps, scale * ssim_stage_count), scale,
                              words);
        }
    }

  private:
    int bit_depth_;
};

} // namespace

std::unique_ptr<Extractor> make_float_ms_ssim_reference(const VideoFormat &format) {
    return std::make_unique<FloatMsSsimReference>(format.bit_depth);
}

} // namespace isovmaf

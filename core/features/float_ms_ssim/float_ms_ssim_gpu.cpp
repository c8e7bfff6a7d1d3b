// SPDX-License-Identifier: BSD-2-Clause-Patent
// Passes of MS-SSIM: the pictures of all scales, one after the other, and then those of SSIM for all scales at once.
#include "features/float_ms_ssim/float_ms_ssim.hpp"
#include "features/float_ms_ssim/float_ms_ssim_params.h"
#include "features/float_ssim/float_ssim_gpu.hpp"

namespace isovmaf {

namespace {

static_assert(MS_SSIM_SCALE_COUNT <= SSIM_MOST_SCALES);

class FloatMsSsimGpu final : public GpuExtractor {
  public:
    explicit FloatMsSsimGpu(const VideoFormat &format)
        : format_(format), sizes_(ms_ssim_sizes(format)), passes_(ms_ssim_words_per_scale, sizes_) {}

    std::uint64_t scratch_bytes() const override { return passes_.scratch_bytes(); }
    bool needs_exact_f32() const override { return true; }

    void record(Recorder &recorder, const GpuFrame &frame) const override {
        passes_.record_reduction(recorder, frame, format_, 1);
        for (std::size_t scale = 1; scale < sizes_.size(); scale++) {
            const SsimSize from = sizes_[scale - 1], to = sizes_[scale];
            const MsSsimHalveParams params{.width = from.width,
                                           .height = from.height,
                                           .half_width = to.width,
                                           .half_height = to.height,
                                           .stage = static_cast<std::int32_t>(scale) * ssim_stage_count};
            recorder.dispatch("float_ms_ssim_halve",
                              {groups_for(to.width, MS_SSIM_HALVE_THREADS), static_cast<std::uint32_t>(to.height), 2},
                              {MS_SSIM_HALVE_THREADS, 1, 1},
                              {passes_.pictures(frame, scale - 1), passes_.pictures(frame, scale)}, params);
        }
        passes_.record_comparison(recorder, frame);
    }

  private:
    VideoFormat format_;
    std::array<SsimSize, MS_SSIM_SCALE_COUNT> sizes_;
    SsimGpuPasses passes_;
};

} // namespace

std::unique_ptr<GpuExtractor> make_float_ms_ssim_gpu(const VideoFormat &format) {
    return std::make_unique<FloatMsSsimGpu>(format);
}

} // namespace isovmaf

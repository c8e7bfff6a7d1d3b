// SPDX-License-Identifier: BSD-2-Clause-Patent
// From the sums of weighted errors to PSNR-HVS: features.md §9.5.
#include "features/psnr_hvs/psnr_hvs.hpp"
#include "math/math.hpp"

namespace isovmaf {

namespace {

double decibels(double mean_error) { return 10 * (-1 * math::log10(mean_error)); } // +inf of equal planes

class PsnrHvsFinisher final : public Finisher {
  public:
    explicit PsnrHvsFinisher(const VideoFormat &format) {
        for (int p = 0; p < psnr_hvs_planes; p++)
            coefficients_[p] = static_cast<float>(PSNR_HVS_COEFFICIENTS * psnr_hvs_blocks(format.plane_width(p)) *
                                                  psnr_hvs_blocks(format.plane_height(p)));
        const int peak = (1 << format.bit_depth) - 1;
        peak_squared_ = static_cast<float>(peak * peak);
    }

    void push(std::int64_t frame, ConstWords sums, ScoreSink &sink) override {
        double errors[psnr_hvs_planes];
        for (std::size_t p = 0; p < psnr_hvs_planes; p++) {
            errors[p] = (f32_of(sums[p]) / coefficients_[p]) / peak_squared_; // in f32
            sink.set(frame, p, decibels(errors[p]));
        }
        sink.set(frame, psnr_hvs_planes, decibels(errors[0] * 0.8 + 0.1 * (errors[1] + errors[2])));
    }

  private:
    float coefficients_[psnr_hvs_planes]; ///< how many each plane has
    float peak_squared_;
};

} // namespace

std::unique_ptr<Finisher> make_psnr_hvs_finisher(const VideoFormat &format) {
    return std::make_unique<PsnrHvsFinisher>(format);
}

} // namespace isovmaf

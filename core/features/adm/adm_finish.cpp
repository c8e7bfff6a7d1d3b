// SPDX-License-Identifier: BSD-2-Clause-Patent
// From sums to adm scores: features.md §4.6 (last two points), §4.7 and §4.8. Here f32 stays f32.
#include "features/adm/adm.hpp"

#include <cmath>

#include "math/math.hpp"

namespace isovmaf {

namespace {

constexpr float third = 1.0F / 3.0F;

/// One scale's scores before they are added up.
struct ScaleScores {
    float restored = 0, added = 0, denominator = 0;
};

class AdmFinisher final : public Finisher {
  public:
    AdmFinisher(const VideoFormat &format, const OptionSet &options, const AdmCsf &csf, std::size_t masking)
        : geometry_(adm_geometry(format)), restored_(AdmSums::restored(masking)), added_(AdmSums::added(masking)),
          debug_(options.flag("debug")), skip_scale0_(options.flag("adm_skip_scale0")),
          skip_aim_(options.flag("adm_skip_aim")), dlm_weight_(options.number("adm_dlm_weight")),
          min_val_(options.number("adm_min_val")),
          smallest_(1e-10 * (format.width * format.height) / (1920.0 * 1080.0)) {
        const double noise_weight = options.number("adm_noise_weight");
        for (int s = 0; s < ADM_SCALE_COUNT; s++) {
            noise_floor_[static_cast<std::size_t>(s)] =
                math::powf(static_cast<float>(geometry(s).core.area() * noise_weight), third);
            for (int band = 0; band < ADM_BAND_COUNT; band++)
                cubed_factor_[AdmSums::at(s, band)] = math::pow(double{csf.factor.of(s, band)}, 3.0);
        }
    }

    void push(std::int64_t frame, ConstWords sums, ScoreSink &sink) override {
        std::array<ScaleScores, ADM_SCALE_COUNT> scales;
        double restored = 0, added = 0, denominator = 0;
        for (int s = 0; s < ADM_SCALE_COUNT; s++) {
            const ScaleScores &scale = scales[static_cast<std::size_t>(s)] = scale_scores(s, sums);
            restored += double{scale.restored};
            added += double{scale.added};
            denominator += double{scale.denominator};
        }
        restored = restored < smallest_ ? 0 : restored;
        denominator = denominator < smallest_ ? 0 : denominator;

        const double adm2 = denominator == 0 ? 1 : restored / denominator;
        const double aim = denominator == 0 ? 0 : added / denominator;
        const double adm3 = adm2 * dlm_weight_ + (1 - aim) * (1 - dlm_weight_);
        std::size_t output = 0;
        const auto emit = [&](double score) { sink.set(frame, output++, score); };
        emit(adm2);
        emit(aim);
        emit(adm3 > min_val_ ? adm3 : min_val_);
        for (const ScaleScores &scale : scales) // NaN where a flat reference meets noise weight 0
            emit(double{scale.restored} / double{scale.denominator});
        if (!debug_)
            return;
        emit(adm2);
        emit(restored);
        emit(denominator);
        for (const ScaleScores &scale : scales) {
            emit(double{scale.restored});
            emit(double{scale.denominator});
        }
    }

  private:
    ScaleScores scale_scores(int s, ConstWords sums) const {
        if (s == 0 && skip_scale0_)
            return {.denominator = 1e-10F};
        ScaleScores scores;
        const float noise = noise_floor_[static_cast<std::size_t>(s)];
        for (int band = 0; band < ADM_BAND_COUNT; band++) {
            const std::size_t at = AdmSums::at(s, band);
            scores.restored += math::powf(masked(s, band, sums[restored_ + at]), third) + noise;
            if (!skip_aim_)
                scores.added += math::powf(masked(s, band, sums[added_ + at]), third);
            scores.denominator += math::powf(unmasked(s, band, sums[AdmSums::denominator + at]), third) + noise;
        }
        return scores;
    }

    const AdmScale &geometry(int s) const { return geometry_[static_cast<std::size_t>(s)]; }

    float masked(int s, int band, std::int64_t sum) const { // §4.6
        const int rounded = geometry(s).cube_shift[static_cast<std::size_t>(band)] + geometry(s).row_shift;
        if (s == 0)
            return static_cast<float>(std::ldexp(static_cast<double>(sum), rounded - adm_masked_exponent_0[band]));
        return static_cast<float>(sum) / std::ldexp(1.0F, adm_masked_exponent[s] - rounded);
    }

    float unmasked(int s, int band, std::int64_t sum) const { // §4.7
        const int rounded = geometry(s).reference_cube_shift + geometry(s).reference_row_shift;
        const auto cubes = static_cast<double>(static_cast<std::uint64_t>(sum));
        return static_cast<float>(std::ldexp(cubes, rounded - adm_reference_exponent[s]) *
                                  cubed_factor_[AdmSums::at(s, band)]);
    }

    AdmGeometry geometry_;
    std::array<float, ADM_SCALE_COUNT> noise_floor_;                    ///< of each scale
    std::array<double, ADM_SCALE_COUNT * ADM_BAND_COUNT> cubed_factor_; ///< of each band, as AdmSums::at counts them
    std::size_t restored_, added_;                                      ///< where this option set's sums start
    bool debug_;
    bool skip_scale0_;
    bool skip_aim_;
    double dlm_weight_;
    double min_val_;
    double smallest_; ///< numerators and denominators below this are 0
};

} // namespace

std::unique_ptr<Finisher> make_adm_finisher(const VideoFormat &format, const OptionSet &options, const AdmCsf &csf,
                                            std::size_t masking) {
    return std::make_unique<AdmFinisher>(format, options, csf, masking);
}

} // namespace isovmaf

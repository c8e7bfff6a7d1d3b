// SPDX-License-Identifier: BSD-2-Clause-Patent
// From the means of five scales to MS-SSIM: features.md §6.4.
#include "features/float_ms_ssim/float_ms_ssim.hpp"

#include "math/math.hpp"

namespace isovmaf {

namespace {

class FloatMsSsimFinisher final : public SsimFinisher {
  public:
    FloatMsSsimFinisher(const VideoFormat &format, const OptionSet &options) : SsimFinisher(format, options) {}

    void push(std::int64_t frame, ConstWords words, ScoreSink &sink) override {
        double score = 1;
        for (std::size_t scale = 0; scale < MS_SSIM_SCALE_COUNT; scale++) {
            const auto mean = [&](std::size_t word) {
                return static_cast<double>(f32_of(words[scale * ms_ssim_words_per_scale + word]));
            };
            const double luminance_exponent = ms_ssim_luminance_exponents[scale], exponent = ms_ssim_exponents[scale];
            score *= math::pow(mean(ms_ssim_word_l), luminance_exponent) * math::pow(mean(ms_ssim_word_c), exponent) *
                     math::pow(mean(ms_ssim_word_s), exponent);
            for (std::size_t word = 0; word < ms_ssim_words_per_scale && lcs_; word++)
                sink.set(frame, 1 + word * MS_SSIM_SCALE_COUNT + scale, mean(word));
        }
        sink.set(frame, 0, reported(score));
    }
};

} // namespace

std::unique_ptr<Finisher> make_float_ms_ssim_finisher(const VideoFormat &format, const OptionSet &options) {
    return std::make_unique<FloatMsSsimFinisher>(format, options);
}

} // namespace isovmaf

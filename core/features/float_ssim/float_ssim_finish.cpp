// SPDX-License-Identifier: BSD-2-Clause-Patent
// From means to SSIM: features.md §6.
#include "features/float_ssim/float_ssim.hpp"

#include <cmath>
#include <limits>

#include "math/math.hpp"

namespace isovmaf {

namespace {

class FloatSsimFinisher final : public Finisher {
  public:
    FloatSsimFinisher(const VideoFormat &format, const OptionSet &options)
        : decibels_(format, options), lcs_(options.flag("enable_lcs")) {}

    void push(std::int64_t frame, ConstWords words, ScoreSink &sink) override {
        const auto mean = [&](std::size_t word) { return static_cast<double>(f32_of(words[word])); };
        sink.set(frame, 0, decibels_.of(mean(ssim_word_lcs)));
        for (std::size_t i = 1; i < words.size() && lcs_; i++)
            sink.set(frame, i, mean(i));
    }

  private:
    SsimDecibels decibels_;
    bool lcs_;
};

} // namespace

SsimDecibels::SsimDecibels(const VideoFormat &format, const OptionSet &options)
    : enabled_(options.flag("enable_db")), most_(std::numeric_limits<double>::infinity()) {
    const double peak = (1 << format.bit_depth) - 1, pixels = static_cast<double>(format.width) * format.height;
    if (options.flag("clip_db"))
        most_ = std::ceil(10 * math::log10(peak * peak / (0.5 / pixels)));
}

double SsimDecibels::of(double score) const {
    if (!enabled_)
        return score;
    const double decibels = -10 * math::log10(1 - score);
    return decibels < most_ ? decibels : most_; // most_ for a NaN too
}

std::unique_ptr<Finisher> make_float_ssim_finisher(const VideoFormat &format, const OptionSet &options) {
    return std::make_unique<FloatSsimFinisher>(format, options);
}

} // namespace isovmaf

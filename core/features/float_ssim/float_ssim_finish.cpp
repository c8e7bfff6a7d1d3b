// SPDX-License-Identifier: BSD-2-Clause-Patent
// From means to SSIM: features.md §6.
#include "features/float_ssim/float_ssim.hpp"

#include <cmath>
#include <limits>

#include "math/math.hpp"

namespace isovmaf {

namespace {

class FloatSsimFinisher final : public SsimFinisher {
  public:
    FloatSsimFinisher(const VideoFormat &format, const OptionSet &options) : SsimFinisher(format, options) {}

    void push(std::int64_t frame, ConstWords words, ScoreSink &sink) override {
        const auto mean = [&](std::size_t word) { return static_cast<double>(f32_of(words[word])); };
        sink.set(frame, 0, reported(mean(ssim_word_lcs)));
        for (std::size_t i = 1; i < words.size() && lcs_; i++)
            sink.set(frame, i, mean(i));
    }
};

} // namespace

SsimFinisher::SsimFinisher(const VideoFormat &format, const OptionSet &options)
    : lcs_(options.flag("enable_lcs")), decibels_(options.flag("enable_db")),
      most_decibels_(std::numeric_limits<double>::infinity()) {
    const double peak = (1 << format.bit_depth) - 1, pixels = static_cast<double>(format.width) * format.height;
    if (options.flag("clip_db"))
        most_decibels_ = std::ceil(10 * math::log10(peak * peak / (0.5 / pixels)));
}

double SsimFinisher::reported(double score) const {
    if (!decibels_)
        return score;
    const double decibels = -10 * math::log10(1 - score);
    return decibels < most_decibels_ ? decibels : most_decibels_; // the latter for a NaN too
}

std::unique_ptr<Finisher> make_float_ssim_finisher(const VideoFormat &format, const OptionSet &options) {
    return std::make_unique<FloatSsimFinisher>(format, options);
}

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
// From sums of c-values to scores: cambi.md §8.
#include "features/cambi/cambi.hpp"

#include <algorithm>

namespace isovmaf {

namespace {

/// One picture's sums as a score.
class CambiScore {
  public:
    CambiScore(const CambiPicture &picture, const CambiContrast &contrast, double topk, std::size_t sums)
        : first_word_(sums * CAMBI_SCALE_COUNT) {
        const std::array<CambiSize, CAMBI_SCALE_COUNT> sizes = cambi_scale_sizes(picture);
        for (std::size_t scale = 0; scale < sizes.size(); scale++)
            counts_[scale] = static_cast<double>(cambi_pooled_count(topk, sizes[scale].pixels()));
        const auto side = static_cast<std::uint16_t>(2 * contrast.radius() + 1);
        window_pixels_ = static_cast<std::uint16_t>(side * side);
    }

    [[nodiscard]] double score(ConstWords words) const {
        double sum = 0;
        for (std::size_t scale = 0; scale < CAMBI_SCALE_COUNT; scale++)
            sum += f64_of(words[first_word_ + scale]) / counts_[scale] * (1 << (CAMBI_SCALE_COUNT - 1 - scale));
        return sum / window_pixels_;
    }

  private:
    std::size_t first_word_;
    std::array<double, CAMBI_SCALE_COUNT> counts_{}; ///< of the values in each sum
    double window_pixels_;
};

class CambiFinisher final : public Finisher {
  public:
    CambiFinisher(const CambiSettings &settings, const CambiSumsUsed &used)
        : distorted_(settings.distorted, settings.distorted_contrast, settings.topk, used.distorted),
          source_(settings.source, settings.source_contrast, settings.topk, used.source), max_val_(settings.max_val),
          full_ref_(settings.full_ref) {}

    void push(std::int64_t frame, ConstWords words, ScoreSink &sink) override {
        const double distorted = distorted_.score(words);
        sink.set(frame, cambi_output, std::min(distorted, max_val_));
        if (!full_ref_)
            return;
        const double source = source_.score(words);
        sink.set(frame, source_output, std::min(source, max_val_));
        sink.set(frame, full_reference_output, std::min(std::max(0.0, distorted - source), max_val_));
    }

  private:
    static constexpr std::size_t cambi_output = 0, source_output = 1, full_reference_output = 2;

    CambiScore distorted_, source_;
    double max_val_;
    bool full_ref_;
};

} // namespace

std::unique_ptr<Finisher> make_cambi_finisher(const CambiSettings &settings, const CambiSumsUsed &used) {
    return std::make_unique<CambiFinisher>(settings, used);
}

} // namespace isovmaf

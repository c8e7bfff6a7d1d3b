// SPDX-License-Identifier: BSD-2-Clause-Patent
// From the scores of Cb and Cr to the reported ones: speed.md §9.
#include "features/speed_chroma/speed_chroma.hpp"

#include <algorithm>

#include "features/speed/speed.hpp"

namespace isovmaf {

namespace {

class SpeedChromaFinisher final : public Finisher {
  public:
    SpeedChromaFinisher(double max_val, const SpeedChromaComparisons &comparisons)
        : max_val_(max_val), comparisons_(comparisons) {}

    void push(std::int64_t frame, ConstWords words, ScoreSink &sink) override {
        const auto score = [&](std::size_t comparison) { return f32_of(words[SpeedDemand::score_word(comparison)]); };
        const auto is_bad = [&](std::size_t comparison) { return words[SpeedDemand::bad_word(comparison)] != 0; };
        const float u = score(comparisons_.u), v = score(comparisons_.v);
        float uv = static_cast<float>(double{u + v} / 2);
        if (is_bad(comparisons_.u) != is_bad(comparisons_.v))
            uv = is_bad(comparisons_.u) ? v : u;
        std::size_t output = 0;
        for (const float value : {u, v, uv})
            sink.set(frame, output++, std::min(double{value}, max_val_));
    }

  private:
    double max_val_;
    SpeedChromaComparisons comparisons_;
};

} // namespace

std::unique_ptr<Finisher> make_speed_chroma_finisher(const OptionSet &options,
                                                     const SpeedChromaComparisons &comparisons) {
    return std::make_unique<SpeedChromaFinisher>(options.number("speed_max_val"), comparisons);
}

} // namespace isovmaf

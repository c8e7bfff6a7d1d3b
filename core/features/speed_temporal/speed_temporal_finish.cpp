// SPDX-License-Identifier: BSD-2-Clause-Patent
// The score of a frame: speed.md §10. That of the first frame is 0, as all its words are.
#include "features/speed_temporal/speed_temporal.hpp"

#include "features/speed/speed.hpp"

namespace isovmaf {

namespace {

class SpeedTemporalFinisher final : public Finisher {
  public:
    explicit SpeedTemporalFinisher(std::size_t comparison) : comparison_(comparison) {}

    void push(std::int64_t frame, ConstWords words, ScoreSink &sink) override {
        sink.set(frame, 0, double{f32_of(words[SpeedDemand::score_word(comparison_)])});
    }

  private:
    std::size_t comparison_;
};

} // namespace

std::unique_ptr<Finisher> make_speed_temporal_finisher(std::size_t comparison) {
    return std::make_unique<SpeedTemporalFinisher>(comparison);
}

} // namespace isovmaf

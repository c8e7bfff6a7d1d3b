// SPDX-License-Identifier: BSD-2-Clause-Patent
// From the sum of the colour differences to decibels: features.md §7.
#include "features/ciede/ciede.hpp"

#include "features/ciede/ciede_math.h"
#include "math/math.hpp"

namespace isovmaf {

namespace {

class CiedeFinisher final : public Finisher {
  public:
    explicit CiedeFinisher(double pixels) : pixels_(pixels) {}

    void push(std::int64_t frame, ConstWords sums, ScoreSink &sink) override {
        sink.set(frame, 0, ciede_decibels_of_1 - 20 * math::log10(f64_of(sums[0]) / pixels_));
    }

  private:
    double pixels_;
};

} // namespace

std::unique_ptr<Finisher> make_ciede_finisher(const VideoFormat &format) {
    return std::make_unique<CiedeFinisher>(static_cast<double>(format.width) * format.height);
}

} // namespace isovmaf

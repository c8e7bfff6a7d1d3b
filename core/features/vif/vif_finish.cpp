// SPDX-License-Identifier: BSD-2-Clause-Patent
// From sums to VIF scores: features.md §3.5.
#include "features/vif/vif.hpp"

namespace isovmaf {

namespace {

/// Information of one scale; f32 as in the reference semantics.
struct ScaleInformation {
    float num;
    float den; ///< above zero: every pixel adds at least 1
};

ScaleInformation scale_information(ConstWords block, std::size_t limit_index) {
    const auto sum = [&](std::size_t index) { return static_cast<double>(block[index]); };
    const double num_log = sum(VifDemand::num_log_sums + limit_index) / VIF_LOG_UNIT;
    const double den_log = sum(VifDemand::den_log_sum) / VIF_LOG_UNIT;
    const double den_non = sum(VifDemand::den_non_sum);
    const double num_non = den_non - sum(VifDemand::num_non_sum) / 16384.0 / 65025.0;
    return {static_cast<float>(num_log + num_non), static_cast<float>(den_log + den_non)};
}

class VifFinisher final : public Finisher {
  public:
    VifFinisher(const VifDemand &demand, const OptionSet &options)
        : block_(demand.sums_per_scale()), limit_index_(demand.limit_index(options.number("vif_enhn_gain_limit"))),
          skip_scale0_(options.flag("vif_skip_scale0")), debug_(options.flag("debug")) {}

    void push(std::int64_t frame, ConstWords sums, ScoreSink &sink) override {
        double num = 0, den = 0;
        for (std::size_t scale = 0; scale < VIF_SCALE_COUNT; scale++) {
            const bool skipped = scale == 0 && skip_scale0_;
            const ScaleInformation information =
                skipped ? ScaleInformation{0, -1}
                        : scale_information(sums.subspan(scale * block_, block_), limit_index_);
            sink.set(frame, scale, skipped ? 0 : double{information.num / information.den});
            if (debug_) {
                sink.set(frame, scales_output + 2 * scale, information.num);
                sink.set(frame, scales_output + 2 * scale + 1, information.den);
            }
            if (!skipped) {
                num += information.num;
                den += information.den;
            }
        }
        if (debug_) {
            sink.set(frame, vif_output, num / den);
            sink.set(frame, num_output, num);
            sink.set(frame, den_output, den);
        }
    }

  private:
    static constexpr std::size_t vif_output = VIF_SCALE_COUNT, num_output = vif_output + 1, den_output = vif_output + 2,
                                 scales_output = vif_output + 3; ///< num and den of scale 0, of scale 1, ...

    std::size_t block_; ///< sums of one scale
    std::size_t limit_index_;
    bool skip_scale0_;
    bool debug_;
};

} // namespace

std::unique_ptr<Finisher> make_vif_finisher(const VifDemand &demand, const OptionSet &options) {
    return std::make_unique<VifFinisher>(demand, options);
}

} // namespace isovmaf

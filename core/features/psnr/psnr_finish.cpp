// SPDX-License-Identifier: BSD-2-Clause-Patent
// From squared errors to PSNR: features.md §5.
#include "features/psnr/psnr.hpp"

#include <algorithm>
#include <cmath>

#include "features/psnr/psnr_math.h"
#include "math/math.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view apsnr_names[] = {"apsnr_y", "apsnr_cb", "apsnr_cr"};

class PsnrFinisher final : public Finisher {
  public:
    PsnrFinisher(const VideoFormat &format, const OptionSet &options)
        : planes_(static_cast<std::size_t>(psnr_plane_count(format, options))), mse_(options.flag("enable_mse")),
          aggregate_(options.flag("enable_apsnr")) {
        const std::uint32_t peak = psnr_peak(format.bit_depth, options.flag("reduced_hbd_peak"));
        peak_squared_ = peak * peak; // at most 65535²
        const double min_sse = options.number("min_sse");
        for (std::size_t p = 0; p < planes_.size(); p++) {
            const int plane = static_cast<int>(p);
            Totals &totals = planes_[p];
            totals.pixels_per_frame = std::int64_t{format.plane_width(plane)} * format.plane_height(plane);
            const auto pixels = static_cast<double>(totals.pixels_per_frame);
            totals.cap = min_sse == 0 ? psnr_default_cap(format.bit_depth)
                                      : std::ceil(10 * math::log10(peak_squared_ / (min_sse / pixels)));
        }
    }

    void push(std::int64_t frame, ConstWords sums, ScoreSink &sink) override {
        std::size_t output = 0;
        for (std::size_t p = 0; p < planes_.size(); p++) {
            Totals &totals = planes_[p];
            const double mse = static_cast<double>(sums[p]) / static_cast<double>(totals.pixels_per_frame);
            const double psnr = 10 * math::log10(peak_squared_ / std::max(mse, PSNR_SMALLEST_MSE));
            sink.set(frame, output++, std::min(psnr, totals.cap));
            if (mse_)
                sink.set(frame, output++, mse);
            totals.sse += static_cast<std::uint64_t>(sums[p]);
            totals.pixels += static_cast<std::uint64_t>(totals.pixels_per_frame);
        }
    }

    void flush(ScoreSink &sink) override {
        if (!aggregate_)
            return;
        for (std::size_t p = 0; p < planes_.size(); p++)
            if (planes_[p].pixels > 0)
                sink.set_aggregate(apsnr_names[p], whole_video(planes_[p]));
    }

  private:
    struct Totals {
        std::int64_t pixels_per_frame = 0;
        double cap = 0;
        std::uint64_t sse = 0; ///< over all frames, like `pixels`
        std::uint64_t pixels = 0;
    };

    double whole_video(const Totals &totals) const {
        const auto sse = static_cast<double>(totals.sse), pixels = static_cast<double>(totals.pixels);
        const double psnr =
            10 * (math::log10(peak_squared_) + math::log10(pixels) - math::log10(sse)); // +inf if sse is 0
        return std::min(psnr, std::ceil(10 * math::log10(peak_squared_ * pixels * 2)));
    }

    std::vector<Totals> planes_;
    bool mse_;
    bool aggregate_;
    double peak_squared_;
};

} // namespace

std::vector<std::string> psnr_aggregates(const VideoFormat &format, const OptionSet &options) {
    if (!options.flag("enable_apsnr"))
        return {};
    return {std::begin(apsnr_names), std::begin(apsnr_names) + psnr_plane_count(format, options)};
}

std::unique_ptr<Finisher> make_psnr_finisher(const VideoFormat &format, const OptionSet &options) {
    return std::make_unique<PsnrFinisher>(format, options);
}

} // namespace isovmaf

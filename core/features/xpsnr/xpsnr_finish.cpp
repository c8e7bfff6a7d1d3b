// SPDX-License-Identifier: BSD-2-Clause-Patent
// From weighted errors to scores in dB: xpsnr.md §6.
#include <algorithm>
#include <cmath>
#include <limits>

#include "features/xpsnr/xpsnr.hpp"
#include "math/math.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view average_names[] = {"axpsnr_y", "axpsnr_u", "axpsnr_v"};
constexpr std::string_view smallest_average = "axpsnr_min";

class XpsnrFinisher final : public Finisher {
  public:
    XpsnrFinisher(const XpsnrGrid &grid, int plane_count) : planes_(static_cast<std::size_t>(plane_count)) {
        const std::uint64_t largest = (std::uint64_t{1} << grid.format().bit_depth) - 1;
        for (std::size_t p = 0; p < planes_.size(); p++) {
            const int plane = static_cast<int>(p);
            planes_[p].peak =
                static_cast<double>(static_cast<std::uint64_t>(grid.plane_width(plane)) *
                                    static_cast<std::uint64_t>(grid.plane_height(plane)) * largest * largest);
        }
    }

    void push(std::int64_t frame, ConstWords words, ScoreSink &sink) override {
        frames_++;
        for (std::size_t p = 0; p < planes_.size(); p++) {
            const double root = std::sqrt(static_cast<double>(static_cast<std::uint64_t>(words[p])));
            planes_[p].roots = planes_[p].roots + root;
            sink.set(frame, p, decibel(planes_[p].peak, root, root >= 1.0));
        }
    }

    void flush(ScoreSink &sink) override {
        if (frames_ == 0)
            return;
        const auto count = static_cast<double>(frames_);
        double smallest = std::numeric_limits<double>::infinity();
        for (std::size_t p = 0; p < planes_.size(); p++) {
            const Totals &totals = planes_[p];
            const double average = decibel(totals.peak, totals.roots / count, totals.roots >= count);
            sink.set_aggregate(average_names[p], average);
            smallest = std::min(smallest, average);
        }
        sink.set_aggregate(smallest_average, smallest);
    }

  private:
    struct Totals {
        double peak = 0;  ///< squared error of black against white
        double roots = 0; ///< sum of the frames' square roots of words
    };

    static double decibel(double peak, double root, bool is_finite) {
        return is_finite ? 10.0 * math::log10(peak / (root * root)) : std::numeric_limits<double>::infinity();
    }

    std::vector<Totals> planes_;
    std::int64_t frames_ = 0;
};

} // namespace

std::vector<std::string> xpsnr_aggregates(int plane_count) {
    std::vector<std::string> names{std::begin(average_names), std::begin(average_names) + plane_count};
    names.emplace_back(smallest_average);
    return names;
}

std::unique_ptr<Finisher> make_xpsnr_finisher(const XpsnrGrid &grid, int plane_count) {
    return std::make_unique<XpsnrFinisher>(grid, plane_count);
}

} // namespace isovmaf

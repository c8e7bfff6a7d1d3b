// SPDX-License-Identifier: BSD-2-Clause-Patent
// From sums of blocks to the weighted errors of a frame: xpsnr.md §4 to §6. All f64 operations are rounded one by one.
#include <algorithm>
#include <cmath>

#include "features/xpsnr/xpsnr.hpp"

namespace isovmaf {

namespace {

double samples(const XpsnrArea &area) { return static_cast<double>(area.width()) * static_cast<double>(area.height()); }

double f64_of_sum(std::int64_t sum) { return static_cast<double>(static_cast<std::uint64_t>(sum)); }

/// Smallest activity of a block.
double least_activity(int bit_depth) { return std::ldexp(1.0, bit_depth - 6); }

/// Activity of the picture.
double picture_activity(const XpsnrGrid &grid) {
    return std::sqrt(16.0 * std::ldexp(1.0, 2 * grid.format().bit_depth - 9) /
                     std::sqrt(std::max(0.00001, grid.relative_size())));
}

/// The smaller of each block's weight and the largest one of its left, right and upper neighbours, of which the left
/// and the upper one were limited before.
void smooth(const XpsnrGrid &grid, std::vector<double> &weights) {
    for (int row = 0; row < grid.rows(); row++)
        for (int column = 0; column < grid.columns(); column++) {
            const auto at = [&](int c, int r) -> double & {
                return weights[static_cast<std::size_t>(r * grid.columns() + c)];
            };
            double largest = 0;
            if (column > 0)
                largest = std::max(largest, at(column - 1, row));
            if (column + 1 < grid.columns())
                largest = std::max(largest, at(column + 1, row));
            if (row > 0)
                largest = std::max(largest, at(column, row - 1));
            at(column, row) = std::min(at(column, row), largest);
        }
}

class XpsnrCompletion final : public Completion {
  public:
    explicit XpsnrCompletion(const XpsnrGrid &grid) : grid_(grid), activity_(picture_activity(grid)) {}

    void complete(ConstWords extracted, Words kept) const override {
        const std::vector<double> weights = grid_.has_weights() ? xpsnr_weights(grid_, extracted) : std::vector{1.0};
        for (int p = 0; p < grid_.plane_count(); p++) {
            const XpsnrSum error = xpsnr_error_sum(p);
            std::int64_t &word = kept[static_cast<std::size_t>(p)];
            if (!grid_.has_weights()) {
                word = extracted[grid_.word(0, error)];
                continue;
            }
            double sum = 0;
            for (int block = 0; block < grid_.block_count(); block++) {
                const double weighted =
                    f64_of_sum(extracted[grid_.word(block, error)]) * weights[static_cast<std::size_t>(block)];
                sum = sum + weighted;
            }
            word = sum <= 0 ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(sum * activity_ + 0.5));
        }
    }

  private:
    XpsnrGrid grid_;
    double activity_;
};

} // namespace

std::vector<double> xpsnr_weights(const XpsnrGrid &grid, ConstWords sums) {
    std::vector<double> weights;
    for (int row = 0; row < grid.rows(); row++)
        for (int column = 0; column < grid.columns(); column++) {
            const XpsnrArea core = grid.core(column, row);
            if (core.empty()) {
                weights.push_back(1.0);
                continue;
            }
            const int block = row * grid.columns() + column;
            double activity = f64_of_sum(sums[grid.word(block, XpsnrSum::spatial)]) / samples(core);
            activity = activity +
                       f64_of_sum(2 * sums[grid.word(block, XpsnrSum::temporal)]) / samples(grid.block(column, row));
            weights.push_back(1.0 / std::max(activity, least_activity(grid.format().bit_depth)));
        }
    if (grid.smoothed())
        smooth(grid, weights);
    return weights;
}

std::unique_ptr<Completion> make_xpsnr_completion(const XpsnrGrid &grid) {
    return std::make_unique<XpsnrCompletion>(grid);
}

} // namespace isovmaf

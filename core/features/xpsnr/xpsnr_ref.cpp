// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of XPSNR's sums: xpsnr.md §3.
#include <algorithm>

#include "features/xpsnr/xpsnr.hpp"
#include "features/xpsnr/xpsnr_math.h"

namespace isovmaf {

namespace {

/// Factors of the samples around a group of two by two, from two columns left of it and two rows above.
constexpr int halved_factors[6][6] = {
    {0, -1, -1, -1, -1, 0},   {-1, -2, -3, -3, -2, -1}, {-1, -3, 12, 12, -3, -1},
    {-1, -3, 12, 12, -3, -1}, {-1, -2, -3, -3, -2, -1}, {0, -1, -1, -1, -1, 0},
};

/// Samples of a picture. Behind its last column and row they repeat; without a picture, before the video, all are 0.
template <class Sample>
class Samples {
  public:
    explicit Samples(const std::optional<HostPicture> &picture) {
        if (picture)
            plane_ = picture->plane(0);
    }

    std::int64_t operator()(int x, int y) const {
        if (!plane_.data)
            return 0;
        return plane_.row<Sample>(std::min(y, plane_.height - 1))[std::min(x, plane_.width - 1)];
    }

  private:
    Plane plane_{};
};

template <class Sample>
class XpsnrReference final : public Extractor {
  public:
    explicit XpsnrReference(const XpsnrDemand &demand) : grid_(demand.grid), order_(demand.order) {}

    void extract(const PictureWindow &frames, Workspace &, Words words, Taps taps) const override {
        for (int row = 0; row < grid_.rows(); row++)
            for (int column = 0; column < grid_.columns(); column++) {
                const int block = row * grid_.columns() + column;
                const auto set = [&](XpsnrSum sum, std::int64_t value) { words[grid_.word(block, sum)] = value; };
                set(XpsnrSum::luma_error, error(frames, column, row, 0, taps));
                set(XpsnrSum::spatial, spatial(frames, column, row, taps));
                set(XpsnrSum::temporal, temporal(frames, column, row, taps));
                if (grid_.plane_count() == 1)
                    continue;
                set(XpsnrSum::cb_error, error(frames, column, row, 1, taps));
                set(XpsnrSum::cr_error, error(frames, column, row, 2, taps));
            }
    }

  private:
    /// E of a plane.
    std::int64_t error(const PictureWindow &frames, int column, int row, int plane, Taps taps) const {
        const Plane &reference = frames.reference->plane(plane, grid_.edge());
        const Plane &distorted = frames.distorted->plane(plane, grid_.edge());
        const XpsnrArea area = grid_.block(column, row, plane);
        std::int64_t sum = 0;
        for (int y = area.top; y < area.bottom; y++)
            for (int x = area.left; x < area.right; x++) {
                const std::int64_t value =
                    xpsnr_squared_error(reference.row<Sample>(y)[x], distorted.row<Sample>(y)[x]);
                if (taps.memory)
                    taps.put(plane, x, y, value);
                sum += value;
            }
        return sum;
    }

    /// S.
    std::int64_t spatial(const PictureWindow &frames, int column, int row, Taps taps) const {
        const XpsnrArea core = grid_.core(column, row);
        if (core.empty() || grid_.forgets_spatial(column))
            return 0;
        const Samples<Sample> o(frames.reference);
        const auto term = [&](int x, int y) {
            std::int64_t value = 0;
            if (!grid_.halved())
                value = 12 * o(x, y) - 2 * (o(x - 1, y) + o(x + 1, y) + o(x, y - 1) + o(x, y + 1)) -
                        (o(x - 1, y - 1) + o(x + 1, y - 1) + o(x - 1, y + 1) + o(x + 1, y + 1));
            else
                for (int j = 0; j < 6; j++)
                    for (int i = 0; i < 6; i++)
                        value += halved_factors[j][i] * o(x - 2 + i, y - 2 + j);
            return std::abs(value);
        };
        return sum_terms(core, term, stages().spatial(), taps);
    }

    /// T.
    std::int64_t temporal(const PictureWindow &frames, int column, int row, Taps taps) const {
        if (grid_.core(column, row).empty())
            return 0;
        const Samples<Sample> o(frames.reference), p(frames.earlier_reference[0]), q(frames.earlier_reference[1]);
        const auto change = [&](int x, int y) {
            return order_ == XpsnrOrder::first ? o(x, y) - p(x, y) : o(x, y) - 2 * p(x, y) + q(x, y);
        };
        const auto term = [&](int x, int y) {
            if (!grid_.halved())
                return std::abs(change(x, y));
            return std::abs(change(x, y) + change(x + 1, y) + change(x, y + 1) + change(x + 1, y + 1));
        };
        return sum_terms(grid_.block(column, row), term, stages().temporal(), taps);
    }

    /// The terms of an area: of each sample or, halved, of each group.
    template <class Term>
    std::int64_t sum_terms(const XpsnrArea &area, const Term &term, int stage, Taps taps) const {
        const int step = grid_.halved() ? 2 : 1;
        std::int64_t sum = 0;
        for (int y = area.top; y < area.bottom; y += step)
            for (int x = area.left; x < area.right; x += step) {
                const std::int64_t value = term(x, y);
                if (taps.memory)
                    taps.put(stage, x / step, y / step, value);
                sum += value;
            }
        return sum;
    }

    [[nodiscard]] XpsnrStages stages() const { return {grid_.plane_count()}; }

    XpsnrGrid grid_;
    XpsnrOrder order_;
};

} // namespace

std::unique_ptr<Extractor> make_xpsnr_reference(const XpsnrDemand &demand) {
    if (demand.grid.format().bytes_per_sample() == 1)
        return std::make_unique<XpsnrReference<std::uint8_t>>(demand);
    return std::make_unique<XpsnrReference<std::uint16_t>>(demand);
}

} // namespace isovmaf

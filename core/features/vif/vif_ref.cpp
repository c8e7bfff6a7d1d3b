// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of VIF's sums, from features.md §3.1 to §3.4. Pictures are filtered row by row, first down the
// columns, then along the row.
#include "features/vif/vif.hpp"

#include <algorithm>
#include <cmath>

#include "features/vif/vif_math.h"
#include "math/math.hpp"
#include "portable/edges.h"
#include "portable/taps.h"

namespace isovmaf {

namespace {

/// A luma picture at one scale. Rows follow each other without gaps.
struct Picture {
    std::uint16_t *samples;
    int width, height;

    [[nodiscard]] std::uint16_t *row(int y) const { return samples + std::ptrdiff_t{y} * width; }
};

Picture take_picture(Workspace &workspace, int width, int height) {
    return {workspace.take<std::uint16_t>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)).data(),
            width, height};
}

template <class Sample>
Picture load(const Plane &plane, Workspace &workspace) {
    const Picture picture = take_picture(workspace, plane.width, plane.height);
    for (int y = 0; y < plane.height; y++)
        std::copy_n(plane.row<Sample>(y), plane.width, picture.row(y));
    return picture;
}

/// One scale's taps F.
using Filter = std::span<const std::uint16_t>;
constexpr Filter filters[VIF_SCALE_COUNT] = {vif_taps_0, vif_taps_1, vif_taps_2, vif_taps_3};

int radius(Filter filter) { return static_cast<int>(filter.size() / 2); }

/// The row that tap k of a filter centred on row y reads.
const std::uint16_t *row_at(const Picture &picture, Filter filter, int y, std::size_t k) {
    return picture.row(mirror_101(y - radius(filter) + static_cast<int>(k), picture.height));
}

/// Sums of taps times samples down the columns, for a filter centred on row y.
void filter_columns(Filter filter, const Picture &picture, int y, std::uint32_t *out) {
    std::fill_n(out, picture.width, 0);
    for (std::size_t k = 0; k < filter.size(); k++) {
        const std::uint16_t *const row = row_at(picture, filter, y, k);
        for (int x = 0; x < picture.width; x++)
            out[x] += std::uint32_t{filter[k]} * row[x];
    }
}

/// The same of taps times products of two pictures' samples.
void filter_columns(Filter filter, const Picture &u, const Picture &v, int y, std::uint64_t *out) {
    std::fill_n(out, u.width, 0);
    for (std::size_t k = 0; k < filter.size(); k++) {
        const std::uint16_t *const u_row = row_at(u, filter, y, k), *const v_row = row_at(v, filter, y, k);
        for (int x = 0; x < u.width; x++)
            out[x] += std::uint64_t{filter[k]} * (std::uint32_t{u_row[x]} * v_row[x]);
    }
}

/// A row of `width` values with space for the reach of a filter at both ends; the pointer is to value 0.
template <class T>
T *take_row(int width, Workspace &workspace) {
    const int reach = radius(filters[0]);
    return workspace.take<T>(static_cast<std::size_t>(width + 2 * reach)).data() + reach;
}

/// Sums of taps times values along a row. Writes to both ends of the row.
template <class T>
void filter_row(Filter filter, std::uint32_t *row, int width, T *out) {
    for (int i = 1; i <= radius(filter); i++) {
        row[-i] = row[mirror_101(-i, width)];
        row[width - 1 + i] = row[mirror_101(width - 1 + i, width)];
    }
    std::fill_n(out, width, 0);
    for (std::size_t k = 0; k < filter.size(); k++) {
        const std::uint32_t *const values = row - radius(filter) + k;
        for (int x = 0; x < width; x++)
            out[x] += T{filter[k]} * values[x];
    }
}

/// Filters the rows of two pictures of one size.
class RowFilter {
  public:
    RowFilter(Filter filter, int width, int mean_shift, int product_shift, Workspace &workspace)
        : filter_(filter), width_(width), mean_shift_(mean_shift), product_shift_(product_shift),
          column_(take_row<std::uint32_t>(width, workspace)), sums_(take_row<std::uint64_t>(width, workspace)) {}

    /// Means around row y, not shifted along the row: a and b of §3.2.
    void means(const Picture &picture, int y, std::uint32_t *out) {
        filter_columns(filter_, picture, y, column_);
        for (int x = 0; x < width_; x++)
            column_[x] = vif_round_mean(column_[x], mean_shift_);
        filter_row(filter_, column_, width_, out);
    }

    /// XX, YY or XY of §3.2 for row y.
    void products(const Picture &u, const Picture &v, int y, std::uint32_t *out) {
        filter_columns(filter_, u, v, y, sums_);
        for (int x = 0; x < width_; x++)
            column_[x] = vif_round_product(sums_[x], product_shift_);
        filter_row(filter_, column_, width_, sums_);
        for (int x = 0; x < width_; x++)
            out[x] = vif_round_product(sums_[x], 16);
    }

  private:
    Filter filter_;
    int width_, mean_shift_, product_shift_;
    std::uint32_t *column_;
    std::uint64_t *sums_;
};

/// The next scale's picture: filtered with that scale's taps, every second sample of every second row (§3.1).
Picture decimate(Filter filter, const Picture &picture, int shift, Workspace &workspace) {
    const Picture half = take_picture(workspace, picture.width / 2, picture.height / 2);
    RowFilter rows(filter, picture.width, shift, 0, workspace);
    auto *const sums = take_row<std::uint32_t>(picture.width, workspace);
    for (int y = 0; y < half.height; y++) {
        rows.means(picture, 2 * y, sums);
        for (int x = 0; x < half.width; x++)
            half.row(y)[x] = vif_round_mean(sums[2 * x], 16);
    }
    return half;
}

void put_picture(Taps taps, int stage, const Picture &picture) {
    for (int y = 0; y < picture.height && taps.memory; y++)
        for (int x = 0; x < picture.width; x++)
            taps.put(stage, x, y, picture.row(y)[x]);
}

/// One row of horizontal sums, per pixel.
struct MomentRow {
    std::uint32_t *a, *b, *xx, *yy, *xy;
};

/// Adds one row's pixels to a scale's block of sums (§3.4). `Tap` is Taps or NoTaps.
template <class Tap>
void add_pixels(const MomentRow &row, int width, const VifDemand &demand, Words sums, Tap taps, const VifStages &stages,
                int y) {
    const std::uint16_t *const table = vif_log_table().data();
    std::int64_t *const num_log = &sums[VifDemand::num_log_sums];
    const std::size_t limits = demand.gain_limits.size();
    std::int64_t den_log = 0, num_non = 0, den_non = 0;
    for (int x = 0; x < width; x++) {
        const VifMoments m = vif_moments(row.a[x], row.b[x], row.xx[x], row.yy[x], row.xy[x]);
        taps.put(stages.reference_variance, x, y, m.sigma1_sq);
        taps.put(stages.distorted_variance, x, y, m.sigma2_sq);
        taps.put(stages.covariance, x, y, m.sigma12);
        if (m.sigma1_sq < VIF_NOISE) {
            num_non += m.sigma2_sq;
            den_non++;
            continue;
        }
        const std::int32_t own_den_log = vif_log(table, vif_noisy_variance(m.sigma1_sq)) - VIF_LOG_NOISE;
        den_log += own_den_log;
        taps.put(stages.den_log, x, y, own_den_log);
        if (m.sigma12 <= 0 || m.sigma2_sq == 0)
            continue;
        const VifGain gain = vif_gain(m);
        const std::int32_t noise_log = vif_log(table, gain.noise);
        for (std::size_t i = 0; i < limits; i++) {
            const std::int32_t own_num_log =
                vif_log(table, vif_signal(gain, demand.gain_limits[i], m.sigma1_sq)) - noise_log;
            num_log[i] += own_num_log;
            taps.put(stages.num_log + static_cast<int>(i), x, y, own_num_log);
        }
    }
    sums[VifDemand::den_log_sum] += den_log;
    sums[VifDemand::num_non_sum] += num_non;
    sums[VifDemand::den_non_sum] += den_non;
}

template <class Sample>
class VifReference final : public Extractor {
  public:
    VifReference(int bit_depth, const VifDemand &demand) : bit_depth_(bit_depth), demand_(demand) {}

    void extract(const PictureWindow &frames, Workspace &workspace, Words sums, Taps taps) const override {
        std::ranges::fill(sums, 0);
        Picture r = load<Sample>(frames.reference->plane(0), workspace);
        Picture d = load<Sample>(frames.distorted->plane(0), workspace);
        for (int scale = 0; scale < VIF_SCALE_COUNT; scale++) {
            if (scale > 0) {
                const VifStages &stages = stages_[static_cast<std::size_t>(scale)];
                const int shift = vif_mean_shift(scale - 1, bit_depth_);
                r = decimate(filters[scale], r, shift, workspace);
                d = decimate(filters[scale], d, shift, workspace);
                put_picture(taps, stages.reference, r);
                put_picture(taps, stages.distorted, d);
            }
            if (demand_.counts(scale))
                add_scale(scale, r, d, workspace, sums, taps);
        }
    }

  private:
    /// Fills a scale's block of sums.
    void add_scale(int scale, const Picture &r, const Picture &d, Workspace &workspace, Words sums, Taps taps) const {
        const std::size_t block = demand_.sums_per_scale(), at = static_cast<std::size_t>(scale);
        const Words own = sums.subspan(at * block, block);
        RowFilter rows(filters[scale], r.width, vif_mean_shift(scale, bit_depth_), vif_product_shift(scale, bit_depth_),
                       workspace);
        const auto take = [&] { return take_row<std::uint32_t>(r.width, workspace); };
        const MomentRow row{take(), take(), take(), take(), take()};
        for (int y = 0; y < r.height; y++) {
            rows.means(r, y, row.a);
            rows.means(d, y, row.b);
            rows.products(r, r, y, row.xx);
            rows.products(d, d, y, row.yy);
            rows.products(r, d, y, row.xy);
            if (taps.memory)
                add_pixels(row, r.width, demand_, own, taps, stages_[at], y);
            else
                add_pixels(row, r.width, demand_, own, NoTaps{}, stages_[at], y);
        }
    }

    int bit_depth_;
    VifDemand demand_;
    std::array<VifStages, VIF_SCALE_COUNT> stages_ = vif_stages(demand_);
};

} // namespace

const std::array<std::uint16_t, VIF_LOG_COUNT> &vif_log_table() {
    static const auto table = [] {
        std::array<std::uint16_t, VIF_LOG_COUNT> values{};
        for (std::size_t i = 0; i < VIF_LOG_COUNT; i++) {
            const auto log =
                static_cast<float>(math::log2(static_cast<double>(VIF_LOG_FIRST + i))); // f32, as §3.3 asks
            values[i] = static_cast<std::uint16_t>(std::round(log * VIF_LOG_UNIT));
        }
        return values;
    }();
    return table;
}

std::unique_ptr<Extractor> make_vif_reference(const VideoFormat &format, const VifDemand &demand) {
    if (format.bytes_per_sample() == 1)
        return std::make_unique<VifReference<std::uint8_t>>(format.bit_depth, demand);
    return std::make_unique<VifReference<std::uint16_t>>(format.bit_depth, demand);
}

} // namespace isovmaf

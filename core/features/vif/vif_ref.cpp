// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of VIF's sums, from features.md §3.1 to §3.4. Pictures are filtered row by row, first down the
// columns, then along the row; all loops over samples run over contiguous memory.
#include "features/vif/vif.hpp"

#include <algorithm>
#include <cmath>

#include "features/vif/vif_math.h"
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

/// One scale's taps, as a value that the compiler cannot see through: products with constants it would turn into shifts
/// and additions, which take longer than the processor's 16-bit multiplications.
template <std::size_t count>
struct Filter {
    static constexpr int radius = static_cast<int>(count / 2);

    std::array<std::uint16_t, count> taps;

    explicit Filter(const std::uint16_t (&values)[count]) { std::ranges::copy(values, taps.begin()); }
};

/// The rows that a vertical filter centred on row y reads.
template <class T, std::size_t count>
using Rows = std::array<const T *, count>;

template <std::size_t count>
Rows<std::uint16_t, count> rows_around(const Filter<count> &filter, const Picture &picture, int y) {
    Rows<std::uint16_t, count> rows;
    for (std::size_t k = 0; k < count; k++)
        rows[k] = picture.row(mirror_101(y - filter.radius + static_cast<int>(k), picture.height));
    return rows;
}

/// A row with space for a horizontal filter's reach at both ends; the pointer is to sample 0.
template <class T, std::size_t count>
T *take_row(const Filter<count> &filter, int width, Workspace &workspace) {
    return workspace.take<T>(static_cast<std::size_t>(width + 2 * filter.radius)).data() + filter.radius;
}

template <class T, std::size_t count>
void mirror_ends(const Filter<count> &filter, T *row, int width) {
    for (int i = 1; i <= filter.radius; i++) {
        row[-i] = row[mirror_101(-i, width)];
        row[width - 1 + i] = row[mirror_101(width - 1 + i, width)];
    }
}

/// Means down the columns (§3.1, and m1 and m2 of §3.2).
template <std::size_t count>
void vertical_means(const Filter<count> &filter, const Rows<std::uint16_t, count> &rows, int width, int shift,
                    std::uint16_t *__restrict out) {
    for (int x = 0; x < width; x++) {
        std::uint32_t sum = 0;
#pragma GCC unroll 17
        for (std::size_t k = 0; k < count; k++)
            sum += std::uint32_t{filter.taps[k]} * std::uint32_t{rows[k][x]};
        out[x] = vif_round_mean(sum, shift);
    }
    mirror_ends(filter, out, width);
}

/// Means along the row, not shifted: a and b of §3.2.
template <std::size_t count>
void horizontal_means(const Filter<count> &filter, const std::uint16_t *row, int width, std::uint32_t *__restrict out) {
    for (int x = 0; x < width; x++) {
        std::uint32_t sum = 0;
#pragma GCC unroll 17
        for (std::size_t k = 0; k < count; k++)
            sum += std::uint32_t{filter.taps[k]} * std::uint32_t{row[x - filter.radius + static_cast<int>(k)]};
        out[x] = sum;
    }
}

/// Rounds a sum of products that f64 holds exactly.
std::uint32_t round_product(double sum, int shift) {
    return vif_round_product(static_cast<std::uint64_t>(static_cast<std::int64_t>(sum)), shift);
}

/// Sums of products down the columns: xx, yy or xy of §3.2. They are integers below 2^48, as are those along the row,
/// and exact in f64 whatever the order: baseline x86-64 has vectors of f64, but cannot multiply vectors of 64-bit
/// integers.
template <std::size_t count>
void vertical_products(const Filter<count> &filter, const Rows<double, count> &rows, int width, int shift,
                       double *__restrict out) {
    constexpr std::size_t centre = count / 2;
    for (int x = 0; x < width; x++) {
        double sum = filter.taps[centre] * rows[centre][x];
#pragma GCC unroll 17
        for (std::size_t k = 0; k < centre; k++)
            sum += filter.taps[k] * (rows[k][x] + rows[count - 1 - k][x]);
        out[x] = sum;
    }
    if (shift > 0)
        for (int x = 0; x < width; x++)
            out[x] = round_product(out[x], shift);
    mirror_ends(filter, out, width);
}

/// Sums of products along the row: XX, YY or XY of §3.2.
template <std::size_t count>
void horizontal_products(const Filter<count> &filter, const double *row, int width, double *__restrict sums,
                         std::uint32_t *__restrict out) {
    constexpr int radius = Filter<count>::radius;
    for (int x = 0; x < width; x++) {
        double sum = filter.taps[radius] * row[x];
#pragma GCC unroll 17
        for (int k = 0; k < radius; k++)
            sum += filter.taps[static_cast<std::size_t>(k)] * (row[x - radius + k] + row[x + radius - k]);
        sums[x] = sum;
    }
    for (int x = 0; x < width; x++)
        out[x] = round_product(sums[x], 16);
}

/// The next scale's picture: filtered with that scale's taps, every second sample of every second row (§3.1).
template <std::size_t count>
Picture decimate(const Filter<count> &filter, const Picture &picture, int shift, Workspace &workspace) {
    const Picture half = take_picture(workspace, picture.width / 2, picture.height / 2);
    auto *const column = take_row<std::uint16_t>(filter, picture.width, workspace);
    auto *const sums = take_row<std::uint32_t>(filter, picture.width, workspace);
    for (int y = 0; y < half.height; y++) {
        vertical_means(filter, rows_around(filter, picture, 2 * y), picture.width, shift, column);
        horizontal_means(filter, column, picture.width, sums);
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

/// The products of samples that a vertical filter needs at a time, as f64. A ring: the rows within a filter's reach are
/// no more than it holds, mirrored ones included.
template <std::size_t count>
class ProductRows {
  public:
    ProductRows(const Picture &u, const Picture &v, Workspace &workspace)
        : u_(u), v_(v), ring_(workspace.take<double>(count * static_cast<std::size_t>(u.width)).data()) {}

    /// Rows around y, for y = 0, 1, 2, ... in this order.
    Rows<double, count> around(int y) {
        for (; next_ <= std::min(y + radius, u_.height - 1); next_++)
            multiply(next_);
        Rows<double, count> rows;
        for (std::size_t k = 0; k < count; k++)
            rows[k] = slot(mirror_101(y - radius + static_cast<int>(k), u_.height));
        return rows;
    }

  private:
    static constexpr int radius = static_cast<int>(count / 2);

    double *slot(int y) const { return ring_ + y % static_cast<int>(count) * std::ptrdiff_t{u_.width}; }

    void multiply(int y) {
        const std::uint16_t *const u = u_.row(y), *const v = v_.row(y);
        double *__restrict const out = slot(y);
        for (int x = 0; x < u_.width; x++)
            out[x] = std::uint32_t{u[x]} * std::uint32_t{v[x]};
    }

    Picture u_, v_;
    double *ring_;
    int next_ = 0; ///< first row that is not multiplied yet
};

/// A scale's block of sums.
template <std::size_t count>
void add_scale(const Filter<count> &filter, const Picture &r, const Picture &d, int mean_shift, int product_shift,
               const VifDemand &demand, Workspace &workspace, Words sums, Taps taps, const VifStages &stages) {
    const int w = r.width;
    auto *const m = take_row<std::uint16_t>(filter, w, workspace);
    auto *const column = take_row<double>(filter, w, workspace);
    auto *const products = take_row<double>(filter, w, workspace);
    const auto take = [&] { return take_row<std::uint32_t>(filter, w, workspace); };
    const MomentRow row{take(), take(), take(), take(), take()};
    ProductRows<count> rr(r, r, workspace), dd(d, d, workspace), rd(r, d, workspace);
    for (int y = 0; y < r.height; y++) {
        const auto means = [&](const Picture &picture, std::uint32_t *out) {
            vertical_means(filter, rows_around(filter, picture, y), w, mean_shift, m);
            horizontal_means(filter, m, w, out);
        };
        const auto moments = [&](ProductRows<count> &rows, std::uint32_t *out) {
            vertical_products(filter, rows.around(y), w, product_shift, column);
            horizontal_products(filter, column, w, products, out);
        };
        means(r, row.a);
        means(d, row.b);
        moments(rr, row.xx);
        moments(dd, row.yy);
        moments(rd, row.xy);
        if (taps.memory)
            add_pixels(row, w, demand, sums, taps, stages, y);
        else
            add_pixels(row, w, demand, sums, NoTaps{}, stages, y);
    }
}

template <class Sample>
class VifReference final : public Extractor {
  public:
    VifReference(int bit_depth, const VifDemand &demand) : bit_depth_(bit_depth), demand_(demand) {}

    void extract(const FrameInputs &frames, Workspace &workspace, Words sums, Taps taps) const override {
        std::ranges::fill(sums, 0);
        Picture r = load<Sample>(frames.reference->plane(0), workspace);
        Picture d = load<Sample>(frames.distorted->plane(0), workspace);
        const Output out{workspace, sums, taps};
        if (demand_.scale0)
            add(0, filter0_, r, d, out);
        next(1, filter1_, r, d, out);
        next(2, filter2_, r, d, out);
        next(3, filter3_, r, d, out);
    }

  private:
    /// What an extraction works with and writes to.
    struct Output {
        Workspace &workspace;
        Words sums;
        Taps taps;
    };

    template <std::size_t count>
    void add(int scale, const Filter<count> &filter, const Picture &r, const Picture &d, const Output &out) const {
        const std::size_t block = demand_.sums_per_scale(), at = static_cast<std::size_t>(scale);
        add_scale(filter, r, d, vif_mean_shift(scale, bit_depth_), vif_product_shift(scale, bit_depth_), demand_,
                  out.workspace, out.sums.subspan(at * block, block), out.taps, stages_[at]);
    }

    template <std::size_t count>
    void next(int scale, const Filter<count> &filter, Picture &r, Picture &d, const Output &out) const {
        const int shift = vif_mean_shift(scale - 1, bit_depth_);
        const VifStages &stages = stages_[static_cast<std::size_t>(scale)];
        r = decimate(filter, r, shift, out.workspace);
        d = decimate(filter, d, shift, out.workspace);
        put_picture(out.taps, stages.reference, r);
        put_picture(out.taps, stages.distorted, d);
        add(scale, filter, r, d, out);
    }

    int bit_depth_;
    VifDemand demand_;
    std::array<VifStages, VIF_SCALE_COUNT> stages_ = vif_stages(demand_);
    Filter<17> filter0_{vif_taps_0};
    Filter<9> filter1_{vif_taps_1};
    Filter<5> filter2_{vif_taps_2};
    Filter<3> filter3_{vif_taps_3};
};

} // namespace

const std::array<std::uint16_t, VIF_LOG_COUNT> &vif_log_table() {
    static const auto table = [] {
        std::array<std::uint16_t, VIF_LOG_COUNT> values{};
        for (std::size_t i = 0; i < VIF_LOG_COUNT; i++) {
            const auto log = static_cast<float>(std::log2(static_cast<double>(VIF_LOG_FIRST + i))); // f32, as §3.3 asks
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

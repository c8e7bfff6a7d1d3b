// SPDX-License-Identifier: BSD-2-Clause-Patent
// A tile of VIF: its pixels are added to the sums of their scale, and its part of the next scale's pictures is made
// (features.md §3.1 to §3.4). All filters are symmetric: samples at equal distance are added before they are
// multiplied. Values of 32 bits are filtered as two halves of 16: then no product and no sum needs more than 32 bits,
// and no factor more than the 24 that AMD GPUs multiply at full speed.
#ifndef ISOVMAF_VIF_TILE_H
#define ISOVMAF_VIF_TILE_H

#include "features/vif/vif_math.h"
#include "features/vif/vif_params.h"
#include "portable/kernel.h"
#include "portable/taps.h"

// The filter of a scale.
template <int32_t scale>
struct VifGauss;

#define VIF_GAUSS(scale)                                                                                               \
    template <>                                                                                                        \
    struct VifGauss<scale> {                                                                                           \
        static constexpr int32_t radius = sizeof(vif_taps_##scale) / sizeof(vif_taps_##scale[0]) / 2;                  \
        ISOVMAF_MEMBER static uint32_t at(int32_t k) { return vif_taps_##scale[k]; }                                   \
    }
VIF_GAUSS(0);
VIF_GAUSS(1);
VIF_GAUSS(2);
VIF_GAUSS(3);

static_assert(VIF_TILE_WIDTH + 2 * VifGauss<0>::radius <= VIF_THREADS, "one thread for each column");
static_assert(VIF_RUNS * VIF_RUN == VIF_TILE_WIDTH && VIF_RUNS * VIF_TILE_HEIGHT == VIF_THREADS, "one run each");
static_assert((VIF_COLUMNS - VIF_TILE_WIDTH) % 32 == 0, "runs of two rows lie in different banks");
static_assert(VIF_TILE_WIDTH % 2 == 0 && VIF_TILE_HEIGHT % 2 == 0, "tiles of the next scale are whole");

// What a block shares, first between columns and rows, then between pixels and sums.
union VifMemory {
    struct {
        uint32_t means[VIF_TILE_HEIGHT][VIF_COLUMNS];       // m1, and m2 in the upper half
        uint32_t products[3][VIF_TILE_HEIGHT][VIF_COLUMNS]; // xx, yy, xy
        uint32_t next[VIF_HALF_HEIGHT][VIF_COLUMNS];        // means by the next scale's taps, both pictures'
    } columns;
    struct {
        VifMoments moments[VIF_RUN][VIF_THREADS];
        int64_t sums[VIF_SUMS][VIF_THREADS];
        int64_t parts[VIF_PARTS][VIF_SUMS];
    } pixels;
};

// Where a block works.
struct VifTile {
    int32_t thread, left, top;
};

// A pixel whose values show.
template <class Tap>
struct VifPlace {
    Tap taps;
    int32_t x, y;

    ISOVMAF_MEMBER void put(int32_t stage, int64_t value) const { taps.put(stage, x, y, value); }
};

// Sum of taps times values around `centre`: below 2^32 for values of 16 bits.
template <class Gauss, uint32_t count>
ISOVMAF_FN uint32_t vif_filter(const uint32_t (&values)[count], int32_t centre) {
    uint32_t sum = Gauss::at(Gauss::radius) * values[centre];
    ISOVMAF_UNROLL
    for (int32_t k = 1; k <= Gauss::radius; k++)
        sum += Gauss::at(Gauss::radius - k) * (values[centre - k] + values[centre + k]);
    return sum;
}

// 32-bit values as halves of 16 bits.
template <int32_t count>
struct VifHalves {
    uint32_t low[uint32_t(count)], high[uint32_t(count)];

    ISOVMAF_MEMBER void set(int32_t i, uint32_t value) {
        low[i] = value & 0xffff;
        high[i] = value >> 16;
    }

    ISOVMAF_MEMBER void load(const uint32_t *values) {
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < count; i++)
            set(i, values[i]);
    }

    // Sum of taps times values around `centre`, rounded.
    template <class Gauss>
    ISOVMAF_MEMBER uint32_t filter(int32_t centre, int32_t shift) const {
        return vif_round_product(vif_filter<Gauss>(high, centre), vif_filter<Gauss>(low, centre), shift);
    }
};

// One column of a tile with the rows above and below that a filter of `radius` reaches.
template <int32_t radius, class Sample>
struct VifColumn {
    static constexpr int32_t count = VIF_TILE_HEIGHT + 2 * radius;
    uint32_t samples[uint32_t(count)];

    ISOVMAF_MEMBER void load(const Sample *picture, int32_t x, const int64_t *row_offsets) {
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < count; i++)
            samples[i] = ((const Sample *)((const uint8_t *)picture + row_offsets[i]))[x];
    }

    // Rounded mean around a row of the tile.
    template <class Gauss>
    ISOVMAF_MEMBER uint32_t mean(int32_t row, int32_t shift) const {
        return vif_round_mean(vif_filter<Gauss>(samples, row + radius), shift);
    }
};

// Products of two pictures' samples, filtered down the columns. Those of 8-bit samples have 16 bits. They get 65536
// more: as the taps' sum is 65536 too, sums of 32 bits stay the same. Without it nvcc finds an instruction that adds
// two 8-bit products, and packs factors for it, which takes longer than the additions and many more registers.
template <int32_t scale, class Sample, class Column>
ISOVMAF_FN void vif_filter_products(const Column &u, const Column &v, int32_t thread, int32_t shift,
                                    uint32_t (&out)[VIF_TILE_HEIGHT][VIF_COLUMNS]) {
    using Gauss = VifGauss<scale>;
    if constexpr (sizeof(Sample) == 1) {
        uint32_t products[Column::count];
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < Column::count; i++)
            products[i] = u.samples[i] * v.samples[i] + 65536;
        ISOVMAF_UNROLL
        for (int32_t row = 0; row < VIF_TILE_HEIGHT; row++)
            out[row][thread] = vif_round_product(vif_filter<Gauss>(products, row + Gauss::radius), shift);
    } else {
        VifHalves<Column::count> products;
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < Column::count; i++)
            products.set(i, u.samples[i] * v.samples[i]);
        ISOVMAF_UNROLL
        for (int32_t row = 0; row < VIF_TILE_HEIGHT; row++)
            out[row][thread] = products.template filter<Gauss>(row + Gauss::radius, shift);
    }
}

// All that is filtered down the thread's column.
template <int32_t scale, class Sample>
ISOVMAF_FN void vif_filter_column(const Sample *reference, const Sample *distorted, const int64_t *row_offsets,
                                  VifTile tile, const VifParams &p, VifMemory &memory) {
    using Gauss = VifGauss<scale>;
    auto &columns = memory.columns;
    const int32_t thread = tile.thread, shift = vif_mean_shift(scale, p.bit_depth);
    const int32_t x = vif_source(tile.left + thread - Gauss::radius, p.width, Gauss::radius);
    VifColumn<Gauss::radius, Sample> r, d;
    r.load(reference, x, row_offsets);
    d.load(distorted, x, row_offsets);
    if constexpr (scale < VIF_LAST_SCALE) {
        using NextGauss = VifGauss<scale + 1>;
        ISOVMAF_UNROLL
        for (int32_t row = 0; row < VIF_HALF_HEIGHT; row++)
            columns.next[row][thread] =
                r.template mean<NextGauss>(2 * row, shift) | d.template mean<NextGauss>(2 * row, shift) << 16;
    }
    if (p.limit_count == 0)
        return;
    ISOVMAF_UNROLL
    for (int32_t row = 0; row < VIF_TILE_HEIGHT; row++)
        columns.means[row][thread] = r.template mean<Gauss>(row, shift) | d.template mean<Gauss>(row, shift) << 16;
    const int32_t product_shift = vif_product_shift(scale, sizeof(Sample) == 1 ? 8 : p.bit_depth);
    vif_filter_products<scale, Sample>(r, r, thread, product_shift, columns.products[0]);
    vif_filter_products<scale, Sample>(d, d, thread, product_shift, columns.products[1]);
    vif_filter_products<scale, Sample>(r, d, thread, product_shift, columns.products[2]);
}

// The tile's part of the next scale's pictures: rows filtered, every second sample.
template <int32_t scale, class Tap>
ISOVMAF_FN void vif_decimate(const VifMemory &memory, VifTile tile, const VifParams &p, uint16_t *next_reference,
                             uint16_t *next_distorted, Tap taps) {
    using Gauss = VifGauss<scale + 1>;
    constexpr int32_t margin = VifGauss<scale>::radius - Gauss::radius;
    for (int32_t i = tile.thread; i < VIF_HALF_WIDTH * VIF_HALF_HEIGHT; i += VIF_THREADS) {
        const int32_t row = i / VIF_HALF_WIDTH, at = i % VIF_HALF_WIDTH;
        const int32_t x = tile.left / 2 + at, y = tile.top / 2 + row;
        if (x >= p.width / 2 || y >= p.height / 2)
            continue;
        VifHalves<2 * Gauss::radius + 1> means;
        means.load(&memory.columns.next[row][2 * at + margin]);
        const uint16_t r = vif_round_mean(vif_filter<Gauss>(means.low, Gauss::radius), 16);
        plane_row(next_reference, y, p.next_stride_bytes)[x] = r;
        taps.put(p.next_reference_stage, x, y, r);
        const uint16_t d = vif_round_mean(vif_filter<Gauss>(means.high, Gauss::radius), 16);
        plane_row(next_distorted, y, p.next_stride_bytes)[x] = d;
        taps.put(p.next_distorted_stage, x, y, d);
    }
}

// Moments of the thread's run of pixels, from columns.
template <class Gauss>
ISOVMAF_FN void vif_filter_rows(const VifMemory &memory, int32_t thread, VifMoments (&moments)[VIF_RUN]) {
    const auto &columns = memory.columns;
    const int32_t row = thread / VIF_RUNS, left = thread % VIF_RUNS * VIF_RUN;
    VifHalves<VIF_RUN + 2 * Gauss::radius> values;
    uint32_t a[VIF_RUN], b[VIF_RUN], products[3][VIF_RUN];
    values.load(&columns.means[row][left]);
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_RUN; i++) {
        a[i] = vif_filter<Gauss>(values.low, i + Gauss::radius);
        b[i] = vif_filter<Gauss>(values.high, i + Gauss::radius);
    }
    ISOVMAF_UNROLL
    for (int32_t q = 0; q < 3; q++) {
        values.load(&columns.products[q][row][left]);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < VIF_RUN; i++)
            products[q][i] = values.template filter<Gauss>(i + Gauss::radius, 16);
    }
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_RUN; i++)
        moments[i] = vif_moments(a[i], b[i], products[0][i], products[1][i], products[2][i]);
}

// Sums of a run of pixels (§3.4). A logarithm adds less than 2^17, so that of a run fits.
struct VifSums {
    int32_t den_log = 0;
    int64_t num_non = 0;
    int32_t den_non = 0;
    int32_t num_log[VIF_LIMITS] = {};

    // `limits` are the gain limits from number `first_limit` on.
    template <class Tap>
    ISOVMAF_MEMBER void add(VifMoments m, const uint16_t *table, const double *limits, int32_t first_limit,
                            const VifParams &p, VifPlace<Tap> place) {
        if (m.sigma1_sq < VIF_NOISE) {
            num_non += m.sigma2_sq;
            den_non++;
            return;
        }
        const int32_t own_den_log = vif_log(table, uint32_t(VIF_NOISE + m.sigma1_sq)) - VIF_LOG_NOISE;
        den_log += own_den_log;
        place.put(p.den_log_stage, own_den_log);
        if (m.sigma12 <= 0 || m.sigma2_sq == 0)
            return;
        const VifGain gain = vif_gain(m);
        const int32_t noise_log = vif_log(table, gain.noise);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < VIF_LIMITS; i++)
            if (i < p.limit_count - first_limit) {
                const int32_t own_num_log = vif_log(table, vif_signal(gain, limits[i], m.sigma1_sq)) - noise_log;
                num_log[i] += own_num_log;
                place.put(p.num_log_stages + first_limit + i, own_num_log);
            }
    }
};

// Adds the block's sums; those without num_log when `first_limit` is 0.
ISOVMAF_FN void vif_add_sums(const VifSums &own, VifMemory &memory, int32_t thread, int32_t first_limit, int64_t *sums,
                             const VifParams &p) {
    auto &pixels = memory.pixels;
    pixels.sums[0][thread] = own.den_log;
    pixels.sums[1][thread] = own.num_non;
    pixels.sums[2][thread] = own.den_non;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_LIMITS; i++)
        pixels.sums[3 + i][thread] = own.num_log[i];
    barrier();
    if (thread < VIF_SUMS * VIF_PARTS) {
        const int32_t sum = thread / VIF_PARTS, part = thread % VIF_PARTS;
        int64_t total = 0;
        ISOVMAF_UNROLL
        for (int32_t i = part; i < VIF_THREADS; i += VIF_PARTS)
            total += pixels.sums[sum][i];
        pixels.parts[part][sum] = total;
    }
    barrier();
    const int32_t limit = thread - 3 + first_limit;
    if (thread >= VIF_SUMS || limit >= p.limit_count || (thread < 3 && first_limit > 0))
        return;
    int64_t total = 0;
    for (int32_t part = 0; part < VIF_PARTS; part++)
        total += pixels.parts[part][thread];
    const int32_t sum = thread == 0   ? p.den_log_sum
                        : thread == 1 ? p.num_non_sum
                        : thread == 2 ? p.den_non_sum
                                      : p.num_log_sums + limit;
    if (total != 0)
        atomic_add(sums + sum, total);
}

template <class Tap>
ISOVMAF_FN void vif_show_moments(VifMoments m, const VifParams &p, VifPlace<Tap> place) {
    place.put(p.reference_variance_stage, m.sigma1_sq);
    place.put(p.distorted_variance_stage, m.sigma2_sq);
    place.put(p.covariance_stage, m.sigma12);
}

// Adds the tile's pixels to the sums.
template <class Gauss, class Tap>
ISOVMAF_FN void vif_add_pixels(VifMemory &memory, VifTile tile, const uint16_t *table, const double *gain_limits,
                               int64_t *sums, const VifParams &p, Tap taps) {
    const int32_t thread = tile.thread;
    const int32_t left = tile.left + thread % VIF_RUNS * VIF_RUN, y = tile.top + thread / VIF_RUNS;
    VifMoments moments[VIF_RUN];
    vif_filter_rows<Gauss>(memory, thread, moments);
    barrier();
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_RUN; i++) // a loop over registers would repeat the code for pixels
        memory.pixels.moments[i][thread] = moments[i];

    const int32_t count = y < p.height ? vif_min(VIF_RUN, p.width - left) : 0;
    if constexpr (Tap::on)
        for (int32_t i = 0; i < count; i++)
            vif_show_moments(memory.pixels.moments[i][thread], p, VifPlace<Tap>{taps, left + i, y});
    for (int32_t first = 0; first < p.limit_count; first += VIF_LIMITS) {
        double limits[VIF_LIMITS];
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < VIF_LIMITS; i++)
            limits[i] = gain_limits[vif_min(first + i, p.limit_count - 1)];
        VifSums own;
        ISOVMAF_NO_UNROLL
        for (int32_t i = 0; i < count; i++)
            own.add(memory.pixels.moments[i][thread], table, limits, first, p, VifPlace<Tap>{taps, left + i, y});
        vif_add_sums(own, memory, thread, first, sums, p);
    }
}

template <int32_t scale, class Sample, class Tap>
ISOVMAF_FN void vif_tile(const Sample *reference, const Sample *distorted, uint16_t *next_reference,
                         uint16_t *next_distorted, const uint16_t *table, const double *gain_limits, int64_t *sums,
                         const VifParams &p, Tap taps) {
    using Gauss = VifGauss<scale>;
    constexpr int32_t rows = VIF_TILE_HEIGHT + 2 * Gauss::radius;
    ISOVMAF_SHARED(VifMemory, memory);
    ISOVMAF_SHARED(int64_t, row_offsets[uint32_t(rows)]);
    const VifTile tile{thread_x(), group_x() * VIF_TILE_WIDTH, group_y() * VIF_TILE_HEIGHT};
    if (tile.thread < rows)
        row_offsets[tile.thread] =
            int64_t(vif_source(tile.top + tile.thread - Gauss::radius, p.height, Gauss::radius)) * p.stride_bytes;
    barrier();
    if (tile.thread < VIF_TILE_WIDTH + 2 * Gauss::radius)
        vif_filter_column<scale>(reference, distorted, row_offsets, tile, p, memory);
    barrier();
    if constexpr (scale < VIF_LAST_SCALE)
        vif_decimate<scale>(memory, tile, p, next_reference, next_distorted, taps);
    if (p.limit_count > 0)
        vif_add_pixels<Gauss>(memory, tile, table, gain_limits, sums, p, taps);
}

#endif

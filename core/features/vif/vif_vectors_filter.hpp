// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "simd/vectors.hpp"

#include "features/vif/vif_vectors_statistic.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

// Part of vif_vectors.cpp: filters as dot products of pairs of 16-bit integers (features.md §3.1, §3.2).
//
// Unsigned values v of 16 bits are filtered as v - 32768, which an i16 holds. Taps add up to 65536, so such a sum is
// 2^31 too low: one flipped bit, or the value that the sum starts from.

constexpr std::uint32_t lack = 0x80000000u; // of sums of values less 32768

HWY_INLINE VI16 sign_bits() { return hn::BitCast(di16, hn::Set(du16, 0x8000)); }

/// One scale's taps, in pairs for values that lie in pairs: at an even place and at the odd one behind it.
template <int scale_number>
struct Filter {
    static constexpr int scale = scale_number;
    static constexpr int count = scale == 0 ? 17 : scale == 1 ? 9 : scale == 2 ? 5 : 3;
    static constexpr int radius = count / 2;
    static constexpr int margin = (radius + 1) / 2 * 2; ///< the radius in whole pairs
    static constexpr int pairs = margin + 1;            ///< that an output reaches
    static constexpr int halved = scale == 3;           ///< its largest tap is no i16: taps are halved, sums doubled

    static constexpr int tap(int k) {
        if (k < 0 || k >= count)
            return 0;
        return (scale == 0   ? vif_taps_0[k]
                : scale == 1 ? vif_taps_1[k % 9]
                : scale == 2 ? vif_taps_2[k % 5]
                             : vif_taps_3[k % 3]) >>
               halved;
    }
    /// The taps of pair p for an output at an even place (odd = 0) or behind it (odd = 1).
    static constexpr int low_tap(int p, int odd) { return tap(2 * p - (margin - radius) - odd); }
    static constexpr int high_tap(int p, int odd) { return tap(2 * p - (margin - radius) - odd + 1); }
    static constexpr bool has(int p, int odd) { return low_tap(p, odd) != 0 || high_tap(p, odd) != 0; }
    static HWY_INLINE VI16 taps(int p, int odd) {
#if HWY_TARGET == HWY_AVX3 && HWY_COMPILER_GCC_ACTUAL
        // Constants that g++ knows come from scalar registers, by an instruction that keeps a multiplier busy.
        const std::int32_t *unknown = table.pairs[0];
        asm("" : "+r"(unknown));
        return hn::BitCast(di16, hn::Set(di32, unknown[9 * odd + p]));
#else
        return set_pair(low_tap(p, odd), high_tap(p, odd));
#endif
    }

    struct Table {
        std::int32_t pairs[2][9];

        constexpr Table() : pairs() {
            for (int odd = 0; odd < 2; odd++)
                for (int p = 0; p <= margin; p++)
                    pairs[odd][p] = low_tap(p, odd) | high_tap(p, odd) << 16;
        }
    };
    static constexpr Table table{};

    /// Sums start from `c`, which is even if taps are halved, and end in finish.
    static HWY_INLINE VI32 start(std::uint32_t c) { return hn::Set(di32, static_cast<std::int32_t>(c >> halved)); }
    static HWY_INLINE VU32 finish(VI32 sum) {
        const VU32 v = hn::BitCast(du32, sum);
        if constexpr (halved)
            return hn::ShiftLeft<1>(v);
        return v;
    }
};

/// Right shifts of vertical sums. At scale 0, those of 16-bit samples depend on the bit depth; others are constants.
template <class Sample, class F>
struct Shifts {
    int mean, product;

    explicit Shifts(int bit_depth)
        : mean(vif_mean_shift(F::scale, bit_depth)), product(vif_product_shift(F::scale, bit_depth)) {}

    /// A mean from its sum, in the low half of a 32-bit lane, and in the high one; the other half gets any value.
    [[nodiscard]] HWY_INLINE VU32 mean_low(VU32 v) const {
        if constexpr (sizeof(Sample) == 1)
            return hn::ShiftRight<8>(v);
        else if constexpr (F::scale == 0)
            return shift_right(du32, v, mean);
        else
            return hn::ShiftRight<16>(v);
    }
    [[nodiscard]] HWY_INLINE VU32 mean_high(VU32 v) const {
        if constexpr (sizeof(Sample) == 1)
            return hn::ShiftLeft<8>(v);
        else if constexpr (F::scale == 0)
            return shift_left(du32, v, 16 - mean);
        else
            return v;
    }
    /// A sum of 65536 * high + low.
    [[nodiscard]] HWY_INLINE VU32 product_of(VU32 high, VU32 low) const {
        if constexpr (F::scale == 0)
            return hn::Add(shift_left(du32, high, 16 - product), shift_right(du32, low, product));
        else
            return hn::Add(high, hn::ShiftRight<16>(low));
    }
};

/// Rows that are filtered together, and columns.
constexpr int group = 4;
static_assert(group == batch);

/// Pairs of rows that a group reaches.
template <class F>
constexpr int group_pairs = F::pairs + group / 2 - 1;

/// What vertical filters make of a pair of columns of one row: m1, m2, then high and low halves of xx, yy and xy, all
/// less 32768.
constexpr int part_count = 8;
using Parts = std::int16_t[part_count][2 * lanes_32];

/// Vertical sums of one column: of r, d, rr, dd and rd, for each row of a group.
struct ColumnSums {
    VI32 of[group][5];

    HWY_INLINE ColumnSums() {} // implicit members are not compiled for this level
};

HWY_INLINE VI16 pairs_of(VU32 odd, VU32 even) {
    return hn::BitCast(di16, hn::OddEven(hn::BitCast(du16, odd), hn::BitCast(du16, even)));
}

/// For rows of pairs of rows: each 32-bit lane has the even row's sample in its low half, the odd row's in its high
/// one.
HWY_INLINE VI16 load_pair(const std::uint8_t *at) {
    return hn::BitCast(di16, hn::PromoteTo(du16, hn::Load(hn::Rebind<std::uint8_t, DU16>(), at)));
}
HWY_INLINE VI16 load_pair(const std::uint16_t *at) { return hn::BitCast(di16, hn::Load(du16, at)); }

/// Calls add(q, taps) for each output q at place q * step that pair p, counted from the margin of output 0, is a part
/// of.
template <class F, int step = 1, int outputs = group, class Add>
HWY_INLINE void for_outputs(int p, Add add) {
#pragma GCC unroll 4
    for (int q = 0; q < outputs; q++) {
        const int at = p - q * step / 2, odd = q * step % 2;
        if (at >= 0 && at < F::pairs && F::has(at, odd))
            add(q, F::taps(at, odd));
    }
}

/// Vertical means of `outputs` rows of one column, `step` rows apart, before their shift.
template <class F, int step, int outputs, class Sample>
HWY_INLINE void filter_means(const Sample *const *rows, std::size_t at, int shift, VU32 *out) {
    constexpr bool bytes = sizeof(Sample) == 1;
    VI32 sum[group];
#pragma GCC unroll 4
    for (int q = 0; q < outputs; q++)
        sum[q] = F::start((bytes ? 0 : lack) + (1u << (shift - 1)));
#pragma GCC unroll 18
    for (int p = 0; p < F::pairs + (outputs - 1) * step / 2; p++) {
        VI16 v = load_pair(rows[p] + at);
        if constexpr (!bytes)
            v = hn::Xor(v, sign_bits());
        for_outputs<F, step, outputs>(p, [&](int q, VI16 taps) HWY_ATTR { sum[q] = dot(sum[q], v, taps); });
    }
#pragma GCC unroll 4
    for (int q = 0; q < outputs; q++)
        out[q] = F::finish(sum[q]);
}

/// Some of the sums of bytes: products first..last of rr, dd and rd; with the first two come the sums of r and d.
template <class F, int first, int last>
HWY_INLINE void filter_bytes(const std::uint8_t *const *r, const std::uint8_t *const *d, std::size_t at,
                             ColumnSums &sums) {
#pragma GCC unroll 4
    for (int q = 0; q < group; q++)
#pragma GCC unroll 3
        for (int k = first; k <= last; k++) {
            if (k < 2)
                sums.of[q][k] = hn::Set(di32, 128);
            sums.of[q][2 + k] = hn::Zero(di32);
        }
#pragma GCC unroll 18
    for (int p = 0; p < group_pairs<F>; p++) {
        const VI16 rows[2] = {load_pair(r[p] + at), load_pair(d[p] + at)};
        VI16 products[3];
#pragma GCC unroll 3
        for (int k = first; k <= last; k++)
            products[k] = hn::Xor(hn::Mul(rows[k % 2], rows[(k + 1) / 2]), sign_bits());
        for_outputs<F>(p, [&](int q, VI16 taps) HWY_ATTR {
#pragma GCC unroll 3
            for (int k = first; k <= last; k++) {
                if (k < 2)
                    sums.of[q][k] = dot(sums.of[q][k], rows[k], taps);
                sums.of[q][2 + k] = dot(sums.of[q][2 + k], products[k], taps);
            }
        });
    }
}

/// Vertical filters for a pair of columns. Bytes: samples are less than 2^15, and products are not shifted.
template <class F>
HWY_INLINE void vertical(const std::uint8_t *const *r, const std::uint8_t *const *d, std::size_t column,
                         const Shifts<std::uint8_t, F> &shifts, Parts *const (&out)[group]) {
    ColumnSums sums[2];
#pragma GCC unroll 2
    for (std::size_t c = 0; c < 2; c++) {
        const std::size_t at = (column + c) * lanes_32 * 2;
        if constexpr (lanes_32 >= 16) {
            filter_bytes<F, 0, 2>(r, d, at, sums[c]);
        } else { // 16 registers do not hold all sums
            filter_bytes<F, 0, 0>(r, d, at, sums[c]);
            filter_bytes<F, 1, 1>(r, d, at, sums[c]);
            filter_bytes<F, 2, 2>(r, d, at, sums[c]);
        }
    }
#pragma GCC unroll 4
    for (int q = 0; q < group; q++) {
        const auto store = [&](int part, VI16 v) HWY_ATTR { hn::Store(v, di16, (*out[q])[part]); };
        const auto sum = [&](int c, int k) HWY_ATTR { return hn::BitCast(du32, sums[c].of[q][k]); };
        for (int k = 0; k < 2; k++)
            store(k, hn::Xor(pairs_of(shifts.mean_high(sum(1, k)), shifts.mean_low(sum(0, k))), sign_bits()));
        for (int k = 2; k < 5; k++) { // products less 32768: the sums' high halves are less 32768 already
            store(2 * k - 2, pairs_of(sum(1, k), hn::ShiftRight<16>(sum(0, k))));
            store(2 * k - 1, hn::Xor(pairs_of(hn::ShiftLeft<16>(sum(1, k)), sum(0, k)), sign_bits()));
        }
    }
}

/// Vertical sums of products of 16-bit samples, shifted. The products are taken in halves.
template <class F>
HWY_INLINE void filter_products(const std::uint16_t *const *u, const std::uint16_t *const *v, std::size_t at,
                                const Shifts<std::uint16_t, F> &shifts, VU32 *out) {
    VI32 high[group], low[group];
#pragma GCC unroll 4
    for (int q = 0; q < group; q++) {
        high[q] = F::start(lack);
        low[q] = F::start(lack + ((1u << shifts.product) >> 1));
    }
#pragma GCC unroll 18
    for (int p = 0; p < group_pairs<F>; p++) {
        const VU16 a = hn::BitCast(du16, load_pair(u[p] + at)), b = hn::BitCast(du16, load_pair(v[p] + at));
        const VI16 h = hn::Xor(hn::BitCast(di16, hn::MulHigh(a, b)), sign_bits());
        const VI16 l = hn::Xor(hn::BitCast(di16, hn::Mul(a, b)), sign_bits());
        for_outputs<F>(p, [&](int q, VI16 taps) HWY_ATTR {
            high[q] = dot(high[q], h, taps);
            low[q] = dot(low[q], l, taps);
        });
    }
#pragma GCC unroll 4
    for (int q = 0; q < group; q++)
        out[q] = shifts.product_of(F::finish(high[q]), F::finish(low[q]));
}

/// Vertical filters for a pair of columns of 16-bit samples.
template <class F>
HWY_INLINE void vertical(const std::uint16_t *const *r, const std::uint16_t *const *d, std::size_t column,
                         const Shifts<std::uint16_t, F> &shifts, Parts *const (&out)[group]) {
    const std::size_t at = column * lanes_32 * 2, next = at + lanes_32 * 2;
    VU32 even[group], odd[group];
    const auto store = [&](int q, int part, VI16 v)
                           HWY_ATTR { hn::Store(hn::Xor(v, sign_bits()), di16, (*out[q])[part]); };
#pragma GCC unroll 2
    for (int k = 0; k < 2; k++) {
        filter_means<F, 1, group>(k ? d : r, at, shifts.mean, even);
        filter_means<F, 1, group>(k ? d : r, next, shifts.mean, odd);
#pragma GCC unroll 4
        for (int q = 0; q < group; q++)
            store(q, k, pairs_of(shifts.mean_high(odd[q]), shifts.mean_low(even[q])));
    }
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++) {
        const std::uint16_t *const *const u = k == 1 ? d : r, *const *const v = k == 0 ? r : d;
        filter_products<F>(u, v, at, shifts, even);
        filter_products<F>(u, v, next, shifts, odd);
#pragma GCC unroll 4
        for (int q = 0; q < group; q++) {
            store(q, 2 + 2 * k, pairs_of(odd[q], hn::ShiftRight<16>(even[q])));
            store(q, 3 + 2 * k, pairs_of(hn::ShiftLeft<16>(odd[q]), even[q]));
        }
    }
}

/// Horizontal sums of two parts for `batch` columns from pairs of columns: pair p is at[p].
template <class F>
HWY_INLINE void horizontal(const Parts *const *at, int part, std::uint32_t c0, std::uint32_t c1, VU32 *out0,
                           VU32 *out1) {
    VI32 sum0[batch], sum1[batch];
#pragma GCC unroll 4
    for (int i = 0; i < batch; i++) {
        sum0[i] = F::start(c0);
        sum1[i] = F::start(c1);
    }
#pragma GCC unroll 18
    for (int p = 0; p < F::pairs + batch / 2 - 1; p++) {
        const VI16 v0 = hn::Load(di16, (*at[p])[part]), v1 = hn::Load(di16, (*at[p])[part + 1]);
        for_outputs<F>(p, [&](int i, VI16 taps) HWY_ATTR {
            sum0[i] = dot(sum0[i], v0, taps);
            sum1[i] = dot(sum1[i], v1, taps);
        });
    }
#pragma GCC unroll 4
    for (int i = 0; i < batch; i++) {
        out0[i] = F::finish(sum0[i]);
        out1[i] = F::finish(sum1[i]);
    }
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

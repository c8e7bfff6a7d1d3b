// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// ADM's wavelet in vectors (features.md §4.1). Included by adm_vectors.cpp alone.
//
// Everything is a sum of two dot products of 16-bit pairs. Values of 32 bits are split: v = 65536 u + l + 32768, with
// -32768 <= u, l <= 32767. With U and L the filtered halves, a sum is S = 65536 U + L + 32768 T, where T is the sum of
// the taps, and (S + 2^15) >> 16 = U + T / 2 + ((L + 2^15) >> 16); T is even. Taps have magnitudes of 54822 altogether:
// no sum of 16-bit values reaches 2^31 - 2^16.
#include "simd/lanes.hpp"

#include <hwy/cache_control.h>

#include "features/adm/adm_functions.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

static_assert(2 * lanes_16 <= adm_row_padding);
static_assert(lanes_16 <= 33); // the smallest picture's rows have a whole vector of samples

struct TapPairs {
    VI16 first, second;
    int half_sum;
};

HWY_INLINE TapPairs tap_pairs(const std::int32_t (&taps)[ADM_TAP_COUNT]) {
    return {set_pair(taps[0], taps[1]), set_pair(taps[2], taps[3]), (taps[0] + taps[1] + taps[2] + taps[3]) / 2};
}

HWY_INLINE VI16 flip_top(VI16 v) { return hn::Xor(v, hn::Set(di16, -32768)); }

/// Sums of four rows in even and in odd columns.
struct ColumnSums {
    VI32 even, odd;
};

/// Four rows of 16-bit values, as pairs for `dot`.
struct RowPairs {
    VI16 even_ab, even_cd, odd_ab, odd_cd;

    HWY_INLINE RowPairs(VI16 a, VI16 b, VI16 c, VI16 d)
        : even_ab(pair_even(a, b)), even_cd(pair_even(c, d)), odd_ab(pair_odd(a, b)), odd_cd(pair_odd(c, d)) {}

    HWY_INLINE ColumnSums filter(const TapPairs &taps, VI32 start) const {
        return {dot(dot(start, even_ab, taps.first), even_cd, taps.second),
                dot(dot(start, odd_ab, taps.first), odd_cd, taps.second)};
    }
};

HWY_INLINE void store_halves(const ColumnSums &sums, const AdmFilteredRow &out, int x) {
    const VI16 even = as_i16(sums.even), odd = as_i16(sums.odd);
    hn::StoreU(pair_odd(even, odd), di16, out.upper + x);
    hn::StoreU(flip_top(pair_even(even, odd)), di16, out.lower + x);
}

// --- vertical

HWY_INLINE VI16 load_centred(const std::uint8_t *row, int) {
    return load_bytes(row); // the start value of SampleFilter takes the centre off
}
HWY_INLINE VI16 load_centred(const std::uint16_t *row, int bit_depth) {
    return hn::BitCast(di16,
                       hn::Sub(hn::LoadU(du16, row), hn::Set(du16, static_cast<std::uint16_t>(1 << (bit_depth - 1)))));
}

/// A vertical filter of scale 0: the sums, rounded by the bit depth, in 16 bits that wrap.
template <class Sample>
struct SampleFilter {
    TapPairs taps;
    VI32 start;
    int bit_depth;

    HWY_INLINE SampleFilter(const std::int32_t (&values)[ADM_TAP_COUNT], int depth)
        : taps(tap_pairs(values)), start(hn::Set(di32, 1 << (depth - 1))), bit_depth(depth) {
        if constexpr (sizeof(Sample) == 1)
            start = hn::Set(di32, 128 - 256 * taps.half_sum);
    }

    HWY_INLINE void run(const RowPairs &rows, std::int16_t *out) const {
        const ColumnSums sums = rows.filter(taps, start);
        if constexpr (sizeof(Sample) == 1)
            hn::StoreU(hn::OddEven(as_i16(hn::ShiftLeft<8>(sums.odd)), as_i16(hn::ShiftRight<8>(sums.even))), di16,
                       out);
        else
            hn::StoreU(hn::OddEven(as_i16(shift_left(di32, sums.odd, 16 - bit_depth)),
                                   as_i16(shift_right(di32, sums.even, bit_depth))),
                       di16, out);
    }
};

template <class Sample>
void filter_samples(const Sample *const *in, int width, int bit_depth, AdmColumns columns, const AdmFilteredRows &out) {
    const SampleFilter<Sample> low(adm_low_taps, bit_depth), high(adm_high_taps, bit_depth);
    for (int next = columns.begin; next < columns.end; next += lanes_16) {
        const int x = next < width - lanes_16 ? next : width - lanes_16;
        hwy::Prefetch(in[4] + x);
        hwy::Prefetch(in[5] + x);
        const RowPairs rows(load_centred(in[0] + x, bit_depth), load_centred(in[1] + x, bit_depth),
                            load_centred(in[2] + x, bit_depth), load_centred(in[3] + x, bit_depth));
        low.run(rows, out.low.upper + x);
        if (out.high.upper)
            high.run(rows, out.high.upper + x);
    }
}

void vertical_8(const std::uint8_t *const *in, int width, AdmColumns columns, const AdmFilteredRows &out) {
    filter_samples(in, width, 8, columns, out);
}

/// Scale 1 does not round.
void vertical_1(const std::int16_t *const *in, AdmColumns columns, const AdmFilteredRows &out) {
    const TapPairs low = tap_pairs(adm_low_taps), high = tap_pairs(adm_high_taps);
    const VI32 zero = hn::Zero(di32);
    for (int x = columns.begin; x < columns.end; x += lanes_16) {
        const RowPairs rows(hn::LoadU(di16, in[0] + x), hn::LoadU(di16, in[1] + x), hn::LoadU(di16, in[2] + x),
                            hn::LoadU(di16, in[3] + x));
        store_halves(rows.filter(low, zero), out.low, x);
        if (out.high.upper)
            store_halves(rows.filter(high, zero), out.high, x);
    }
}

/// Four rows of 32-bit values, lanes_32 columns of them.
struct WideRowPairs {
    VI16 upper_ab, upper_cd, lower_ab, lower_cd;

    HWY_INLINE WideRowPairs(const std::int32_t *const *in, int x) {
        const VI16 a = as_i16(hn::LoadU(di32, in[0] + x)), b = as_i16(hn::LoadU(di32, in[1] + x));
        const VI16 c = as_i16(hn::LoadU(di32, in[2] + x)), d = as_i16(hn::LoadU(di32, in[3] + x));
        upper_ab = pair_odd(a, b);
        upper_cd = pair_odd(c, d);
        lower_ab = flip_top(pair_even(a, b));
        lower_cd = flip_top(pair_even(c, d));
    }

    HWY_INLINE VI32 filter(const TapPairs &taps) const {
        const VI32 upper = dot(dot(hn::Set(di32, taps.half_sum), upper_ab, taps.first), upper_cd, taps.second);
        const VI32 lower = dot(dot(hn::Set(di32, 1 << 15), lower_ab, taps.first), lower_cd, taps.second);
        return hn::Add(upper, hn::ShiftRight<16>(lower));
    }
};

HWY_INLINE void store_wide(const WideRowPairs &a, const WideRowPairs &b, const TapPairs &taps,
                           const AdmFilteredRow &out, int x) {
    const VI32 low = a.filter(taps), high = b.filter(taps);
    store_halves({hn::ConcatEven(di32, high, low), hn::ConcatOdd(di32, high, low)}, out, x);
}

void vertical_2(const std::int32_t *const *in, AdmColumns columns, const AdmFilteredRows &out) {
    const TapPairs low = tap_pairs(adm_low_taps), high = tap_pairs(adm_high_taps);
    for (int x = columns.begin; x < columns.end; x += lanes_16) {
        const WideRowPairs a(in, x), b(in, x + lanes_32);
        store_wide(a, b, low, out.low, x);
        if (out.high.upper)
            store_wide(a, b, high, out.high, x);
    }
}

// --- horizontal

/// A filtered row around columns 2 x and following, as pairs for `dot`.
struct ColumnPairs {
    VI16 first, second;

    HWY_INLINE ColumnPairs(const std::int16_t *row, int x)
        : first(hn::LoadU(di16, row + 2 * x - 1)), second(hn::LoadU(di16, row + 2 * x + 1)) {}

    HWY_INLINE VI32 filter(const TapPairs &taps, int start) const {
        return dot(dot(hn::Set(di32, start), first, taps.first), second, taps.second);
    }
};

/// Both halves of a filtered row. `shift` is 0 for scale 0, which has one half, else the scale's.
template <int shift>
struct RowColumns {
    ColumnPairs upper, lower;

    HWY_INLINE RowColumns(const AdmFilteredRow &row, int x)
        : upper(row.upper, x), lower(shift == 0 ? row.upper : row.lower, x) {}

    HWY_INLINE VI32 filter(const TapPairs &taps) const {
        if constexpr (shift == 0)
            return hn::ShiftRight<16>(upper.filter(taps, 1 << 15));
        else
            return hn::Add(hn::ShiftLeft<16 - shift>(upper.filter(taps, taps.half_sum)),
                           hn::ShiftRight<shift>(lower.filter(taps, 1 << (shift - 1))));
    }
};

template <int shift>
void details(const AdmFilteredRows &rows, AdmColumns columns, const AdmRows &out) {
    const TapPairs low = tap_pairs(adm_low_taps), high = tap_pairs(adm_high_taps);
    for (int x = columns.begin; x < columns.end; x += lanes_32) {
        const RowColumns<shift> low_row(rows.low, x), high_row(rows.high, x);
        const VI32 h = high_row.filter(low), v = low_row.filter(high), d = high_row.filter(high);
        hn::StoreU(h, di32, out.of[ADM_BAND_H] + x);
        hn::StoreU(v, di32, out.of[ADM_BAND_V] + x);
        hn::StoreU(d, di32, out.of[ADM_BAND_D] + x);
    }
}

void first_details(const AdmFilteredRows &rows, int, AdmColumns columns, const AdmRows &out) {
    details<0>(rows, columns, out);
}
void later_details(const AdmFilteredRows &rows, int scale, AdmColumns columns, const AdmRows &out) {
    if (adm_horizontal_shift[scale] == 15)
        details<15>(rows, columns, out);
    else
        details<16>(rows, columns, out);
}

void first_approximation(const AdmFilteredRow &low, int, AdmColumns columns, void *out) {
    const hn::Rebind<std::int16_t, DI32> narrow;
    const TapPairs taps = tap_pairs(adm_low_taps);
    for (int x = columns.begin; x < columns.end; x += lanes_32)
        hn::StoreU(hn::DemoteTo(narrow, RowColumns<0>(low, x).filter(taps)), narrow,
                   static_cast<std::int16_t *>(out) + x);
}

template <int shift>
void approximation(const AdmFilteredRow &low, AdmColumns columns, void *out) {
    const TapPairs taps = tap_pairs(adm_low_taps);
    for (int x = columns.begin; x < columns.end; x += lanes_32)
        hn::StoreU(RowColumns<shift>(low, x).filter(taps), di32, static_cast<std::int32_t *>(out) + x);
}
void later_approximation(const AdmFilteredRow &low, int scale, AdmColumns columns, void *out) {
    if (adm_horizontal_shift[scale] == 15)
        approximation<15>(low, columns, out);
    else
        approximation<16>(low, columns, out);
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

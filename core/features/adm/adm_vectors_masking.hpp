// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// ADM's contrast sensitivity, thresholds and sums in vectors (features.md §4.5 to §4.7). Included by adm_vectors.cpp
// alone. make_adm_cpu says how large factors may be.
#include "simd/lanes.hpp"

#include "features/adm/adm_functions.hpp"
#include "features/adm/adm_vectors_decouple.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

/// Lanes of columns x and following that are below `end`. `lane` numbers the lanes.
HWY_INLINE MI32 below(VI32 lane, int x, int end) { return hn::Lt(lane, hn::Set(di32, end - x)); }

HWY_INLINE std::uint64_t half_of(int shift) { return (std::uint64_t{1} << shift) >> 1; }

/// 64-bit values of a vector of 32-bit lanes.
struct Wide {
    VU64 even, odd;

    HWY_INLINE VU64 sum() const { return hn::Add(even, odd); }
};

HWY_INLINE Wide multiply(VU32 a, VU32 b) { return {hn::MulEven(a, b), hn::MulEven(odd_lanes(a), odd_lanes(b))}; }

void record(const Wide &values, std::int64_t *out) {
    put_interleaved(di64, hn::BitCast(di64, values.even), hn::BitCast(di64, values.odd), lanes_32, out);
}

// --- contrast sensitivity

/// adm_sensitivity_0 or adm_sensitivity. The former's 16 bits are enough.
template <bool first, int band>
HWY_INLINE VI32 sensitivity(VI32 csf, VI32 x) {
    if constexpr (first) {
        constexpr int shift = adm_csf_shift_0[band];
        return hn::ShiftRight<shift>(hn::Add(hn::Mul(csf, x), hn::Set(di32, adm_csf_rounding_0[band])));
    } else {
        const VU64 round = hn::Set(du64, std::uint64_t{1} << 27);
        const VU64 even = hn::Add(hn::BitCast(du64, hn::MulEven(csf, x)), round);
        const VU64 odd = hn::Add(hn::BitCast(du64, hn::MulEven(csf, odd_lanes(x))), round);
        return hn::OddEven(hn::BitCast(di32, hn::ShiftLeft<4>(odd)), hn::BitCast(di32, hn::ShiftRight<28>(even)));
    }
}

/// A mask's shares: what it hides at each neighbour, and how much more of its own.
struct Shares {
    VI32 neighbour, own;
};

/// Shares of |weighted| = g. At scale 0, g < 30720: only the share of a pixel's own may leave 16 bits. `half` is what
/// is added to later shares before their fraction goes.
template <bool first>
HWY_INLINE Shares shares_of(VI32 g, VU64 half) {
    if constexpr (first) {
        const VI32 round = hn::Set(di32, 2048);
        const VI32 neighbour = hn::ShiftRight<12>(dot(round, as_i16(g), set_pair(ADM_NEIGHBOUR_FACTOR_0, 0)));
        const VI32 centre =
            hn::ShiftRight<16>(hn::ShiftLeft<4>(dot(round, as_i16(g), set_pair(ADM_CENTRE_FACTOR_0, 0))));
        return {neighbour, hn::Sub(centre, neighbour)};
    } else {
        const VU32 even = as_u32(g), odd = odd_lanes(even);
        const auto share = [&](std::uint32_t factor) HWY_ATTR {
            const VU32 f = hn::Set(du32, factor);
            return as_i32(upper_halves(hn::Add(hn::MulEven(even, f), half), hn::Add(hn::MulEven(odd, f), half)));
        };
        const VI32 neighbour = share(ADM_NEIGHBOUR_FACTOR);
        return {neighbour, hn::Sub(share(ADM_CENTRE_FACTOR), neighbour)};
    }
}

template <bool first>
void shares(const AdmRows &mask, const std::uint32_t *csf, std::int64_t share_rounding, AdmColumns columns,
            const AdmShareRows &out, const AdmRows *weighted) {
    const VU64 half = hn::Set(du64, static_cast<std::uint64_t>(share_rounding));
    const auto factor = [&](int band) HWY_ATTR { return hn::Set(di32, static_cast<std::int32_t>(csf[band])); };
    const VI32 factor_h = factor(ADM_BAND_H), factor_v = factor(ADM_BAND_V), factor_d = factor(ADM_BAND_D);
    for (int x = columns.begin; x < columns.end; x += lanes_32) {
        const auto load = [&](int band) HWY_ATTR { return hn::LoadU(di32, mask.of[band] + x); };
        const VI32 h = sensitivity<first, ADM_BAND_H>(factor_h, load(ADM_BAND_H));
        const VI32 v = sensitivity<first, ADM_BAND_V>(factor_v, load(ADM_BAND_V));
        const VI32 d = sensitivity<first, ADM_BAND_D>(factor_d, load(ADM_BAND_D));
        const Shares a = shares_of<first>(hn::Abs(h), half), b = shares_of<first>(hn::Abs(v), half),
                     c = shares_of<first>(hn::Abs(d), half);
        hn::StoreU(hn::Add(hn::Add(a.neighbour, b.neighbour), c.neighbour), di32, out.neighbour + x);
        hn::StoreU(hn::Add(hn::Add(a.own, b.own), c.own), di32, out.own + x);
        if (weighted) {
            hn::StoreU(h, di32, weighted->of[ADM_BAND_H] + x);
            hn::StoreU(v, di32, weighted->of[ADM_BAND_V] + x);
            hn::StoreU(d, di32, weighted->of[ADM_BAND_D] + x);
        }
    }
}

// --- sums

/// adm_visible_0 or adm_visible.
template <bool first, int band>
HWY_INLINE VI32 visible_part(VI32 csf, VI32 x, VI32 threshold) {
    VI32 rest;
    if constexpr (first)
        rest = hn::Sub(hn::Abs(hn::Mul(csf, x)), hn::ShiftLeft<adm_threshold_shift_0[band]>(threshold));
    else
        rest = hn::Sub(hn::Abs(sensitivity<false, band>(csf, x)), threshold);
    return hn::Max(rest, hn::Zero(di32));
}

/// One band of a row.
///
/// Sums are biased: a square may leave 31 bits, its cube is negative then, and shifts of 64-bit vectors are unsigned.
template <bool first, int band>
struct VisibleBand {
    static constexpr std::uint64_t bias = std::uint64_t{1} << 62;

    const std::int32_t *signal;
    VI32 csf;
    VU64 start; ///< half a unit, and the bias
    int cube_shift;
    std::int64_t *cubes;
    VU64 sum = hn::Zero(du64);

    HWY_INLINE VisibleBand(const AdmMaskedRow &row, const AdmMaskedRecord *record)
        : signal(row.signal.of[band]), csf(hn::Set(di32, static_cast<std::int32_t>(row.csf[band]))),
          start(hn::Set(du64, bias + half_of(row.cube_shift[band]))), cube_shift(row.cube_shift[band]),
          cubes(record ? record->cubes[band] : nullptr) {}

    /// adm_cube, and the bias.
    HWY_INLINE Wide cube(VI32 x) const {
        constexpr int square_shift = first ? adm_square_shift_0[band] : ADM_SQUARE_SHIFT;
        const VU64 square_half = hn::Set(du64, half_of(square_shift));
        const auto of = [&](VI32 v) HWY_ATTR -> VU64 {
            const VU64 product = hn::BitCast(du64, hn::MulEven(v, v));
            const VI32 square = hn::BitCast(di32, hn::ShiftRight<square_shift>(hn::Add(product, square_half)));
            return shift_right(du64, hn::Add(hn::BitCast(du64, hn::MulEven(square, v)), start), cube_shift);
        };
        return {of(x), of(odd_lanes(x))};
    }

    HWY_INLINE void add(int x, VI32 threshold, MI32 valid) {
        const VI32 part = visible_part<first, band>(csf, hn::LoadU(di32, signal + x), threshold);
        const Wide values = cube(hn::IfThenElseZero(valid, part));
        sum = hn::Add(sum, values.sum());
        if (cubes) {
            const VU64 biased = hn::Set(du64, bias >> cube_shift);
            record({hn::Sub(values.even, biased), hn::Sub(values.odd, biased)}, cubes + x);
        }
    }

    /// The sum of `lanes` values.
    HWY_INLINE std::uint64_t result(int lanes) const {
        return static_cast<std::uint64_t>(total(sum)) - static_cast<std::uint64_t>(lanes) * (bias >> cube_shift);
    }
};

/// The thresholds of columns x and following.
HWY_INLINE VI32 threshold_of(const AdmMaskedRow &row, int x) {
    const auto sides = [&](const std::int32_t *at)
                           HWY_ATTR { return hn::Add(hn::LoadU(di32, at + x - 1), hn::LoadU(di32, at + x + 1)); };
    const auto column = [&](const std::int32_t *at) HWY_ATTR { return hn::LoadU(di32, at + x); };
    const VI32 rows = hn::Add(hn::Add(sides(row.above), sides(row.here)), sides(row.below));
    return hn::Add(hn::Add(rows, hn::Add(column(row.above), column(row.here))),
                   hn::Add(column(row.below), column(row.own)));
}

template <bool first>
void visible(const AdmMaskedRow &row, AdmColumns columns, std::uint64_t *sums, const AdmMaskedRecord *record) {
    VisibleBand<first, ADM_BAND_H> h(row, record);
    VisibleBand<first, ADM_BAND_V> v(row, record);
    VisibleBand<first, ADM_BAND_D> d(row, record);
    const VI32 lane = hn::Iota(di32, 0);
    int x = columns.begin;
    for (; x < columns.end; x += lanes_32) {
        const VI32 threshold = threshold_of(row, x);
        const MI32 valid = below(lane, x, columns.end);
        h.add(x, threshold, valid);
        v.add(x, threshold, valid);
        d.add(x, threshold, valid);
        if (record)
            hn::StoreU(threshold, di32, record->threshold + x);
    }
    sums[ADM_BAND_H] = h.result(x - columns.begin);
    sums[ADM_BAND_V] = v.result(x - columns.begin);
    sums[ADM_BAND_D] = d.result(x - columns.begin);
}

/// adm_reference_cube_0 or adm_reference_cube: squares have 32 bits. Their rounding adds a whole unit.
template <bool first, int square_shift>
HWY_INLINE Wide reference_cube(VU32 m, VU64 half, int cube_shift) {
    if constexpr (first) {
        return multiply(as_u32(dot(hn::Zero(di32), as_i16(as_i32(m)), as_i16(as_i32(m)))), m);
    } else {
        const VU64 unit = hn::Set(du64, std::uint64_t{1} << square_shift);
        const auto of = [&](VU32 v) HWY_ATTR -> VU64 {
            const VU32 square = hn::BitCast(du32, hn::ShiftRight<square_shift>(hn::Add(hn::MulEven(v, v), unit)));
            return shift_right(du64, hn::Add(hn::MulEven(square, v), half), cube_shift);
        };
        return {of(m), of(odd_lanes(m))};
    }
}

template <bool first, int square_shift>
void reference_row(const AdmRows &o, int cube_shift, AdmColumns columns, std::uint64_t *sums,
                   const AdmReferenceRecord *record_to) {
    const VU64 half = hn::Set(du64, half_of(cube_shift));
    const VI32 lane = hn::Iota(di32, 0);
    VU64 sum_h = hn::Zero(du64), sum_v = sum_h, sum_d = sum_h;
    for (int x = columns.begin; x < columns.end; x += lanes_32) {
        const MI32 valid = below(lane, x, columns.end);
        const auto add = [&](VU64 &sum, int band) HWY_ATTR {
            const VI32 m = hn::Abs(hn::IfThenElseZero(valid, hn::LoadU(di32, o.of[band] + x)));
            const Wide cubes = reference_cube<first, square_shift>(as_u32(m), half, cube_shift);
            sum = hn::Add(sum, cubes.sum());
            if (record_to)
                record(cubes, record_to->cubes[band] + x);
        };
        add(sum_h, ADM_BAND_H);
        add(sum_v, ADM_BAND_V);
        add(sum_d, ADM_BAND_D);
    }
    sums[ADM_BAND_H] = static_cast<std::uint64_t>(total(sum_h));
    sums[ADM_BAND_V] = static_cast<std::uint64_t>(total(sum_v));
    sums[ADM_BAND_D] = static_cast<std::uint64_t>(total(sum_d));
}

void first_reference(const AdmRows &o, int, int cube_shift, AdmColumns columns, std::uint64_t *sums,
                     const AdmReferenceRecord *record) {
    reference_row<true, 0>(o, cube_shift, columns, sums, record);
}
void later_reference(const AdmRows &o, int scale, int cube_shift, AdmColumns columns, std::uint64_t *sums,
                     const AdmReferenceRecord *record) {
    if (adm_reference_square_shift[scale] == 31)
        reference_row<false, 31>(o, cube_shift, columns, sums, record);
    else
        reference_row<false, 30>(o, cube_shift, columns, sums, record);
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// Blocks in the lanes of vectors, and their transform (features.md §9.2), for psnr_hvs_vectors.cpp.
#include "simd/lanes.hpp"

#include "features/psnr_hvs/psnr_hvs_functions.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

constexpr int psnr_hvs_row = 8; // samples of a block's row: they fill 128 bits

using PsnrHvsRow = hn::CappedTag<std::uint16_t, psnr_hvs_row>;

HWY_INLINE hn::Vec<PsnrHvsRow> load_block_row(const std::uint8_t *at) {
    return hn::PromoteTo(PsnrHvsRow(), hn::LoadU(hn::Rebind<std::uint8_t, PsnrHvsRow>(), at));
}
HWY_INLINE hn::Vec<PsnrHvsRow> load_block_row(const std::uint16_t *at) { return hn::LoadU(PsnrHvsRow(), at); }

/// One row of each of the blocks `first`, `first` + 8 and so on, beside each other in a vector of `lanes`.
/// Highway 1.0.3 counts the lanes of parts of SVE vectors at run time alone.
template <class Sample, int lanes, class D>
HWY_INLINE hn::Vec<D> load_block_rows(D d, const std::byte *const *first, std::ptrdiff_t offset) {
    if constexpr (lanes == psnr_hvs_row) {
        return load_block_row(reinterpret_cast<const Sample *>(first[0] + offset));
    } else {
        const hn::Half<D> half;
        return hn::Combine(d, load_block_rows<Sample, lanes / 2>(half, first + lanes / 2, offset),
                           load_block_rows<Sample, lanes / 2>(half, first, offset));
    }
}

/// Eight vectors of rows of eight blocks become eight vectors of columns: lane b of vector j is sample j of row b. All
/// parts of 128 bits are transposed alike.
HWY_INLINE void transpose_rows(VU16 (&v)[psnr_hvs_row]) {
    VU32 pairs[psnr_hvs_row]; // of rows r and r + 1
    for (int r = 0; r < psnr_hvs_row; r += 2) {
        pairs[r] = hn::BitCast(du32, hn::InterleaveLower(du16, v[r], v[r + 1]));
        pairs[r + 1] = hn::BitCast(du32, hn::InterleaveUpper(du16, v[r], v[r + 1]));
    }
    VU64 fours[psnr_hvs_row]; // columns 2 c and 2 c + 1 of rows 0 to 3, and then of rows 4 to 7
    for (int r = 0; r < psnr_hvs_row; r += 4)
        for (int half = 0; half < 2; half++) {
            fours[r + 2 * half] = hn::BitCast(du64, hn::InterleaveLower(du32, pairs[r + half], pairs[r + half + 2]));
            fours[r + 2 * half + 1] =
                hn::BitCast(du64, hn::InterleaveUpper(du32, pairs[r + half], pairs[r + half + 2]));
        }
    for (int c = 0; c < psnr_hvs_row / 2; c++) {
        v[2 * c] = hn::BitCast(du16, hn::InterleaveLower(du64, fours[c], fours[c + 4]));
        v[2 * c + 1] = hn::BitCast(du16, hn::InterleaveUpper(du64, fours[c], fours[c + 4]));
    }
}

/// Loads blocks: lane b of vector k gets sample k of block b. `sums` gets the sums of their quadrants, which fit 16
/// bits.
template <class Sample>
HWY_INLINE void load_blocks(const PsnrHvsPlaces &places, std::int16_t *samples, std::uint16_t *sums) {
    for (int half = 0; half < 2; half++) {
        VU16 left = hn::Zero(du16), right = hn::Zero(du16);
        for (int i = half * psnr_hvs_row / 2; i < (half + 1) * psnr_hvs_row / 2; i++) {
            VU16 row[psnr_hvs_row];
            for (int b = 0; b < psnr_hvs_row; b++)
                row[b] = load_block_rows<Sample, lanes_16>(du16, places.first + b, i * places.stride_bytes);
            transpose_rows(row);
            left = hn::Add(left, hn::Add(hn::Add(row[0], row[1]), hn::Add(row[2], row[3])));
            right = hn::Add(right, hn::Add(hn::Add(row[4], row[5]), hn::Add(row[6], row[7])));
            for (int j = 0; j < psnr_hvs_row; j++)
                hn::Store(hn::BitCast(di16, row[j]), di16, samples + (i * psnr_hvs_row + j) * lanes_16);
        }
        hn::Store(left, du16, sums + psnr_hvs_quadrant(half * psnr_hvs_row / 2, 0) * lanes_16);
        hn::Store(right, du16, sums + psnr_hvs_quadrant(half * psnr_hvs_row / 2, psnr_hvs_row / 2) * lanes_16);
    }
}

/// psnr_hvs_half
HWY_INLINE VI16 half_toward_zero(VI16 v) { return hn::ShiftRight<1>(hn::Sub(v, hn::ShiftRight<15>(v))); }

/// psnr_hvs_lift
template <int factor>
HWY_INLINE VI16 lift(VI16 v) {
    return hn::MulFixedPoint15(v, hn::Set(di16, factor));
}

/// psnr_hvs_transform of a row or a column of all blocks, in place: eight vectors, each `step` vectors behind the one
/// before. No sum leaves 16 bits (§9.2).
HWY_INLINE void transform_line(std::int16_t *first, int step) {
    const auto at = [&](int k) HWY_ATTR { return first + k * step * lanes_16; };
    const auto x = [&](int k) HWY_ATTR { return hn::Load(di16, at(k)); };
    VI16 a1 = hn::Sub(x(0), x(7));
    const VI16 half_a1 = half_toward_zero(a1);
    VI16 a0 = hn::Sub(x(0), half_a1);
    VI16 b0 = hn::Add(x(1), x(6));
    const VI16 half_b0 = half_toward_zero(b0);
    VI16 b1 = hn::Sub(x(6), half_b0);
    VI16 c1 = hn::Sub(x(2), x(5));
    VI16 c0 = hn::Sub(x(2), half_toward_zero(c1));
    VI16 d0 = hn::Add(x(3), x(4));
    const VI16 half_d0 = half_toward_zero(d0);
    VI16 d1 = hn::Sub(half_d0, x(4));

    a0 = hn::Add(a0, half_d0);
    d0 = hn::Sub(a0, d0);
    c0 = hn::Sub(half_b0, c0);
    b0 = hn::Sub(c0, b0);
    a0 = hn::Sub(a0, lift<PSNR_HVS_TAN_2_16>(b0));
    b0 = hn::Add(b0, lift<PSNR_HVS_SIN_4_16>(a0));
    a0 = hn::Sub(a0, lift<PSNR_HVS_TAN_2_16>(b0));
    d0 = hn::Sub(d0, lift<PSNR_HVS_TAN_3_16>(c0));
    c0 = hn::Add(c0, lift<PSNR_HVS_SIN_6_16>(d0));
    d0 = hn::Sub(d0, lift<PSNR_HVS_TAN_3_16>(c0));
    hn::Store(a0, di16, at(0));
    hn::Store(c0, di16, at(2));
    hn::Store(b0, di16, at(4));
    hn::Store(d0, di16, at(6));

    c1 = hn::Add(c1, lift<PSNR_HVS_OUTER>(b1));
    b1 = hn::Add(b1, lift<PSNR_HVS_SIN_4_16>(c1));
    c1 = hn::Sub(c1, lift<PSNR_HVS_INNER>(b1));
    d1 = hn::Sub(half_toward_zero(b1), d1);
    b1 = hn::Sub(b1, d1);
    c1 = hn::Sub(half_a1, c1);
    a1 = hn::Sub(a1, c1);
    d1 = hn::Add(d1, lift<PSNR_HVS_TAN_1_32>(a1));
    a1 = hn::Sub(a1, lift<PSNR_HVS_SIN_1_16>(d1));
    d1 = hn::Add(d1, lift<PSNR_HVS_TAN_1_32>(a1));
    b1 = hn::Add(b1, lift<PSNR_HVS_TAN_3_32>(c1));
    c1 = hn::Sub(c1, lift<PSNR_HVS_SIN_3_16>(b1));
    b1 = hn::Add(b1, lift<PSNR_HVS_TAN_3_32>(c1));
    hn::Store(a1, di16, at(1));
    hn::Store(c1, di16, at(3));
    hn::Store(b1, di16, at(5));
    hn::Store(d1, di16, at(7));
}

/// The coefficients of blocks, in the place of their samples.
HWY_INLINE void transform_blocks(std::int16_t *samples) {
    for (int j = 0; j < psnr_hvs_row; j++)
        transform_line(samples + j * lanes_16, psnr_hvs_row);
    for (int i = 0; i < psnr_hvs_row; i++)
        transform_line(samples + i * psnr_hvs_row * lanes_16, 1);
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

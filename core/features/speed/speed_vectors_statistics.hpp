// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// Part of speed_vectors.cpp: means and covariances of the 25 values of a block (speed.md §5), in sums whose order
// is that of the places. Lanes hold different sums.
#include "simd/lanes.hpp"

#include "features/speed/speed_functions.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

static_assert(speed_row_step % (2 * lanes_32) == 0 && speed_matrix_stride % (2 * lanes_32) == 0);

/// The five values of a row of the block lie in the first lanes; what the others hold is not used.
void means(const SpeedPlaces &places, float *result) {
    constexpr int vectors = (SPEED_BLOCK + lanes_32 - 1) / lanes_32;
    VF32 sums[SPEED_BLOCK][vectors];
    for (auto &row : sums)
        for (VF32 &sum : row)
            sum = hn::Zero(df32);
    for (int y = 0; y < places.down; y++)
        for (int x = 0; x < places.across; x++) {
            const float *at = places.samples + y * places.stride + x;
#pragma GCC unroll 5
            for (int r = 0; r < SPEED_BLOCK; r++, at += places.stride)
#pragma GCC unroll 2
                for (int v = 0; v < vectors; v++)
                    sums[r][v] = hn::Add(sums[r][v], hn::LoadU(df32, at + v * lanes_32));
        }
    const auto count = static_cast<float>(places.across * places.down);
    for (int r = 0; r < SPEED_BLOCK; r++) {
        HWY_ALIGN float lanes[vectors * lanes_32];
        for (int v = 0; v < vectors; v++)
            hn::Store(sums[r][v], df32, lanes + v * lanes_32);
        for (int c = 0; c < SPEED_BLOCK; c++)
            result[SPEED_BLOCK * r + c] = lanes[c] / count;
    }
}

/// The values at one place less their means. Vectors are stored one over the other: of each row of the block, the lanes
/// behind its five values give way to the next row.
HWY_INLINE void centre(const float *at, int stride, const double *mean, double *centred) {
#pragma GCC unroll 5
    for (int r = 0; r < SPEED_BLOCK; r++)
#pragma GCC unroll 3
        for (int c = 0; c < SPEED_BLOCK; c += lanes_64) {
            const VF64 value = hn::PromoteTo(df64, hn::LoadU(dhalf, at + r * stride + c));
            hn::StoreU(hn::Sub(value, hn::LoadU(df64, mean + SPEED_BLOCK * r + c)), df64,
                       centred + SPEED_BLOCK * r + c);
        }
}

/// Adds the products of values e to e + rows - 1 with lanes_64 values from f on, for `count` places.
template <int rows>
void add_products(const double *centred, int count, int e, int f, double *sums) {
    VF64 sum[std::size_t{rows}];
#pragma GCC unroll 13
    for (int i = 0; i < rows; i++)
        sum[i] = hn::Load(df64, sums + (e + i) * speed_matrix_stride + f);
    for (int p = 0; p < count; p++, centred += speed_matrix_stride) {
        const VF64 other = hn::Load(df64, centred + f);
#pragma GCC unroll 13
        for (int i = 0; i < rows; i++)
            sum[i] = hn::Add(sum[i], hn::Mul(hn::Set(df64, centred[e + i]), other));
    }
#pragma GCC unroll 13
    for (int i = 0; i < rows; i++)
        hn::Store(sum[i], df64, sums + (e + i) * speed_matrix_stride + f);
}

/// As many sums as fit the registers.
constexpr int most_rows = 13;

template <int rows = most_rows>
HWY_INLINE void add_rows(const double *centred, int count, int e, int f, int wanted, double *sums) {
    if (wanted == rows)
        add_products<rows>(centred, count, e, f, sums);
    else if constexpr (rows > 1)
        add_rows<rows - 1>(centred, count, e, f, wanted, sums);
}

/// The lower triangle, block by block.
void add_places(const double *centred, int count, double *sums) {
    for (int f = 0; f < SPEED_VALUES; f += lanes_64) {
        const int rows = SPEED_VALUES - f, first = rows > most_rows ? (rows + 1) / 2 : rows;
        add_rows(centred, count, f, f, first, sums);
        if (rows > first)
            add_rows(centred, count, f + first, f, rows - first, sums);
    }
}

void covariances(const SpeedPlaces &places, const float *mean, double *scratch, float *matrix) {
    HWY_ALIGN double wide_means[speed_matrix_stride] = {};
    for (int e = 0; e < SPEED_VALUES; e++)
        wide_means[e] = double{mean[e]};
    HWY_ALIGN double sums[SPEED_VALUES * speed_matrix_stride] = {};
    for (int i = 0; i < speed_chunk_places * speed_matrix_stride; i++)
        scratch[i] = 0;
    int count = 0;
    for (int y = 0; y < places.down; y++)
        for (int x = 0; x < places.across; x++) {
            centre(places.samples + y * places.stride + x, places.stride, wide_means,
                   scratch + count * speed_matrix_stride);
            if (++count == speed_chunk_places) {
                add_places(scratch, count, sums);
                count = 0;
            }
        }
    add_places(scratch, count, sums);
    const double all = places.across * places.down;
    for (int e = 0; e < SPEED_VALUES; e++)
        for (int f = 0; f <= e; f++)
            matrix[e * speed_matrix_stride + f] = matrix[f * speed_matrix_stride + e] =
                static_cast<float>(sums[e * speed_matrix_stride + f] / all);
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

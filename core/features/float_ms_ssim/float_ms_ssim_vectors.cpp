// SPDX-License-Identifier: BSD-2-Clause-Patent
// MS-SSIM's low-pass filter in vectors (features.md §6.1 and §6.4), once per level. Lanes are pixels of a row, and
// unless a sum is exact in any order it keeps the definition's.
#include "simd/lanes.hpp"

#include "features/float_ms_ssim/float_ms_ssim_functions.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

void split(const float *row, int width, float *even, float *odd) {
    for (int x = 0; x < width; x += 2 * lanes_32) {
        hn::Vec<DF32> even_columns, odd_columns;
        hn::LoadInterleaved2(df32, row + x, even_columns, odd_columns);
        hn::StoreU(even_columns, df32, even + x / 2);
        hn::StoreU(odd_columns, df32, odd + x / 2);
    }
}

void low_pass(const MsSsimSplitRow *rows, int width, float *out) {
    for (int x = 0; x < width; x += lanes_64) {
        VF64 sum = hn::Zero(df64);
        for (int v = 0; v < MS_SSIM_TAP_COUNT; v++)
            for (int u = 0; u < MS_SSIM_TAP_COUNT; u++) {
                const float *const columns = u % 2 == 0 ? rows[v].even : rows[v].odd;
                const VHalf tap = hn::Set(dhalf, ms_ssim_low_pass[v * MS_SSIM_TAP_COUNT + u]);
                const VHalf product = hn::Mul(hn::LoadU(dhalf, columns + x + u / 2), tap);
                sum = hn::Add(sum, hn::PromoteTo(df64, product));
            }
        hn::StoreU(hn::DemoteTo(dhalf, sum), dhalf, out + x);
    }
}

/// The distinct taps of a row: the others mirror them.
constexpr int ms_ssim_distinct_taps = MS_SSIM_TAP_COUNT / 2 + 1;

/// Values of a row that are summed together.
constexpr int ms_ssim_piece = 256;

/// Sums of `width` values, at most ms_ssim_piece. Each product of a sample and a tap is needed at two places of the
/// row.
HWY_INLINE void sum_piece(const float *even, const float *odd, const float *taps, int width, double *sums) {
    HWY_ALIGN double products[ms_ssim_distinct_taps][ms_ssim_piece + ms_ssim_distinct_taps + lanes_64];
    for (int x = 0; x < width + ms_ssim_distinct_taps - 1; x += lanes_64) {
        const VHalf columns[2] = {hn::LoadU(dhalf, even + x), hn::LoadU(dhalf, odd + x)};
        for (int u = 0; u < ms_ssim_distinct_taps; u++)
            hn::StoreU(hn::PromoteTo(df64, hn::Mul(columns[u % 2], hn::Set(dhalf, taps[u]))), df64, products[u] + x);
    }
    for (int x = 0; x < width; x += lanes_64) {
        VF64 sum = hn::LoadU(df64, products[0] + x);
        for (int u = 1; u < MS_SSIM_TAP_COUNT; u++)
            sum = hn::Add(
                sum, hn::LoadU(df64, products[u < ms_ssim_distinct_taps ? u : MS_SSIM_TAP_COUNT - 1 - u] + x + u / 2));
        hn::StoreU(sum, df64, sums + x);
    }
}

void sum_row(const MsSsimSplitRow &row, int tap_row, int width, double *sums) {
    const float *const taps = ms_ssim_low_pass + tap_row * MS_SSIM_TAP_COUNT;
    for (int begin = 0; begin < width; begin += ms_ssim_piece)
        sum_piece(row.even + begin, row.odd + begin, taps,
                  width - begin < ms_ssim_piece ? width - begin : ms_ssim_piece, sums + begin);
}

void add_rows(const double *const *sums, int width, float *out) {
    for (int x = 0; x < width; x += lanes_64) {
        VF64 sum = hn::LoadU(df64, sums[0] + x);
        for (int v = 1; v < MS_SSIM_TAP_COUNT; v++)
            sum = hn::Add(sum, hn::LoadU(df64, sums[v] + x));
        hn::StoreU(hn::DemoteTo(dhalf, sum), dhalf, out + x);
    }
}

} // namespace

extern const MsSsimFunctions ISOVMAF_AT_LEVEL(float_ms_ssim_functions);
const MsSsimFunctions ISOVMAF_AT_LEVEL(float_ms_ssim_functions) = {split, low_pass, sum_row, add_rows};

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

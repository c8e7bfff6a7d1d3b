// SPDX-License-Identifier: BSD-2-Clause-Patent
// MS-SSIM's low-pass filter in vectors (features.md §6.1 and §6.4), once per level. Lanes are pixels of a row, so that
// each pixel's sum keeps the definition's order.
#include "simd/lanes.hpp"

#include "features/float_ms_ssim/float_ms_ssim_functions.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

using DHalf = hn::Rebind<float, DF64>;
using VHalf = hn::Vec<DHalf>;
constexpr DHalf dhalf;
constexpr int lanes_64 = HWY_MAX_BYTES / 8;

void split(const float *row, int width, float *even, float *odd) {
    for (int x = 0; x < width; x += 2 * lanes_32) {
        VF32 even_columns, odd_columns;
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

} // namespace

extern const MsSsimFunctions ISOVMAF_AT_LEVEL(ms_ssim_functions);
const MsSsimFunctions ISOVMAF_AT_LEVEL(ms_ssim_functions) = {split, low_pass};

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

// SPDX-License-Identifier: BSD-2-Clause-Patent
// SSIM in vectors (features.md §6.1 and §6.2), once per level. Lanes are pixels of a row, so that each pixel's
// operations keep the definition's order. A vector has as many pixels as it has f64 lanes.
#include "simd/lanes.hpp"

#include "features/float_ssim/float_ssim_functions.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

HWY_INLINE VHalf ssim_tap(int k) { return hn::Set(dhalf, ssim_taps[k]); }

template <class Sample>
void load(const Sample *samples, int width, float factor, float *out) {
    for (int x = 0; x < width; x++)
        out[x] = static_cast<float>(samples[x]) * factor;
}

/// D: the lanes of the sums.
template <class D, class Sample>
void sum_rows(const Sample *const *rows, int count, int width, hn::TFromD<D> *sums) {
    const D d;
    const hn::Rebind<Sample, D> narrow;
    constexpr int lanes = HWY_MAX_BYTES / sizeof(hn::TFromD<D>);
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
        auto sum = hn::PromoteTo(d, hn::LoadU(narrow, rows[0] + x));
        for (int v = 1; v < count; v++)
            sum = hn::Add(sum, hn::PromoteTo(d, hn::LoadU(narrow, rows[v] + x)));
        hn::StoreU(sum, d, sums + x);
    }
    for (; x < width; x++) {
        std::uint32_t sum = 0;
        for (int v = 0; v < count; v++)
            sum += rows[v][x];
        sums[x] = static_cast<hn::TFromD<D>>(sum);
    }
}

void add_products(const float *samples, int width, float tap, double *sums) {
    const VHalf taps = hn::Set(dhalf, tap);
    for (int x = 0; x < width; x += lanes_64) {
        const VF64 products = hn::PromoteTo(df64, hn::Mul(hn::LoadU(dhalf, samples + x), taps));
        hn::StoreU(hn::Add(hn::LoadU(df64, sums + x), products), df64, sums + x);
    }
}

/// Total: what sums of Column are made in.
template <class Total, class Column>
void sum_boxes(const Column *columns, int factor, int count, float scale, float *boxes) {
    const auto sum_all = [&](int constant_factor) { // unrolled where the factor is a constant
        for (int i = 0; i < count; i++) {
            Total sum = static_cast<Total>(columns[i * constant_factor]);
            for (int x = 1; x < constant_factor; x++)
                sum += static_cast<Total>(columns[i * constant_factor + x]);
            boxes[i] = static_cast<float>(sum) * scale;
        }
    };
    if (factor == 2)
        sum_all(2);
    else if (factor == 4)
        sum_all(4);
    else
        sum_all(factor);
}

/// The taps are symmetric: each product of a sample and a tap is needed at two places of the row.
constexpr int ssim_distinct_taps = SSIM_TAP_COUNT / 2 + 1;

/// Values of a row that are smoothed together. Behind them there is room for the window and a vector.
constexpr int ssim_piece = 256;
static_assert(SSIM_TAP_COUNT - 1 + lanes_64 <= 2 * ssim_row_step);

/// Smooths `width` values, at most ssim_piece, of a row that `value(x)` gives in vectors of lanes_64.
template <class Value>
HWY_INLINE void smooth_piece(const Value &value, int width, float *out) {
    HWY_ALIGN double products[ssim_distinct_taps][ssim_piece + 2 * ssim_row_step];
    for (int x = 0; x < width + SSIM_TAP_COUNT - 1; x += lanes_64) {
        const VHalf samples = value(x);
        for (int k = 0; k < ssim_distinct_taps; k++)
            hn::StoreU(hn::PromoteTo(df64, hn::Mul(samples, ssim_tap(k))), df64, products[k] + x);
    }
    for (int x = 0; x < width; x += lanes_64) {
        VF64 sum = hn::LoadU(df64, products[0] + x);
        for (int k = 1; k < SSIM_TAP_COUNT; k++)
            sum = hn::Add(sum, hn::LoadU(df64, products[k < ssim_distinct_taps ? k : SSIM_TAP_COUNT - 1 - k] + x + k));
        hn::StoreU(hn::DemoteTo(dhalf, sum), dhalf, out + x);
    }
}

void smooth_along(const float *reference, const float *distorted, int width, const SsimMomentRow &out) {
    for (int begin = 0; begin < width; begin += ssim_piece) {
        const int count = width - begin < ssim_piece ? width - begin : ssim_piece;
        const float *const r = reference + begin, *const d = distorted + begin;
        const auto load = [](const float *at) HWY_ATTR { return hn::LoadU(dhalf, at); };
        smooth_piece([=](int x) HWY_ATTR { return load(r + x); }, count, out.planes[0] + begin);
        smooth_piece([=](int x) HWY_ATTR { return load(d + x); }, count, out.planes[1] + begin);
        smooth_piece([=](int x) HWY_ATTR { return hn::Mul(load(r + x), load(r + x)); }, count, out.planes[2] + begin);
        smooth_piece([=](int x) HWY_ATTR { return hn::Mul(load(d + x), load(d + x)); }, count, out.planes[3] + begin);
        smooth_piece([=](int x) HWY_ATTR { return hn::Mul(load(r + x), load(d + x)); }, count, out.planes[4] + begin);
    }
}

/// Smooths a vector of columns. Row `r` of `from` counts for the rows of `to` whose windows it is in: for the last of
/// them with the first tap. So each sum gets its products in the order of the taps.
HWY_INLINE void smooth_columns(const float *const *from, int x, float *const *to) {
    VF64 sums[ssim_band_rows];
#pragma GCC unroll 26
    for (int r = 0; r < ssim_band_rows + SSIM_TAP_COUNT - 1; r++) {
        const VHalf samples = hn::LoadU(dhalf, from[r] + x);
        VF64 products[ssim_distinct_taps];
#pragma GCC unroll 6
        for (int k = 0; k < ssim_distinct_taps; k++)
            products[k] = hn::PromoteTo(df64, hn::Mul(samples, ssim_tap(k)));
#pragma GCC unroll 11
        for (int k = SSIM_TAP_COUNT - 1; k >= 0; k--) {
            const int y = r - k;
            if (y < 0 || y >= ssim_band_rows)
                continue;
            const VF64 product = products[k < ssim_distinct_taps ? k : SSIM_TAP_COUNT - 1 - k];
            if (k == 0)
                sums[y] = product;
            else
                sums[y] = hn::Add(sums[y], product);
        }
        if (const int y = r - SSIM_TAP_COUNT + 1; y >= 0)
            hn::StoreU(hn::DemoteTo(dhalf, sums[y]), dhalf, to[y] + x);
    }
}

void smooth_down(const SsimMomentRow *rows, int width, const SsimMomentRow *out) {
    for (int p = 0; p < ssim_moment_count; p++) {
        const float *from[ssim_band_rows + SSIM_TAP_COUNT - 1];
        float *to[ssim_band_rows];
        for (int r = 0; r < ssim_band_rows + SSIM_TAP_COUNT - 1; r++)
            from[r] = rows[r].planes[p];
        for (int y = 0; y < ssim_band_rows; y++)
            to[y] = out[y].planes[p];
        for (int x = 0; x < width; x += lanes_64)
            smooth_columns(from, x, to);
    }
}

HWY_INLINE VHalf variance(VHalf mean_of_square, VHalf square_of_mean) {
    return hn::Max(hn::Sub(mean_of_square, square_of_mean), hn::Zero(dhalf));
}

struct Similarity {
    VF64 l, c;
    VHalf s;
};

/// ssim_similarity of a vector of pixels.
HWY_INLINE Similarity similarity(const VHalf *m) {
    const VHalf zero = hn::Zero(dhalf), c3 = hn::Set(dhalf, SSIM_C3);
    const VHalf reference_2 = hn::Mul(m[0], m[0]), distorted_2 = hn::Mul(m[1], m[1]);
    const VHalf reference_variance = variance(m[2], reference_2), distorted_variance = variance(m[3], distorted_2);
    const VHalf covariance = hn::Sub(m[4], hn::Mul(m[0], m[1]));
    const VHalf deviations = hn::Sqrt(hn::Mul(reference_variance, distorted_variance));
    const auto is_cut = hn::And(hn::Lt(covariance, zero), hn::Le(deviations, zero));
    const VF64 two = hn::Set(df64, 2.0);
    const VF64 l_numerator = hn::Add(hn::Mul(hn::Mul(two, hn::PromoteTo(df64, m[0])), hn::PromoteTo(df64, m[1])),
                                     hn::Set(df64, double(SSIM_C1)));
    const VF64 c_numerator = hn::Add(hn::Mul(two, hn::PromoteTo(df64, deviations)), hn::Set(df64, double(SSIM_C2)));
    const VHalf l_denominator = hn::Add(hn::Add(reference_2, distorted_2), hn::Set(dhalf, SSIM_C1));
    const VHalf c_denominator = hn::Add(hn::Add(reference_variance, distorted_variance), hn::Set(dhalf, SSIM_C2));
    return {hn::Div(l_numerator, hn::PromoteTo(df64, l_denominator)),
            hn::Div(c_numerator, hn::PromoteTo(df64, c_denominator)),
            hn::Div(hn::Add(hn::IfThenElse(is_cut, zero, covariance), c3), hn::Add(deviations, c3))};
}

void compare(const SsimMomentRow &moments, int width, SsimSums &sums, const SsimFactorRow *factors) {
    // Two sums in a vector, and the terms of a pixel beside each other: each sum gets its terms from left to right.
    const hn::FixedTag<double, 2> pair;
    HWY_ALIGN double pairs[2][2] = {{sums.lcs, sums.l}, {sums.c, sums.s}};
    auto lcs_and_l = hn::Load(pair, pairs[0]), c_and_s = hn::Load(pair, pairs[1]);
    HWY_ALIGN double terms[2][2 * lanes_64];
    for (int x = 0; x < width; x += lanes_64) {
        VHalf m[ssim_moment_count];
        for (int p = 0; p < ssim_moment_count; p++)
            m[p] = hn::LoadU(dhalf, moments.planes[p] + x);
        const Similarity pixel = similarity(m);
        if (factors) {
            hn::StoreU(pixel.l, df64, factors->l + x);
            hn::StoreU(pixel.c, df64, factors->c + x);
            hn::StoreU(pixel.s, dhalf, factors->s + x);
        }
        const VF64 s_term = hn::PromoteTo(df64, pixel.s);
        hn::StoreInterleaved2(hn::Mul(hn::Mul(pixel.l, pixel.c), s_term), pixel.l, df64, terms[0]);
        hn::StoreInterleaved2(pixel.c, s_term, df64, terms[1]);
        const int count = width - x < lanes_64 ? width - x : lanes_64;
        for (int i = 0; i < count; i++) {
            lcs_and_l = hn::Add(lcs_and_l, hn::Load(pair, terms[0] + 2 * i));
            c_and_s = hn::Add(c_and_s, hn::Load(pair, terms[1] + 2 * i));
        }
    }
    hn::Store(lcs_and_l, pair, pairs[0]);
    hn::Store(c_and_s, pair, pairs[1]);
    sums = {pairs[0][0], pairs[0][1], pairs[1][0], pairs[1][1]};
}

} // namespace

extern const SsimFunctions ISOVMAF_AT_LEVEL(float_ssim_functions);
const SsimFunctions ISOVMAF_AT_LEVEL(float_ssim_functions) = {
    load<std::uint8_t>,
    load<std::uint16_t>,
    sum_rows<DU16, std::uint8_t>,
    sum_rows<DU32, std::uint16_t>,
    add_products,
    sum_boxes<std::int32_t, std::uint16_t>,
    sum_boxes<std::int32_t, std::uint32_t>,
    sum_boxes<double, double>,
    smooth_along,
    smooth_down,
    compare,
};

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

// SPDX-License-Identifier: BSD-2-Clause-Patent
// SSIM in vectors (features.md §6.1 and §6.2), once per level. Lanes are pixels of a row, so that each pixel's
// operations keep the definition's order. A vector has as many pixels as it has f64 lanes.
#include "simd/lanes.hpp"

#include "features/float_ssim/float_ssim_functions.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

HWY_INLINE VHalf ssim_tap(int k) { return hn::Set(dhalf, ssim_taps[k]); }

/// A window of SSIM_TAP_COUNT values, which `value(k)` gives.
template <class Value>
HWY_INLINE VHalf smooth_window(const Value &value) {
    VF64 sum = hn::PromoteTo(df64, hn::Mul(value(0), ssim_tap(0)));
    for (int k = 1; k < SSIM_TAP_COUNT; k++)
        sum = hn::Add(sum, hn::PromoteTo(df64, hn::Mul(value(k), ssim_tap(k))));
    return hn::DemoteTo(dhalf, sum);
}

template <class Sample>
void load(const Sample *samples, int width, float factor, float *out) {
    for (int x = 0; x < width; x++)
        out[x] = static_cast<float>(samples[x]) * factor;
}

template <class Sample>
void add(const Sample *samples, int width, std::uint32_t *sums) {
    for (int x = 0; x < width; x++)
        sums[x] += samples[x];
}

void add_products(const float *samples, int width, float tap, double *sums) {
    const VHalf taps = hn::Set(dhalf, tap);
    for (int x = 0; x < width; x += lanes_64) {
        const VF64 products = hn::PromoteTo(df64, hn::Mul(hn::LoadU(dhalf, samples + x), taps));
        hn::StoreU(hn::Add(hn::LoadU(df64, sums + x), products), df64, sums + x);
    }
}

template <class Sum>
void sum_boxes(const Sum *columns, int factor, int count, Sum *boxes) {
    const auto sum_all = [&](int constant_factor) { // unrolled where the factor is a constant
        for (int i = 0; i < count; i++) {
            Sum sum = columns[i * constant_factor];
            for (int x = 1; x < constant_factor; x++)
                sum += columns[i * constant_factor + x];
            boxes[i] = sum;
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

/// Values of a row that are smoothed together.
constexpr int ssim_piece = 256;

/// Smooths `width` values, at most ssim_piece, of a row that `value(x)` gives in vectors of lanes_64.
template <class Value>
HWY_INLINE void smooth_piece(const Value &value, int width, float *out) {
    HWY_ALIGN double products[ssim_distinct_taps][ssim_piece + SSIM_TAP_COUNT - 1 + lanes_64];
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

void compare(const SsimMomentRow *rows, int width, SsimSums &sums, const SsimPixelRow *pixels) {
    double lcs = sums.lcs, l = sums.l, c = sums.c, s = sums.s;
    HWY_ALIGN double terms[4][lanes_64];
    for (int x = 0; x < width; x += lanes_64) {
        VHalf moments[ssim_moment_count];
        for (int p = 0; p < ssim_moment_count; p++)
            moments[p] = smooth_window([&](int k) HWY_ATTR { return hn::LoadU(dhalf, rows[k].planes[p] + x); });
        const Similarity pixel = similarity(moments);
        if (pixels) {
            for (int p = 0; p < ssim_moment_count; p++)
                hn::StoreU(moments[p], dhalf, pixels->moments.planes[p] + x);
            hn::StoreU(pixel.l, df64, pixels->l + x);
            hn::StoreU(pixel.c, df64, pixels->c + x);
            hn::StoreU(pixel.s, dhalf, pixels->s + x);
        }
        const VF64 s_term = hn::PromoteTo(df64, pixel.s);
        hn::Store(hn::Mul(hn::Mul(pixel.l, pixel.c), s_term), df64, terms[0]);
        hn::Store(pixel.l, df64, terms[1]);
        hn::Store(pixel.c, df64, terms[2]);
        hn::Store(s_term, df64, terms[3]);
        const int count = width - x < lanes_64 ? width - x : lanes_64;
        for (int i = 0; i < count; i++) {
            lcs += terms[0][i];
            l += terms[1][i];
            c += terms[2][i];
            s += terms[3][i];
        }
    }
    sums = {lcs, l, c, s};
}

} // namespace

extern const SsimFunctions ISOVMAF_AT_LEVEL(float_ssim_functions);
const SsimFunctions ISOVMAF_AT_LEVEL(float_ssim_functions) = {
    load<std::uint8_t>, load<std::uint16_t>, add<std::uint8_t>,
    add<std::uint16_t>, add_products,        sum_boxes<std::uint32_t>,
    sum_boxes<double>,  smooth_along,        compare};

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

// SPDX-License-Identifier: BSD-2-Clause-Patent
// Colours and their differences in vectors (features.md §7), once per level: ciede_ref.cpp's operations on each lane.
// What is f32 there is an f64 with the value of an f32 here.
#include "features/ciede/ciede_functions.hpp"

#include "features/ciede/ciede_math.h"
#include "features/ciede/ciede_vectors_math.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

#if HWY_TARGET == HWY_SSE4
// It has no fused multiply-add, so that each pixel is computed by itself.
void colours(const CiedeTables &, const std::uint16_t *y, const std::uint16_t *u, const std::uint16_t *v, int depth,
             int width, const CiedeRow &row) {
    for (int x = 0; x < width; x++) {
        const CiedeColour colour = ciede_colour(y[x], u[x], v[x], depth);
        row.lightness[x] = colour.lightness;
        row.a[x] = colour.a;
        row.b[x] = colour.b;
    }
}

void differences(const CiedeTables &, const CiedeRow &reference, const CiedeRow &distorted, int width, float *out) {
    for (int x = 0; x < width; x++) {
        const CiedeColour r{reference.lightness[x], reference.a[x], reference.b[x]};
        const CiedeColour d{distorted.lightness[x], distorted.a[x], distorted.b[x]};
        out[x] = r.lightness == d.lightness && r.a == d.a && r.b == d.b ? 0 : ciede_difference(r, d);
    }
}
#else
HWY_INLINE VF64 load(const float *at) { return hn::PromoteTo(df64, hn::LoadU(dhalf, at)); }
HWY_INLINE void store(VF64 v, float *at) { hn::StoreU(hn::DemoteTo(dhalf, v), dhalf, at); }
HWY_INLINE VF64 rounded(VF64 v) { return hn::PromoteTo(df64, hn::DemoteTo(dhalf, v)); }
HWY_INLINE VF64 times(VF64 v, double factor) { return hn::Mul(v, constant(factor)); }
HWY_INLINE VF64 plus(VF64 v, double summand) { return hn::Add(v, constant(summand)); }
HWY_INLINE VF64 square(VF64 v) { return hn::Mul(v, v); }

/// Samples at their place in the range of video levels.
HWY_INLINE VF64 levels(const std::uint16_t *samples, double offset, double scale) {
    HWY_ALIGN double lanes[lanes_64];
    for (int i = 0; i < lanes_64; i++)
        lanes[i] = samples[i];
    return times(hn::Sub(hn::Load(df64, lanes), constant(offset)), scale);
}

HWY_INLINE VF64 linear(const CiedeTables &tables, VF64 c) {
    const MF64 is_power = hn::Gt(c, constant(ciede_linear_limit));
    const VF64 base = times(plus(c, ciede_power_offset), ciede_power_scale);
    return hn::IfThenElse(is_power, power_of(tables, hn::IfThenElse(is_power, base, constant(1)), ciede_power),
                          times(c, ciede_linear_slope));
}

HWY_INLINE VF64 compressed(const CiedeTables &tables, VF64 c) {
    const MF64 is_power = hn::Gt(c, constant(ciede_cube_root_limit));
    return rounded(hn::IfThenElse(is_power, power_of(tables, hn::IfThenElse(is_power, c, constant(1)), ciede_cube_root),
                                  times(plus(times(c, ciede_below_slope), ciede_below_offset), ciede_below_scale)));
}

HWY_INLINE VF64 mixed(const double (&weights)[3], VF64 red, VF64 green, VF64 blue) {
    return hn::Add(hn::Add(times(red, weights[0]), times(green, weights[1])), times(blue, weights[2]));
}

void colours(const CiedeTables &tables, const std::uint16_t *y, const std::uint16_t *u, const std::uint16_t *v,
             int depth, int width, const CiedeRow &row) {
    const double scale = 1 << (depth - 8);
    const double luma_offset = ciede_luma_offset * scale, chroma_offset = ciede_chroma_offset * scale;
    const double luma_scale = 1 / (ciede_luma_range * scale), chroma_scale = 1 / (ciede_chroma_range * scale);
    for (int x = 0; x < width; x += lanes_64) {
        const VF64 luma = levels(y + x, luma_offset, luma_scale);
        const VF64 cb = levels(u + x, chroma_offset, chroma_scale), cr = levels(v + x, chroma_offset, chroma_scale);
        const VF64 red = linear(tables, hn::Add(luma, times(cr, ciede_red_of_v)));
        const VF64 green =
            linear(tables, hn::Sub(hn::Sub(luma, times(cb, ciede_green_of_u)), times(cr, ciede_green_of_v)));
        const VF64 blue = linear(tables, hn::Add(luma, times(cb, ciede_blue_of_u)));
        const VF64 x_root = compressed(tables, times(mixed(ciede_xyz[0], red, green, blue), 1 / ciede_white_x));
        const VF64 y_root = compressed(tables, mixed(ciede_xyz[1], red, green, blue));
        const VF64 z_root = compressed(tables, times(mixed(ciede_xyz[2], red, green, blue), 1 / ciede_white_z));
        store(hn::Sub(times(y_root, ciede_lightness_scale), constant(ciede_lightness_offset)), row.lightness + x);
        store(times(hn::Sub(x_root, y_root), ciede_a_scale), row.a + x);
        store(times(hn::Sub(y_root, z_root), ciede_b_scale), row.b + x);
    }
}

HWY_INLINE VF64 hypotenuse(VF64 a, VF64 b) { return rounded(hn::Sqrt(hn::Add(square(a), square(b)))); }

HWY_INLINE VF64 mean(VF64 a, VF64 b) { return times(rounded(hn::Add(a, b)), 0.5); }

HWY_INLINE VF64 stretch(const CiedeTables &tables, VF64 mean_chroma) {
    const MF64 is_grey = hn::Eq(mean_chroma, hn::Zero(df64));
    const VF64 some = power_of(tables, hn::IfThenElse(is_grey, constant(1), mean_chroma), 7);
    const VF64 power = hn::IfThenElse(is_grey, hn::Zero(df64), some);
    return hn::Sub(constant(1), hn::Sqrt(hn::Div(power, plus(power, ciede_chroma_pole))));
}

HWY_INLINE VF64 hue_of(const CiedeTables &tables, VF64 a, VF64 b) {
    const VF64 zero = hn::Zero(df64);
    const MF64 is_grey = hn::And(hn::Eq(a, zero), hn::Eq(b, zero));
    const VF64 hue = rounded(arctangent_of(tables, b, hn::IfThenElse(is_grey, constant(1), a)));
    return hn::IfThenElse(hn::Lt(hue, zero), rounded(plus(hue, 2 * ciede_pi)), hue);
}

HWY_INLINE VF64 hue_weight_of(const CiedeTables &tables, VF64 hue, VF64 mean_chroma) {
    VF64 t = constant(1);
    for (const CiedeCosine &cosine : ciede_cosines)
        t = hn::Add(t, times(cosine_of(tables, plus(times(hue, cosine.multiple), cosine.shift)), cosine.weight));
    return rounded(plus(hn::Mul(times(mean_chroma, ciede_hue_slope), rounded(t)), 1));
}

HWY_INLINE VF64 rotation_of(const CiedeTables &tables, VF64 hue, VF64 mean_chroma) {
    constexpr double far = 110; // exp(-far) · 60 is 0 as f32
    const VF64 from_blue = rounded(hn::Sub(rounded(times(hue, 180 / ciede_pi)), constant(ciede_blue_hue)));
    const VF64 q = rounded(square(rounded(times(from_blue, ciede_per_blue_width))));
    if (hn::AllTrue(df64, hn::Gt(q, constant(far))))
        return hn::Zero(df64);
    const VF64 degrees = rounded(times(exp_of_sum(tables, hn::Neg(q), hn::Zero(df64)), ciede_most_degrees));
    const VF64 angle = rounded(times(degrees, ciede_pi / 180));
    const MF64 is_grey = hn::Eq(mean_chroma, hn::Zero(df64));
    const VF64 some = rounded(seventh_power_of(tables, hn::IfThenElse(is_grey, constant(1), mean_chroma)));
    const VF64 power = hn::IfThenElse(is_grey, hn::Zero(df64), some);
    const VF64 ratio = rounded(hn::Div(power, rounded(plus(power, static_cast<float>(ciede_chroma_pole)))));
    return rounded(hn::Mul(times(hn::Sqrt(ratio), -2), sine_of(tables, angle)));
}

/// Colours of one vector.
struct Colours {
    VF64 lightness, a, b;

    HWY_INLINE Colours(const CiedeRow &row, int x)
        : lightness(load(row.lightness + x)), a(load(row.a + x)), b(load(row.b + x)) {}
};

HWY_INLINE VF64 difference(const CiedeTables &tables, const Colours &first, const Colours &second) {
    const VF64 zero = hn::Zero(df64);
    const VF64 chroma_1 = hypotenuse(first.a, first.b), chroma_2 = hypotenuse(second.a, second.b);
    const VF64 longer = stretch(tables, mean(chroma_1, chroma_2));
    const VF64 a_1 = rounded(hn::Add(first.a, hn::Mul(times(first.a, 0.5), longer)));
    const VF64 a_2 = rounded(hn::Add(second.a, hn::Mul(times(second.a, 0.5), longer)));
    const VF64 stretched_1 = hypotenuse(a_1, first.b), stretched_2 = hypotenuse(a_2, second.b);
    const VF64 mean_chroma = mean(stretched_1, stretched_2);

    const VF64 hue_1 = hue_of(tables, a_1, first.b), hue_2 = hue_of(tables, a_2, second.b);
    const VF64 step = rounded(hn::Sub(hue_2, hue_1)), sum = rounded(hn::Add(hue_1, hue_2));
    const MF64 is_far = hn::Gt(hn::Abs(step), constant(ciede_pi));
    const VF64 turn = hn::IfThenElse(hn::Le(hue_2, hue_1), constant(2 * ciede_pi), constant(-2 * ciede_pi));
    const MF64 is_grey = hn::Or(hn::Eq(chroma_1, zero), hn::Eq(chroma_2, zero));
    const VF64 hue_turn = hn::IfThenElse(is_grey, zero, hn::IfThenElse(is_far, rounded(hn::Add(step, turn)), step));
    const VF64 hue_mean = hn::IfThenElse(is_far, rounded(times(plus(sum, 2 * ciede_pi), 0.5)), times(sum, 0.5));
    const VF64 hue_difference = rounded(
        hn::Mul(times(hn::Sqrt(rounded(hn::Mul(stretched_1, stretched_2))), 2), sine_of(tables, times(hue_turn, 0.5))));

    const VF64 beyond_middle =
        square(rounded(hn::Sub(mean(first.lightness, second.lightness), constant(ciede_middle_lightness))));
    const VF64 lightness_weight = rounded(plus(
        hn::Div(times(beyond_middle, ciede_lightness_slope), hn::Sqrt(plus(beyond_middle, ciede_lightness_pole))), 1));
    const VF64 chroma_weight = rounded(plus(times(mean_chroma, ciede_chroma_slope), 1));
    const VF64 hue_weight = hue_weight_of(tables, hue_mean, mean_chroma);
    const VF64 rotation = rotation_of(tables, hue_mean, mean_chroma);

    const VF64 lightness = rounded(hn::Div(rounded(hn::Sub(second.lightness, first.lightness)),
                                           rounded(times(lightness_weight, ciede_k_lightness))));
    const VF64 chroma =
        rounded(hn::Div(rounded(hn::Sub(stretched_2, stretched_1)), rounded(times(chroma_weight, ciede_k_chroma))));
    const VF64 hue = rounded(hn::Div(hue_difference, rounded(times(hue_weight, ciede_k_hue))));
    const VF64 coupled = rounded(hn::Mul(rounded(hn::Mul(rotation, chroma)), hue));
    return hn::Sqrt(hn::Add(hn::Add(hn::Add(square(lightness), square(chroma)), square(hue)), coupled));
}

void differences(const CiedeTables &tables, const CiedeRow &reference, const CiedeRow &distorted, int width,
                 float *out) {
    const VF64 zero = hn::Zero(df64);
    for (int x = 0; x < width; x += lanes_64) {
        const Colours r(reference, x), d(distorted, x);
        const MF64 is_equal = hn::And(hn::Eq(r.lightness, d.lightness), hn::And(hn::Eq(r.a, d.a), hn::Eq(r.b, d.b)));
        store(hn::AllTrue(df64, is_equal) ? zero : difference(tables, r, d), out + x);
    }
}
#endif

} // namespace

extern const CiedeFunctions ISOVMAF_AT_LEVEL(ciede_functions);
const CiedeFunctions ISOVMAF_AT_LEVEL(ciede_functions) = {colours, differences};

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

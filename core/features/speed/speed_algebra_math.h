// SPDX-License-Identifier: BSD-2-Clause-Patent
// Steps of SpEED's linear algebra in f32 (speed.md §6), for kernels: each operation is one of f32.h's, in the order of
// speed_eigenvalues.cpp.
#ifndef ISOVMAF_SPEED_ALGEBRA_MATH_H
#define ISOVMAF_SPEED_ALGEBRA_MATH_H

#include "features/speed/speed_math.h"
#include "portable/f32.h"

// f64's nearest to 1e-6 is SPEED_MILLIONTH · 2^-72.
#define SPEED_MILLIONTH 0x10c6f7a0b5ed8dul
#define SPEED_LEAST_PIVOT_BITS 0x358637beu // the least f32 that is not below SPEED_SINGULAR

ISOVMAF_FN bool f32_is_zero(float v) { return f32_magnitude(f32_bits(v)) == 0u; }
ISOVMAF_FN float f32_absolute(float v) { return f32_of_bits(f32_magnitude(f32_bits(v))); }

// Whether |v| < 1e-6 · whole, for a finite `whole` >= 0 and a product in f64. No product is rounded to an f32 or past
// one, so the exact product decides; no product is an f32 either.
ISOVMAF_FN bool speed_is_negligible(float v, float whole) {
    const uint32_t small = f32_magnitude(f32_bits(v)), large = f32_bits(whole);
    if (small == 0u || large == 0u)
        return large != 0u;
    const int32_t apart = f32_exponent(large) - f32_exponent(small); // 2^(72 - apart) · small is below 2^(96 - apart)
    if (apart < 19)
        return false;
    if (apart > 20)
        return true;
    const uint64_t significand = uint64_t(f32_significand(large)), millionth = uint64_t(SPEED_MILLIONTH);
    const uint64_t high = (millionth >> 29) * significand, low = (millionth & uint64_t((1 << 29) - 1)) * significand;
    return uint64_t(f32_significand(small)) <= (high + (low >> 29)) >> (43 - apart); // the product by 2^(72 - apart)
}

ISOVMAF_FN bool speed_is_below_pivot(float v) { return f32_magnitude(f32_bits(v)) < SPEED_LEAST_PIVOT_BITS; }

// Whether v >= SPEED_SINGULAR: no NaN is, and no number below 0.
ISOVMAF_FN bool speed_is_regular(float eigenvalue) {
    const uint32_t bits = f32_bits(eigenvalue);
    return bits >= SPEED_LEAST_PIVOT_BITS && bits <= F32_INFINITY;
}

// A word of a float: all NaNs are one.
ISOVMAF_FN int64_t speed_word_of(float v) {
    const uint32_t bits = f32_bits(v);
    return int64_t(uint64_t(f32_is_nan(bits) ? F32_NAN : bits));
}

// a·b + c·d and a·b - c·d, perhaps in quick operations.
ISOVMAF_FN float speed_sum_as(bool quick, float a, float b, float c, float d) {
    return f32_add_as(quick, f32_multiply_as(quick, a, b), f32_multiply_as(quick, c, d));
}
ISOVMAF_FN float speed_difference_as(bool quick, float a, float b, float c, float d) {
    return f32_subtract_as(quick, f32_multiply_as(quick, a, b), f32_multiply_as(quick, c, d));
}

ISOVMAF_FN float speed_hypotenuse(float p, float q) { return f32_sqrt(speed_sum_as(false, p, p, q, q)); }

// The shift of a QR step: from the last two numbers of the diagonal, the one beside them, and the first two numbers.
ISOVMAF_FN float speed_shift(float above, float last, float beside, float first, float first_beside) {
    const float half_apart = f32_multiply(f32_subtract(above, last), 0.5f);
    float shift;
    if (f32_is_zero(half_apart)) {
        shift = f32_subtract(last, f32_absolute(beside));
    } else {
        const float divisor = f32_add(f32_absolute(half_apart), speed_hypotenuse(half_apart, beside));
        const float change = f32_multiply(beside, f32_divide(beside, divisor));
        shift = (f32_bits(half_apart) & F32_SIGN) == 0u ? f32_subtract(last, change) : f32_add(last, change);
    }
    const float start = f32_add(f32_absolute(first), f32_absolute(first_beside));
    return speed_is_negligible(start, f32_absolute(shift)) ? 0.0f : shift;
}

// The cosine and the sine of the rotation that turns b into 0 beside a.
struct SpeedRotation {
    float c, s;
};
ISOVMAF_FN SpeedRotation speed_rotation(bool quick, float a, float b) {
    SpeedRotation r;
    r.c = 1.0f;
    r.s = 0.0f;
    if (f32_is_zero(b))
        return r;
    const bool steep = f32_magnitude(f32_bits(b)) > f32_magnitude(f32_bits(a));
    const float t = f32_divide_as(quick, f32_negative(steep ? a : b), steep ? b : a);
    const float large = f32_reciprocal_root(f32_add_as(quick, 1.0f, f32_multiply_as(quick, t, t)));
    const float small = f32_multiply_as(quick, large, t);
    r.c = steep ? small : large;
    r.s = steep ? large : small;
    return r;
}

// The bulge that a QR step chases down the diagonal: what the next rotation turns, and the elements that it changes.
// Behind the rotation, `own` and `before` are those that it leaves behind, on the diagonal and beside it.
struct SpeedBulge {
    float turned, z;
    float bk, zk, ap, bp, aq, bq;
    float own, before;
};

// Rotates once. The step's first rotation leaves nothing beside the diagonal, and its last one has nothing to chase.
ISOVMAF_FN SpeedBulge speed_chase(bool quick, SpeedBulge b, bool is_first, bool is_last) {
    const SpeedRotation r = speed_rotation(quick, b.turned, b.z);
    const float upper = speed_sum_as(quick, r.s, b.ap, r.c, b.bp), lower = speed_sum_as(quick, r.s, b.bp, r.c, b.aq);
    SpeedBulge next = b;
    if (!is_first)
        next.before = speed_difference_as(quick, r.c, b.bk, r.s, b.zk);
    next.own = speed_sum_as(quick, r.c, speed_difference_as(quick, r.c, b.ap, r.s, b.bp), r.s,
                            speed_difference_as(quick, r.s, b.aq, r.c, b.bp));
    next.bk = speed_difference_as(quick, r.c, upper, r.s, lower);
    next.ap = speed_sum_as(quick, r.s, upper, r.c, lower);
    if (!is_last) {
        next.zk = f32_multiply_as(quick, f32_negative(r.s), b.bq);
        next.bp = f32_multiply_as(quick, r.c, b.bq);
    }
    next.turned = next.bk;
    next.z = next.zk;
    return next;
}

#endif

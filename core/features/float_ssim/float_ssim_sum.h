// SPDX-License-Identifier: BSD-2-Clause-Patent
// An f64 sum of f32 products in order, rounded to f32 at the end.
//
// Where f64 is slow or missing, products are added as integers first. If all of them are multiples of a number of which
// an f64 holds every multiple up to the sum of their magnitudes, all sums on the way are exact, and so is the integer.
// That is so for nearly all sums. The others are made again in order.
#ifndef ISOVMAF_FLOAT_SSIM_SUM_H
#define ISOVMAF_FLOAT_SSIM_SUM_H

#include "portable/f32.h"

#if defined(VULKAN)

#include "portable/running_sum.h"

#define SsimSum RunningSum

ISOVMAF_FN SsimSum ssim_no_sum() { return running_number(uint64_t(0)); }
ISOVMAF_FN SsimSum ssim_sum_with(SsimSum sum, float term) {
    return running_add(sum, running_number(f64_of_f32_or_denormal(f32_bits(term))));
}
ISOVMAF_FN float ssim_f32_of_sum(SsimSum sum) { return f32_of_bits(f32_or_denormal_of_f64(running_bits(sum))); }

// A product that may be zero in place of a denormal.
ISOVMAF_FN float ssim_product(float a, float b) {
    precise float product = a * b;
    return product;
}

#else

using SsimSum = double;

ISOVMAF_FN SsimSum ssim_no_sum() { return 0; }
ISOVMAF_FN SsimSum ssim_sum_with(SsimSum sum, float term) { return sum + double(term); }
ISOVMAF_FN float ssim_f32_of_sum(SsimSum sum) { return float(sum); }
ISOVMAF_FN float ssim_product(float a, float b) { return f32_multiply(a, b); }

#endif

// Loops that sum up in order are written out where they are the usual way. Shaders' are not: copies of products would
// not be precise.
#if defined(VULKAN) || ISOVMAF_SLOW_F64
#define SSIM_UNROLL ISOVMAF_NO_UNROLL
#else
#define SSIM_UNROLL ISOVMAF_UNROLL
#endif

// A sum in units of 2^-SSIM_UNIT_BITS: of products and of their magnitudes, and all bits that are set in any of these.
// Up to 81 products below 2^15 fit.
#define SSIM_UNIT_BITS 41
#define SSIM_UNIT_FIELD                                                                                                \
    uint32_t(F32_BIAS + 23 - SSIM_UNIT_BITS) // the exponent field of numbers whose last place is a unit
#define SSIM_UNITS_END uint32_t(F32_BIAS + 15)

struct SsimUnits {
    int64_t sum;
    uint64_t total, bits;
    bool fits; // no product is too small or too large
};

ISOVMAF_FN SsimUnits ssim_no_units() {
    SsimUnits units;
    units.sum = int64_t(0);
    units.total = uint64_t(0);
    units.bits = uint64_t(0);
    units.fits = true;
    return units;
}

ISOVMAF_FN bool ssim_is_zero(float v) { return f32_magnitude(f32_bits(v)) == 0u; }

// `is_zero` says whether the product is zero if nothing is rounded.
ISOVMAF_FN SsimUnits ssim_units_with(SsimUnits units, float product, bool is_zero) {
    const uint32_t bits = f32_bits(product), field = bits >> 23 & 0xffu;
    const bool fits = field >= SSIM_UNIT_FIELD && field < SSIM_UNITS_END;
    const uint64_t significand = uint64_t((bits & (F32_LEADING - 1u)) | F32_LEADING);
    const uint64_t magnitude = fits ? significand << (field - SSIM_UNIT_FIELD) : uint64_t(0);
    units.sum += (bits & F32_SIGN) == 0u ? int64_t(magnitude) : -int64_t(magnitude);
    units.total += magnitude;
    units.bits |= magnitude;
    units.fits = units.fits && (fits || is_zero);
    return units;
}

ISOVMAF_FN bool ssim_units_are_exact(SsimUnits units) {
    const uint64_t last = units.bits & (~units.bits + uint64_t(1)); // the lowest bit that is set
    return units.fits && (units.total >> 53 < last || units.total == uint64_t(0));
}

ISOVMAF_FN float ssim_f32_of_units(SsimUnits units) {
    const uint32_t bits = f32_of_i64(units.sum);
    return f32_of_bits(bits == 0u ? 0u : bits - (uint32_t(SSIM_UNIT_BITS) << 23));
}

#endif

// SPDX-License-Identifier: BSD-2-Clause-Patent
// Similarities of pixels, and f64 arithmetic with them, on bit patterns: in shaders in integers.
#ifndef ISOVMAF_FLOAT_SSIM_SIMILARITY_H
#define ISOVMAF_FLOAT_SSIM_SIMILARITY_H

#include "features/float_ssim/float_ssim_params.h"
#include "portable/binary64.h"

// The factors of ssim_similarity and their product, as bits of f64; s is also an f32.
struct SsimTerms {
    uint64_t lcs, l, c, s;
    float structure;
};

#if defined(VULKAN)

// (2 · a · b + more) / divisor, where the product of a and b is exact in f64, and `more` is bits of f32.
ISOVMAF_FN uint64_t ssim_ratio(uint64_t a, uint64_t b, uint32_t more, float divisor) {
    const uint64_t product = f64_multiply(a, b);
    const uint64_t twice = f64_is_zero(product) ? product : product + F64_LEADING;
    return f64_divide(f64_add(twice, f64_of_f32(more)), f64_of_f32(f32_bits(divisor)));
}

// ssim_similarity does the same in f64.
ISOVMAF_FN SsimTerms ssim_terms(SsimMoments m, SsimParams p) {
    const SsimParts parts = ssim_parts(m, f32_of_bits(p.c1), f32_of_bits(p.c2), f32_of_bits(p.c3));
    SsimTerms terms;
    terms.l = ssim_ratio(f64_of_f32_or_denormal(f32_bits(m.reference)), f64_of_f32_or_denormal(f32_bits(m.distorted)),
                         p.c1, parts.l_divisor);
    terms.c = ssim_ratio(f64_of_f32_or_denormal(f32_bits(parts.deviations)), f64_of_f32(f32_bits(1.0f)), p.c2,
                         parts.c_divisor);
    terms.structure = parts.structure;
    terms.s = f64_of_f32_or_denormal(f32_bits(terms.structure));
    terms.lcs = f64_multiply(f64_multiply(terms.l, terms.c), terms.s);
    return terms;
}

// The sum, and the bits of the f32 mean of `count` numbers with this sum.
ISOVMAF_FN uint64_t ssim_added(uint64_t sum, uint64_t term) { return f64_add(sum, term); }
ISOVMAF_FN uint32_t ssim_mean(uint64_t sum, int32_t count) {
    return f32_or_denormal_of_f64(f64_divide(sum, f64_of_i64(int64_t(count))));
}

#else

ISOVMAF_FN uint64_t ssim_bits(double v) { return __builtin_bit_cast(uint64_t, v); }

ISOVMAF_FN SsimTerms ssim_terms(SsimMoments m, const SsimParams &) {
    const SsimSimilarity similarity = ssim_similarity(m);
    SsimTerms terms;
    terms.l = ssim_bits(similarity.l);
    terms.c = ssim_bits(similarity.c);
    terms.structure = similarity.s;
    terms.s = ssim_bits(double(similarity.s));
    terms.lcs = ssim_bits(similarity.l * similarity.c * double(similarity.s));
    return terms;
}

ISOVMAF_FN uint64_t ssim_added(uint64_t sum, uint64_t term) {
    return ssim_bits(__builtin_bit_cast(double, sum) + __builtin_bit_cast(double, term));
}
ISOVMAF_FN uint32_t ssim_mean(uint64_t sum, int32_t count) {
    return f32_bits(float(__builtin_bit_cast(double, sum) / count));
}

#endif

#endif

// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of SSIM: a block of threads compares a tile of both pictures (features.md §6.2). It smooths them,
// their squares and their product along the rows, then down the columns, and writes the terms of the sums, and what the
// tile adds to the plain sums of groups.
#include "features/float_ssim/float_ssim_similarity.h"
#include "features/float_ssim/float_ssim_sum.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT int32_t loaded_width = SSIM_TILE_WIDTH + SSIM_TAP_COUNT - 1;
ISOVMAF_CONSTANT int32_t loaded_height = SSIM_TILE_HEIGHT + SSIM_TAP_COUNT - 1;
ISOVMAF_CONSTANT int32_t loaded_samples = loaded_width * loaded_height;
ISOVMAF_CONSTANT int32_t along_samples = SSIM_TILE_WIDTH * loaded_height; // of one moment
ISOVMAF_CONSTANT int32_t pixels = SSIM_TILE_WIDTH * SSIM_TILE_HEIGHT;
ISOVMAF_STATIC_ASSERT(2 * loaded_samples <= SSIM_MOMENT_COUNT * pixels, "moments lie where samples were");

ISOVMAF_SHARED(float, values[SSIM_MOMENT_COUNT * pixels]); // samples of both pictures, and then moments
ISOVMAF_SHARED(float, along[SSIM_MOMENT_COUNT * along_samples]);
ISOVMAF_SHARED(uint32_t, row_sums[SSIM_MOST_SUMS * SSIM_TILE_HEIGHT]); // plain sums

// Beyond the pictures the last samples stand; no pixel that counts reads them.
ISOVMAF_FN void load_pictures(ConstF32 pictures, ISOVMAF_IN(SsimScale) s, int32_t left, int32_t top) {
    for (int32_t i = thread_x(); i < 2 * loaded_samples; i += SSIM_COMPARE_THREADS) {
        const int32_t at = i % loaded_samples, x = left + at % loaded_width, y = top + at / loaded_width;
        const int32_t row = i / loaded_samples * s.height + (y < s.height ? y : s.height - 1);
        ConstF32 from = pointer_after(ConstF32, pictures, int64_t(4) * (s.pictures + int64_t(row) * int64_t(s.width)));
        values[i] = from.at[x < s.width ? x : s.width - 1];
    }
}

// The first sample of a window of the reference picture; that of the distorted one lies loaded_samples further on.
ISOVMAF_FN int32_t window_of(int32_t at) { return at / SSIM_TILE_WIDTH * loaded_width + at % SSIM_TILE_WIDTH; }

#if ISOVMAF_SLOW_F64 // one moment after the other
ISOVMAF_FN void smooth_along() {
    for (int32_t i = thread_x(); i < SSIM_MOMENT_COUNT * along_samples; i += SSIM_COMPARE_THREADS) {
        const int32_t moment = i / along_samples, first = window_of(i % along_samples);
        const int32_t a = first + (moment % 2 == 1 ? loaded_samples : 0);
        const int32_t b = first + (moment >= 3 ? loaded_samples : 0);
        SsimUnits units = ssim_no_units();
        for (int32_t k = 0; k < SSIM_TAP_COUNT; k++) {
            const float left = values[a + k], right = moment < 2 ? 1.0f : values[b + k];
            units = ssim_units_with(units, ssim_product(ssim_product(left, right), ssim_taps[k]),
                                    ssim_is_zero(left) || ssim_is_zero(right));
        }
        const bool is_exact = ssim_units_are_exact(units);
        SsimSum sum = ssim_no_sum();
        SSIM_UNROLL
        for (int32_t k = is_exact ? SSIM_TAP_COUNT : 0; k < SSIM_TAP_COUNT; k++) {
            const float value = f32_multiply(values[a + k], moment < 2 ? 1.0f : values[b + k]);
            sum = ssim_sum_with(sum, f32_multiply(value, ssim_taps[k]));
        }
        along[i] = is_exact ? ssim_f32_of_units(units) : ssim_f32_of_sum(sum);
    }
}
ISOVMAF_FN float smoothed_down(int32_t first) {
    SsimUnits units = ssim_no_units();
    for (int32_t k = 0; k < SSIM_TAP_COUNT; k++) {
        const float value = along[first + k * SSIM_TILE_WIDTH];
        units = ssim_units_with(units, ssim_product(value, ssim_taps[k]), ssim_is_zero(value));
    }
    const bool is_exact = ssim_units_are_exact(units);
    SsimSum sum = ssim_no_sum();
    SSIM_UNROLL
    for (int32_t k = is_exact ? SSIM_TAP_COUNT : 0; k < SSIM_TAP_COUNT; k++)
        sum = ssim_sum_with(sum, f32_multiply(along[first + k * SSIM_TILE_WIDTH], ssim_taps[k]));
    return is_exact ? ssim_f32_of_units(units) : ssim_f32_of_sum(sum);
}
#else
ISOVMAF_FN void smooth_along() {
    for (int32_t i = thread_x(); i < along_samples; i += SSIM_COMPARE_THREADS) {
        const int32_t first = window_of(i);
        SsimSum sums[SSIM_MOMENT_COUNT] = {};
        SSIM_UNROLL
        for (int32_t k = 0; k < SSIM_TAP_COUNT; k++) {
            const float r = values[first + k], d = values[first + k + loaded_samples];
            const float moments[] = {r, d, f32_multiply(r, r), f32_multiply(d, d), f32_multiply(r, d)};
            SSIM_UNROLL
            for (int32_t m = 0; m < SSIM_MOMENT_COUNT; m++)
                sums[m] = ssim_sum_with(sums[m], f32_multiply(moments[m], ssim_taps[k]));
        }
        SSIM_UNROLL
        for (int32_t m = 0; m < SSIM_MOMENT_COUNT; m++)
            along[i + m * along_samples] = ssim_f32_of_sum(sums[m]);
    }
}
ISOVMAF_FN float smoothed_down(int32_t first) {
    SsimSum sum = ssim_no_sum();
    SSIM_UNROLL
    for (int32_t k = 0; k < SSIM_TAP_COUNT; k++)
        sum = ssim_sum_with(sum, f32_multiply(along[first + k * SSIM_TILE_WIDTH], ssim_taps[k]));
    return ssim_f32_of_sum(sum);
}
#endif

ISOVMAF_FN void smooth_down() {
    for (int32_t i = thread_x(); i < SSIM_MOMENT_COUNT * pixels; i += SSIM_COMPARE_THREADS)
        values[i] = smoothed_down(i / pixels * along_samples + i % pixels);
}

// A term in units of plain sums, about; its sign is that of the term.
ISOVMAF_FN uint32_t plain_units(uint64_t term) {
    const int32_t exponent = f64_exponent(term);
    if (exponent < -SSIM_PLAIN_BITS || exponent > 4)
        return 0u;
    const uint32_t units = uint32_t(f64_significand(term) >> (52 - SSIM_PLAIN_BITS - exponent));
    return (term & F64_SIGN) == uint64_t(0) ? units : 0u - units;
}

ISOVMAF_FN void put_term(U64 terms, ISOVMAF_IN(SsimScale) s, int32_t sum, int32_t at, int32_t row, uint64_t term) {
    pointer_after(U64, terms, int64_t(8) * int64_t(sum) * int64_t(s.smooth_width * s.smooth_height)).at[at] = term;
    shared_add(row_sums[sum * SSIM_TILE_HEIGHT + row], plain_units(term));
}

ISOVMAF_FN void compare_pixel(U64 terms, ISOVMAF_IN(SsimParams) p, ISOVMAF_IN(SsimScale) s, int32_t pixel, int32_t x,
                              int32_t y, KernelTaps taps) {
    SsimMoments m;
    m.reference = values[pixel];
    m.distorted = values[pixel + pixels];
    m.reference_square = values[pixel + 2 * pixels];
    m.distorted_square = values[pixel + 3 * pixels];
    m.product = values[pixel + 4 * pixels];
    const SsimTerms own = ssim_terms(m, p);
    const int32_t at = y * s.smooth_width + x, row = pixel / SSIM_TILE_WIDTH, first = p.sums - 3;
    if (first > 0)
        put_term(terms, s, 0, at, row, own.lcs);
    put_term(terms, s, first, at, row, own.l);
    put_term(terms, s, first + 1, at, row, own.c);
    put_term(terms, s, first + 2, at, row, own.s);
    tap_put_f32(taps, s.stage + 2, x, y, m.reference);
    tap_put_f32(taps, s.stage + 3, x, y, m.distorted);
    tap_put_f32(taps, s.stage + 4, x, y, m.reference_square);
    tap_put_f32(taps, s.stage + 5, x, y, m.distorted_square);
    tap_put_f32(taps, s.stage + 6, x, y, m.product);
    tap_put(taps, s.stage + 7, x, y, int64_t(own.l));
    tap_put(taps, s.stage + 8, x, y, int64_t(own.c));
    tap_put_f32(taps, s.stage + 9, x, y, own.structure);
}

ISOVMAF_FN void compare_tile(ConstF32 pictures, U64 all_terms, I64 plain_sums, ISOVMAF_IN(SsimParams) p,
                             ISOVMAF_IN(SsimScale) s, KernelTaps taps) {
    const int32_t tile = group_x() - s.first_tile, thread = thread_x();
    const int32_t left = tile % s.tiles_across * SSIM_TILE_WIDTH, top = tile / s.tiles_across * SSIM_TILE_HEIGHT;
    load_pictures(pictures, s, left, top);
    if (thread < SSIM_MOST_SUMS * SSIM_TILE_HEIGHT)
        row_sums[thread] = 0u;
    barrier();
    smooth_along();
    barrier();
    smooth_down();
    barrier();
    U64 terms = pointer_after(U64, all_terms, int64_t(8) * s.terms);
    ISOVMAF_NO_UNROLL
    for (int32_t pixel = thread; pixel < pixels; pixel += SSIM_COMPARE_THREADS) {
        const int32_t x = left + pixel % SSIM_TILE_WIDTH, y = top + pixel / SSIM_TILE_WIDTH;
        if (x < s.smooth_width && y < s.smooth_height)
            compare_pixel(terms, p, s, pixel, x, y, taps);
    }
    barrier();
    const int32_t y = top + thread % SSIM_TILE_HEIGHT;
    if (thread < p.sums * SSIM_TILE_HEIGHT && y < s.smooth_height)
        atomic_add(plain_sums, s.first_group + thread / SSIM_TILE_HEIGHT * s.groups + y / s.group_rows,
                   int64_t(int32_t(row_sums[thread])));
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = SSIM_COMPARE_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstF32 pictures;
    U64 terms;
    I64 plain_sums;
    ISOVMAF_TAPS_MEMBER
    SsimParams p;
}
arguments;
void main() {
    compare_tile(arguments.pictures, arguments.terms, arguments.plain_sums, arguments.p,
                 ssim_scale(arguments.p, ssim_scale_of_tile(arguments.p, group_x())), ISOVMAF_TAPS_ARGUMENT);
}
#else
ISOVMAF_KERNEL(SSIM_COMPARE_THREADS)
ISOVMAF_KERNEL_NAME(const float *pictures, uint64_t *terms, int64_t *plain_sums, ISOVMAF_TAPS_PARAMETER SsimParams p) {
    KERNEL_BODY::compare_tile({pictures}, {terms}, {plain_sums}, p, ssim_scale(p, ssim_scale_of_tile(p, group_x())),
                              ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL

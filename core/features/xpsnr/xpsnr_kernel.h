// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of XPSNR: a group of threads computes the words of a block (xpsnr.md §3). A thread takes patches of four by
// two samples, with one load for the four. SAMPLE_BITS is 8 or 16. HALVED is 1 for the terms of groups of two by two
// samples.
#include "features/xpsnr/xpsnr_math.h"
#include "features/xpsnr/xpsnr_params.h"
#include "portable/body.h"

#define SAMPLE ISOVMAF_SAMPLE(SAMPLE_BITS)
#define SAMPLES ISOVMAF_SAMPLES(SAMPLE_BITS)
#define SAMPLE_RUN ISOVMAF_JOIN(ISOVMAF_JOIN(u, SAMPLE_BITS), vec4)
// What a thread adds up: less than 2^14 terms, each below 2^17 at 8 bit.
#if SAMPLE_BITS == 8
#define SUM uint32_t
#else
#define SUM uint64_t
#endif

ISOVMAF_BODY_BEGIN

#if SAMPLE_BITS == 8
ISOVMAF_POINTER(SampleRuns, u8vec4, 4);
#else
ISOVMAF_POINTER(SampleRuns, u16vec4, 8);
#endif

ISOVMAF_CONSTANT int32_t patch_width = 4;
ISOVMAF_CONSTANT int32_t patch_height = 2;
ISOVMAF_CONSTANT int32_t term_step = HALVED != 0 ? 2 : 1;
ISOVMAF_CONSTANT int32_t border = term_step; // of the picture has no spatial terms, which reach so far
ISOVMAF_CONSTANT int32_t window_width = patch_width + 2 * border;
ISOVMAF_CONSTANT int32_t window_height = patch_height + 2 * border;

// The threads' shares of a block's words, word after word; XPSNR_FOLDED threads of each word add them up.
ISOVMAF_SHARED(int64_t, shares[XPSNR_WORDS * XPSNR_THREADS]);

// Samples of a plane; none where a size is 0.
struct Part {
    int32_t left, top, width, height;
};

// A picture of luma.
struct Luma {
    SAMPLES samples;
    int32_t stride_bytes;
    int32_t last_x, last_y;
};

ISOVMAF_FN int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
ISOVMAF_FN int32_t greatest(int32_t a, int32_t b) { return a < b ? b : a; }
ISOVMAF_FN int32_t between(int32_t v, int32_t first, int32_t last) { return greatest(first, least(v, last)); }
ISOVMAF_FN bool is_inside(Part part, int32_t x, int32_t y) {
    return uint32_t(x - part.left) < uint32_t(part.width) && uint32_t(y - part.top) < uint32_t(part.height);
}

ISOVMAF_FN Part block_of(ISOVMAF_IN(XpsnrPlane) plane, int32_t column, int32_t row) {
    Part part;
    part.left = column * plane.block_width;
    part.top = row * plane.block_height;
    part.width = between(plane.width - part.left, 0, plane.block_width);
    part.height = between(plane.height - part.top, 0, plane.block_height);
    return part;
}

// All pictures of the reference have their rows equally far apart.
ISOVMAF_FN Luma luma_of(SAMPLES samples, ISOVMAF_IN(XpsnrParams) p) {
    Luma luma;
    luma.samples = samples;
    luma.stride_bytes = p.planes[0].reference_stride;
    luma.last_x = p.planes[0].width - 1;
    luma.last_y = p.planes[0].height - 1;
    return luma;
}

ISOVMAF_FN int32_t sample_at(Luma luma, int32_t x, int32_t y) {
    return int32_t(plane_row(SAMPLES, luma.samples, y, luma.stride_bytes).at[x]);
}

// The four samples of a row from x on, a multiple of four: rows have room for whole runs.
ISOVMAF_FN SAMPLE_RUN run_at(SAMPLES plane, int32_t stride_bytes, int32_t x, int32_t y) {
    return plane_row(ConstSampleRuns, plane, y, stride_bytes).at[x / patch_width];
}

// Patches of a part, the first of which starts at a multiple of four.
ISOVMAF_FN int32_t first_x(Part part) { return part.left / patch_width * patch_width; }
ISOVMAF_FN int32_t patches_across(Part part) {
    return (part.left % patch_width + part.width + patch_width - 1) / patch_width;
}
ISOVMAF_FN int32_t patch_count(Part part) {
    return part.width == 0 ? 0 : patches_across(part) * ((part.height + patch_height - 1) / patch_height);
}

ISOVMAF_FN uint32_t error_at(int32_t o, int32_t d, int32_t x, int32_t y, int32_t stage, KernelTaps taps) {
    const uint32_t error = xpsnr_squared_error(o, d);
    tap_put(taps, stage, x, y, int64_t(error));
    return error;
}

// The share of the squared errors of a part that a thread has, which starts with patch number `first`.
ISOVMAF_FN SUM errors_of(SAMPLES reference, SAMPLES distorted, ISOVMAF_IN(XpsnrPlane) plane, Part part, int32_t first,
                         int32_t stage, KernelTaps taps) {
    const int32_t across = patches_across(part), count = patch_count(part);
    SUM sum = SUM(0);
    for (int32_t i = first; i < count; i += XPSNR_THREADS) {
        const int32_t x = first_x(part) + i % across * patch_width, y = part.top + i / across * patch_height;
        if (is_inside(part, x, y) && is_inside(part, x + patch_width - 1, y + patch_height - 1)) {
            ISOVMAF_UNROLL
            for (int32_t r = 0; r < patch_height; r++) {
                const SAMPLE_RUN o = run_at(reference, plane.reference_stride, x, y + r);
                const SAMPLE_RUN d = run_at(distorted, plane.distorted_stride, x, y + r);
                ISOVMAF_UNROLL
                for (int32_t k = 0; k < patch_width; k++)
                    sum += SUM(error_at(int32_t(o[k]), int32_t(d[k]), x + k, y + r, stage, taps));
            }
        } else { // at the part's edges
            ISOVMAF_NO_UNROLL
            for (int32_t n = 0; n < patch_width * patch_height; n++) {
                const int32_t own_x = x + n % patch_width, own_y = y + n / patch_width;
                if (is_inside(part, own_x, own_y))
                    sum += SUM(error_at(int32_t(plane_row(SAMPLES, reference, own_y, plane.reference_stride).at[own_x]),
                                        int32_t(plane_row(SAMPLES, distorted, own_y, plane.distorted_stride).at[own_x]),
                                        own_x, own_y, stage, taps));
            }
        }
    }
    return sum;
}

// A patch with the samples around it that spatial terms read, as far as there are others: beyond the first and last
// column and row these repeat.
struct Window {
    int32_t at[window_height][window_width];
};

ISOVMAF_FN Window window_of(Luma luma, int32_t x, int32_t y) {
    Window window;
    const bool lies_inside = x >= patch_width && x + 2 * patch_width <= luma.last_x + 1;
    ISOVMAF_UNROLL
    for (int32_t j = 0; j < window_height; j++) {
        const int32_t row = between(y + j - border, 0, luma.last_y);
        if (lies_inside) {
            const SAMPLE_RUN before = run_at(luma.samples, luma.stride_bytes, x - patch_width, row);
            const SAMPLE_RUN own = run_at(luma.samples, luma.stride_bytes, x, row);
            const SAMPLE_RUN after = run_at(luma.samples, luma.stride_bytes, x + patch_width, row);
            ISOVMAF_UNROLL
            for (int32_t k = 0; k < patch_width; k++)
                window.at[j][border + k] = int32_t(own[k]);
            ISOVMAF_UNROLL
            for (int32_t k = 0; k < border; k++) {
                window.at[j][k] = int32_t(before[patch_width - border + k]);
                window.at[j][border + patch_width + k] = int32_t(after[k]);
            }
        } else {
            ISOVMAF_UNROLL
            for (int32_t k = 0; k < window_width; k++)
                window.at[j][k] = sample_at(luma, between(x + k - border, 0, luma.last_x), row);
        }
    }
    return window;
}

// Of a patch: how much its samples change. Beyond the last column and row these repeat.
struct Changes {
    int32_t at[patch_height][patch_width];
};

// Subtracts `factor` times the samples of an earlier picture.
ISOVMAF_FN Changes less(Changes changes, Luma earlier, int32_t factor, int32_t x, int32_t y) {
    if (factor == 0)
        return changes;
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < patch_height; r++) {
        const int32_t row = least(y + r, earlier.last_y);
        const SAMPLE_RUN samples = run_at(earlier.samples, earlier.stride_bytes, x, row);
        ISOVMAF_UNROLL
        for (int32_t k = 0; k < patch_width; k++)
            changes.at[r][k] -=
                factor * (x + k > earlier.last_x ? sample_at(earlier, earlier.last_x, row) : int32_t(samples[k]));
    }
    return changes;
}

ISOVMAF_FN Changes changes_of(ISOVMAF_IN(Window) window, Luma before, Luma before_that, ISOVMAF_IN(XpsnrParams) p,
                              int32_t x, int32_t y) {
    Changes changes;
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < patch_height; r++)
        ISOVMAF_UNROLL
    for (int32_t k = 0; k < patch_width; k++)
        changes.at[r][k] = window.at[border + r][border + k];
    return less(less(changes, before, p.before_factor, x, y), before_that, p.before_that_factor, x, y);
}

#if HALVED

// Samples [first, first + 2) of a row of the window.
ISOVMAF_FN int32_t two(ISOVMAF_IN(Window) w, int32_t first, int32_t row) {
    return w.at[row][first] + w.at[row][first + 1];
}
// The samples at these places of a row.
ISOVMAF_FN int32_t pair(ISOVMAF_IN(Window) w, int32_t one, int32_t other, int32_t row) {
    return w.at[row][one] + w.at[row][other];
}

// The term whose first sample is number (k, r) of the patch.
ISOVMAF_FN uint32_t spatial_term(ISOVMAF_IN(Window) w, int32_t k, int32_t r) {
    const int32_t x = k + border, y = r + border;
    return xpsnr_spatial_halved(two(w, x, y) + two(w, x, y + 1),
                                pair(w, x - 1, x + 2, y) + pair(w, x - 1, x + 2, y + 1) + two(w, x, y - 1) +
                                    two(w, x, y + 2),
                                pair(w, x - 1, x + 2, y - 1) + pair(w, x - 1, x + 2, y + 2),
                                two(w, x - 1, y - 2) + two(w, x + 1, y - 2) + two(w, x - 1, y + 3) +
                                    two(w, x + 1, y + 3) + pair(w, x - 2, x + 3, y - 1) + pair(w, x - 2, x + 3, y) +
                                    pair(w, x - 2, x + 3, y + 1) + pair(w, x - 2, x + 3, y + 2));
}

ISOVMAF_FN int32_t temporal_term(ISOVMAF_IN(Changes) c, int32_t k, int32_t r) {
    return c.at[r][k] + c.at[r][k + 1] + c.at[r + 1][k] + c.at[r + 1][k + 1];
}

#else

ISOVMAF_FN uint32_t spatial_term(ISOVMAF_IN(Window) w, int32_t k, int32_t r) {
    const int32_t x = k + border, y = r + border;
    return xpsnr_spatial(w.at[y][x], w.at[y][x - 1] + w.at[y][x + 1] + w.at[y - 1][x] + w.at[y + 1][x],
                         w.at[y - 1][x - 1] + w.at[y - 1][x + 1] + w.at[y + 1][x - 1] + w.at[y + 1][x + 1]);
}

ISOVMAF_FN int32_t temporal_term(ISOVMAF_IN(Changes) c, int32_t k, int32_t r) { return c.at[r][k]; }

#endif

ISOVMAF_FN void set_share(int32_t word, SUM sum) { shares[word * XPSNR_THREADS + thread_x()] = int64_t(sum); }

// Both activities. A block without a core has none.
ISOVMAF_FN void set_activities(Luma now, Luma before, Luma before_that, ISOVMAF_IN(XpsnrParams) p, KernelTaps taps) {
    const Part block = block_of(p.planes[0], group_x(), group_y());
    Part core;
    core.left = greatest(block.left, border);
    core.top = greatest(block.top, border);
    core.width = greatest(least(block.left + block.width, p.planes[0].width - border) - core.left, 0);
    core.height = greatest(least(block.top + block.height, p.planes[0].height - border) - core.top, 0);
    const bool counts = p.has_activities != 0 && core.width > 0 && core.height > 0;
    const bool has_spatial = group_x() != p.forgotten;
    const int32_t across = patches_across(block), count = counts ? patch_count(block) : 0;
    SUM spatial = SUM(0), temporal = SUM(0);
    for (int32_t i = thread_x(); i < count; i += XPSNR_THREADS) {
        const int32_t x = block.left + i % across * patch_width, y = block.top + i / across * patch_height;
        const Window window = window_of(now, x, y);
        const Changes changes = changes_of(window, before, before_that, p, x, y);
        ISOVMAF_UNROLL
        for (int32_t r = 0; r < patch_height; r += term_step)
            ISOVMAF_UNROLL
        for (int32_t k = 0; k < patch_width; k += term_step) {
            const int32_t term_x = (x + k) / term_step, term_y = (y + r) / term_step;
            if (has_spatial && is_inside(core, x + k, y + r)) {
                const uint32_t term = spatial_term(window, k, r);
                tap_put(taps, p.plane_count, term_x, term_y, int64_t(term));
                spatial += SUM(term);
            }
            if (is_inside(block, x + k, y + r)) {
                const int32_t change = temporal_term(changes, k, r);
                const uint32_t term = uint32_t(change < 0 ? -change : change);
                tap_put(taps, p.plane_count + 1, term_x, term_y, int64_t(term));
                temporal += SUM(term);
            }
        }
    }
    set_share(1, spatial);
    set_share(2, temporal);
}

// Adds up the shares of the block's words.
ISOVMAF_FN void write_words(I64 words, ISOVMAF_IN(XpsnrParams) p) {
    const int32_t thread = thread_x(), first = thread / XPSNR_FOLDED * XPSNR_THREADS;
    barrier();
    if (thread < p.words_per_block * XPSNR_FOLDED) {
        int64_t sum = int64_t(0);
        for (int32_t i = thread % XPSNR_FOLDED; i < XPSNR_THREADS; i += XPSNR_FOLDED)
            sum += shares[first + i];
        shares[first + thread % XPSNR_FOLDED] = sum;
    }
    barrier();
    if (thread >= p.words_per_block)
        return;
    int64_t sum = int64_t(0);
    for (int32_t i = 0; i < XPSNR_FOLDED; i++)
        sum += shares[thread * XPSNR_THREADS + i];
    words.at[(group_y() * p.columns + group_x()) * p.words_per_block + thread] = sum;
}

// The words of a block. Blocks of subsampled chroma have half as many patches as there are threads, or fewer: the
// other half begins with those of Cr.
ISOVMAF_FN void xpsnr_block(SAMPLES reference_y, SAMPLES reference_cb, SAMPLES reference_cr, SAMPLES distorted_y,
                            SAMPLES distorted_cb, SAMPLES distorted_cr, SAMPLES before, SAMPLES before_that, I64 words,
                            ISOVMAF_IN(XpsnrParams) p, KernelTaps taps) {
    const int32_t column = group_x(), row = group_y(), first = thread_x();
    const int32_t other = (first + XPSNR_THREADS / 2) % XPSNR_THREADS;
    set_share(0, errors_of(reference_y, distorted_y, p.planes[0], block_of(p.planes[0], column, row), first, 0, taps));
    set_activities(luma_of(reference_y, p), luma_of(before, p), luma_of(before_that, p), p, taps);
    if (p.plane_count > 1) {
        set_share(
            3, errors_of(reference_cb, distorted_cb, p.planes[1], block_of(p.planes[1], column, row), first, 1, taps));
        set_share(
            4, errors_of(reference_cr, distorted_cr, p.planes[2], block_of(p.planes[2], column, row), other, 2, taps));
    }
    write_words(words, p);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = XPSNR_THREADS) in;
ISOVMAF_ARGUMENTS {
    SAMPLES reference[3], distorted[3]; // luma, Cb, Cr
    SAMPLES before, before_that;        // luma of the reference
    I64 words;
    ISOVMAF_TAPS_MEMBER
    XpsnrParams p;
}
arguments;
void main() {
    xpsnr_block(arguments.reference[0], arguments.reference[1], arguments.reference[2], arguments.distorted[0],
                arguments.distorted[1], arguments.distorted[2], arguments.before, arguments.before_that,
                arguments.words, arguments.p, ISOVMAF_TAPS_ARGUMENT);
}
#else
ISOVMAF_KERNEL(XPSNR_THREADS)
ISOVMAF_KERNEL_NAME(const SAMPLE *reference_y, const SAMPLE *reference_cb, const SAMPLE *reference_cr,
                    const SAMPLE *distorted_y, const SAMPLE *distorted_cb, const SAMPLE *distorted_cr,
                    const SAMPLE *before, const SAMPLE *before_that, int64_t *words,
                    ISOVMAF_TAPS_PARAMETER XpsnrParams p) {
    KERNEL_BODY::xpsnr_block({reference_y}, {reference_cb}, {reference_cr}, {distorted_y}, {distorted_cb},
                             {distorted_cr}, {before}, {before_that}, {words}, p, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
#undef SAMPLE_BITS
#undef HALVED
#undef SAMPLE
#undef SAMPLES
#undef SAMPLE_RUN
#undef SUM

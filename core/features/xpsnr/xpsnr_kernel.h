// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of XPSNR: a group of threads computes the words of a block (xpsnr.md §3). SAMPLE_BITS is 8 or 16. HALVED is
// 1 for the terms of groups of two by two samples.
#include "features/xpsnr/xpsnr_math.h"
#include "features/xpsnr/xpsnr_params.h"
#include "portable/body.h"

#define SAMPLE ISOVMAF_SAMPLE(SAMPLE_BITS)
#define SAMPLES ISOVMAF_SAMPLES(SAMPLE_BITS)
// What a thread adds up: less than 2^14 terms, each below 2^17 at 8 bit.
#define SUM ISOVMAF_JOIN(ISOVMAF_JOIN(uint, SUM_BITS), _t)
#if SAMPLE_BITS == 8
#define SUM_BITS 32
#else
#define SUM_BITS 64
#endif

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT int32_t rows_at_once = XPSNR_THREADS / XPSNR_ACROSS;
ISOVMAF_CONSTANT int32_t term_step = HALVED != 0 ? 2 : 1;

// The threads' shares of a block's words, word after word; XPSNR_FOLDED threads of each word add them up.
ISOVMAF_SHARED(int64_t, shares[XPSNR_WORDS * XPSNR_THREADS]);

// Samples [left, right) of rows [top, bottom).
struct Part {
    int32_t left, top, right, bottom;
};

// A picture of luma.
struct Luma {
    SAMPLES samples;
    int32_t stride_bytes;
    int32_t last_x, last_y;
};

ISOVMAF_FN int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
ISOVMAF_FN int32_t greatest(int32_t a, int32_t b) { return a < b ? b : a; }

ISOVMAF_FN Part block_of(ISOVMAF_IN(XpsnrPlane) plane, int32_t column, int32_t row) {
    Part part;
    part.left = column * plane.block_width;
    part.top = row * plane.block_height;
    part.right = least(part.left + plane.block_width, plane.width);
    part.bottom = least(part.top + plane.block_height, plane.height);
    return part;
}

ISOVMAF_FN int32_t sample_at(Luma luma, int32_t x, int32_t y) {
    return int32_t(plane_row(SAMPLES, luma.samples, y, luma.stride_bytes).at[x]);
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

// The thread's share of the squared errors of a part.
ISOVMAF_FN SUM errors_of(SAMPLES reference, SAMPLES distorted, ISOVMAF_IN(XpsnrPlane) plane, Part part, int32_t stage,
                         KernelTaps taps) {
    SUM sum = SUM(0);
    for (int32_t y = part.top + thread_x() / XPSNR_ACROSS; y < part.bottom; y += rows_at_once) {
        SAMPLES o = plane_row(SAMPLES, reference, y, plane.reference_stride);
        SAMPLES d = plane_row(SAMPLES, distorted, y, plane.distorted_stride);
        for (int32_t x = part.left + thread_x() % XPSNR_ACROSS; x < part.right; x += XPSNR_ACROSS) {
            const uint32_t error = xpsnr_squared_error(int32_t(o.at[x]), int32_t(d.at[x]));
            tap_put(taps, stage, x, y, int64_t(error));
            sum += SUM(error);
        }
    }
    return sum;
}

#if HALVED

// Samples x - 1 to x + 2 of a row.
ISOVMAF_FN int32_t four_of(Luma luma, int32_t x, int32_t y) {
    return sample_at(luma, x - 1, y) + sample_at(luma, x, y) + sample_at(luma, x + 1, y) + sample_at(luma, x + 2, y);
}

// The two samples of a row on either side of the group's columns: next to them, and one further out.
ISOVMAF_FN int32_t next_of(Luma luma, int32_t x, int32_t y) {
    return sample_at(luma, x - 1, y) + sample_at(luma, x + 2, y);
}
ISOVMAF_FN int32_t outer_of(Luma luma, int32_t x, int32_t y) {
    return sample_at(luma, x - 2, y) + sample_at(luma, least(x + 3, luma.last_x), y);
}
ISOVMAF_FN int32_t own_of(Luma luma, int32_t x, int32_t y) { return sample_at(luma, x, y) + sample_at(luma, x + 1, y); }

ISOVMAF_FN uint32_t spatial_term(Luma luma, int32_t x, int32_t y) {
    const int32_t end = least(y + 3, luma.last_y);
    return xpsnr_spatial_halved(own_of(luma, x, y) + own_of(luma, x, y + 1),
                                next_of(luma, x, y) + next_of(luma, x, y + 1) + own_of(luma, x, y - 1) +
                                    own_of(luma, x, y + 2),
                                next_of(luma, x, y - 1) + next_of(luma, x, y + 2),
                                four_of(luma, x, y - 2) + four_of(luma, x, end) + outer_of(luma, x, y - 1) +
                                    outer_of(luma, x, y) + outer_of(luma, x, y + 1) + outer_of(luma, x, y + 2));
}

#else

ISOVMAF_FN uint32_t spatial_term(Luma luma, int32_t x, int32_t y) {
    return xpsnr_spatial(sample_at(luma, x, y),
                         sample_at(luma, x - 1, y) + sample_at(luma, x + 1, y) + sample_at(luma, x, y - 1) +
                             sample_at(luma, x, y + 1),
                         sample_at(luma, x - 1, y - 1) + sample_at(luma, x + 1, y - 1) + sample_at(luma, x - 1, y + 1) +
                             sample_at(luma, x + 1, y + 1));
}

#endif

// The thread's share of the spatial activity of a part.
ISOVMAF_FN SUM spatial_of(Luma luma, Part part, int32_t stage, KernelTaps taps) {
    SUM sum = SUM(0);
    for (int32_t y = part.top + thread_x() / XPSNR_ACROSS * term_step; y < part.bottom; y += rows_at_once * term_step)
        for (int32_t x = part.left + thread_x() % XPSNR_ACROSS * term_step; x < part.right;
             x += XPSNR_ACROSS * term_step) {
            const uint32_t term = spatial_term(luma, x, y);
            tap_put(taps, stage, x / term_step, y / term_step, int64_t(term));
            sum += SUM(term);
        }
    return sum;
}

ISOVMAF_FN int32_t change_at(Luma now, Luma before, Luma before_that, ISOVMAF_IN(XpsnrParams) p, int32_t x, int32_t y) {
    int32_t change = sample_at(now, x, y);
    if (p.before_factor != 0)
        change -= p.before_factor * sample_at(before, x, y);
    if (p.before_that_factor != 0)
        change += sample_at(before_that, x, y);
    return change;
}

// The thread's share of the temporal activity of a part.
ISOVMAF_FN SUM temporal_of(Luma now, Luma before, Luma before_that, ISOVMAF_IN(XpsnrParams) p, Part part, int32_t stage,
                           KernelTaps taps) {
    SUM sum = SUM(0);
    for (int32_t y = part.top + thread_x() / XPSNR_ACROSS * term_step; y < part.bottom; y += rows_at_once * term_step)
        for (int32_t x = part.left + thread_x() % XPSNR_ACROSS * term_step; x < part.right;
             x += XPSNR_ACROSS * term_step) {
            int32_t change = change_at(now, before, before_that, p, x, y);
            if (HALVED != 0) {
                const int32_t right = least(x + 1, now.last_x), below = least(y + 1, now.last_y);
                change += change_at(now, before, before_that, p, right, y) +
                          change_at(now, before, before_that, p, x, below) +
                          change_at(now, before, before_that, p, right, below);
            }
            const uint32_t term = uint32_t(change < 0 ? -change : change);
            tap_put(taps, stage, x / term_step, y / term_step, int64_t(term));
            sum += SUM(term);
        }
    return sum;
}

ISOVMAF_FN void set_share(int32_t word, SUM sum) { shares[word * XPSNR_THREADS + thread_x()] = int64_t(sum); }

// Both activities. A block without a core has none.
ISOVMAF_FN void set_activities(Luma now, Luma before, Luma before_that, ISOVMAF_IN(XpsnrParams) p, KernelTaps taps) {
    const Part block = block_of(p.planes[0], group_x(), group_y());
    Part core;
    core.left = greatest(block.left, p.border);
    core.top = greatest(block.top, p.border);
    core.right = least(block.right, p.planes[0].width - p.border);
    core.bottom = least(block.bottom, p.planes[0].height - p.border);
    const bool counts = p.has_activities != 0 && core.left < core.right && core.top < core.bottom;
    SUM spatial = SUM(0), temporal = SUM(0);
    if (counts && group_x() != p.forgotten)
        spatial = spatial_of(now, core, p.plane_count, taps);
    if (counts)
        temporal = temporal_of(now, before, before_that, p, block, p.plane_count + 1, taps);
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

// The words of a block.
ISOVMAF_FN void xpsnr_block(SAMPLES reference_y, SAMPLES reference_cb, SAMPLES reference_cr, SAMPLES distorted_y,
                            SAMPLES distorted_cb, SAMPLES distorted_cr, SAMPLES before, SAMPLES before_that, I64 words,
                            ISOVMAF_IN(XpsnrParams) p, KernelTaps taps) {
    const int32_t column = group_x(), row = group_y();
    set_share(0, errors_of(reference_y, distorted_y, p.planes[0], block_of(p.planes[0], column, row), 0, taps));
    set_activities(luma_of(reference_y, p), luma_of(before, p), luma_of(before_that, p), p, taps);
    if (p.plane_count > 1) {
        set_share(3, errors_of(reference_cb, distorted_cb, p.planes[1], block_of(p.planes[1], column, row), 1, taps));
        set_share(4, errors_of(reference_cr, distorted_cr, p.planes[2], block_of(p.planes[2], column, row), 2, taps));
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
#undef SUM
#undef SUM_BITS

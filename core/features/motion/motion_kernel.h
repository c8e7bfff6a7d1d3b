// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of motion: a block sums up the absolute blurred differences of a tile of two pictures (features.md §2.1,
// §2.4). SAMPLE_BITS is 8 or 16. BLUR_FIRST is 0 to blur the difference of the pictures, or 1 to blur each picture, as
// libvmaf 3.0 does.
#include "features/motion/motion_math.h"
#include "features/motion/motion_params.h"
#include "portable/body.h"
#include "portable/edges.h"

#define SAMPLE ISOVMAF_SAMPLE(SAMPLE_BITS)
#define SAMPLES ISOVMAF_SAMPLES(SAMPLE_BITS)
#if BLUR_FIRST
#define LAYERS 2
#define MIRROR mirror_asymmetric
#else
#define LAYERS 1
#define MIRROR mirror_101
#endif

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT int32_t radius = MOTION_TAP_COUNT / 2;
ISOVMAF_CONSTANT int32_t window_width = MOTION_TILE_WIDTH + 2 * radius;
ISOVMAF_CONSTANT int32_t window_height = MOTION_TILE_HEIGHT + 2 * radius;

ISOVMAF_SHARED(int32_t, window[LAYERS][window_height][window_width]);
ISOVMAF_SHARED(int32_t, column[LAYERS][MOTION_TILE_HEIGHT][window_width]);
ISOVMAF_BLOCK_ADD(MOTION_THREADS)

// Samples of the tile and of its halo.
ISOVMAF_FN void load_window(SAMPLES earlier, SAMPLES current, ISOVMAF_IN(MotionParams) p, int32_t left, int32_t top) {
    for (int32_t i = thread_x(); i < window_height * window_width; i += MOTION_THREADS) {
        const int32_t row = i / window_width, at = i % window_width;
        const int32_t x = left + at - radius, y = top + row - radius;
        if (x >= p.width + radius || y >= p.height + radius)
            continue;
        const int32_t source_x = MIRROR(x, p.width), source_y = MIRROR(y, p.height);
        const int32_t before = int32_t(plane_row(SAMPLES, earlier, source_y, p.stride_bytes).at[source_x]);
        const int32_t now = int32_t(plane_row(SAMPLES, current, source_y, p.stride_bytes).at[source_x]);
#if BLUR_FIRST
        window[0][row][at] = before;
        window[1][row][at] = now;
#else
        window[0][row][at] = before - now;
#endif
    }
}

ISOVMAF_FN void filter_columns(ISOVMAF_IN(MotionParams) p, int32_t left, int32_t top, KernelTaps taps) {
    for (int32_t i = thread_x(); i < MOTION_TILE_HEIGHT * window_width; i += MOTION_THREADS) {
        const int32_t row = i / window_width, at = i % window_width;
        for (int32_t l = 0; l < LAYERS; l++) {
            int64_t sum = 0;
            for (int32_t k = 0; k < MOTION_TAP_COUNT; k++)
                sum += multiply_wide(motion_taps[k], window[l][row + k][at]);
            column[l][row][at] = motion_round_vertical(sum, p.bit_depth);
            const int32_t x = left + at - radius, y = top + row;
            if (ISOVMAF_HAS_TAPS && at >= radius && at < MOTION_TILE_WIDTH + radius && x < p.width && y < p.height)
                tap_put(taps, p.first_stage + l, x, y, column[l][row][at]);
        }
    }
}

// Sum of absolute differences of the thread's pixels.
ISOVMAF_FN int64_t filter_rows(ISOVMAF_IN(MotionParams) p, int32_t left, int32_t top, KernelTaps taps) {
    int64_t sad = 0;
    for (int32_t i = thread_x(); i < MOTION_TILE_HEIGHT * MOTION_TILE_WIDTH; i += MOTION_THREADS) {
        const int32_t row = i / MOTION_TILE_WIDTH, at = i % MOTION_TILE_WIDTH;
        if (left + at >= p.width || top + row >= p.height)
            continue;
        int32_t blurred[LAYERS];
        for (int32_t l = 0; l < LAYERS; l++) {
            int64_t sum = 0;
            for (int32_t k = 0; k < MOTION_TAP_COUNT; k++)
                sum += multiply_wide(motion_taps[k], column[l][row][at + k]);
            blurred[l] = motion_round_horizontal(sum);
            tap_put(taps, p.first_stage + LAYERS + l, left + at, top + row, blurred[l]);
        }
#if BLUR_FIRST
        const int32_t difference = blurred[0] - blurred[1];
#else
        const int32_t difference = blurred[0];
#endif
        const int32_t distance = difference < 0 ? -difference : difference;
        sad += distance;
        tap_add(taps, p.first_stage + 2 * LAYERS, 0, top + row, distance);
    }
    return sad;
}

ISOVMAF_FN void motion_tile(SAMPLES earlier, SAMPLES current, I64 sums, ISOVMAF_IN(MotionParams) p, KernelTaps taps) {
    const int32_t left = group_x() * MOTION_TILE_WIDTH, top = group_y() * MOTION_TILE_HEIGHT;
    load_window(earlier, current, p, left, top);
    barrier();
    filter_columns(p, left, top, taps);
    barrier();
    block_add(sums, p.sum, filter_rows(p, left, top, taps), thread_x());
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = MOTION_THREADS) in;
ISOVMAF_ARGUMENTS {
    SAMPLES earlier, current;
    I64 sums;
    ISOVMAF_TAPS_MEMBER
    MotionParams p;
}
arguments;
void main() { motion_tile(arguments.earlier, arguments.current, arguments.sums, arguments.p, ISOVMAF_TAPS_ARGUMENT); }
#else
ISOVMAF_KERNEL(MOTION_THREADS)
ISOVMAF_KERNEL_NAME(const SAMPLE *earlier, const SAMPLE *current, int64_t *sums,
                    ISOVMAF_TAPS_PARAMETER MotionParams p) {
    KERNEL_BODY::motion_tile({earlier}, {current}, {sums}, p, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
#undef SAMPLE_BITS
#undef BLUR_FIRST
#undef SAMPLE
#undef SAMPLES
#undef LAYERS
#undef MIRROR

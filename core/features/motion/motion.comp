#version 460
// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of motion for Vulkan: a block sums up the absolute blurred differences of a tile of two pictures (features.md
// §2.1, §2.4), as motion_tile.h does.
//
//! kernel motion_sad_8 SAMPLES=ConstU8 BLUR_FIRST=0
//! kernel motion_sad_16 SAMPLES=ConstU16 BLUR_FIRST=0
//! kernel motion_legacy_sad_8 SAMPLES=ConstU8 BLUR_FIRST=1
//! kernel motion_legacy_sad_16 SAMPLES=ConstU16 BLUR_FIRST=1
#include "features/motion/motion_math.h"
#include "features/motion/motion_params.h"
#include "portable/edges.h"
#include "portable/reduce.glsl"
#include "portable/taps.glsl"

#define RADIUS (MOTION_TAP_COUNT / 2)
#define WINDOW_WIDTH (MOTION_TILE_WIDTH + 2 * RADIUS)
#define WINDOW_HEIGHT (MOTION_TILE_HEIGHT + 2 * RADIUS)

layout(local_size_x = MOTION_THREADS) in;
ISOVMAF_ARGUMENTS {
    SAMPLES earlier, current;
    I64 sums;
    ISOVMAF_TAPS_ARGUMENT
    MotionParams p;
} arguments;

#if BLUR_FIRST // blurs each picture: libvmaf 3.0
#define LAYERS 2
#define MIRROR mirror_asymmetric
#else // blurs the difference of the two pictures
#define LAYERS 1
#define MIRROR mirror_101
#endif

shared int32_t window[LAYERS][WINDOW_HEIGHT][WINDOW_WIDTH];
shared int32_t column[LAYERS][MOTION_TILE_HEIGHT][WINDOW_WIDTH];
ISOVMAF_BLOCK_ADD(MOTION_THREADS)

// Samples of the tile and of what the filters reach around it.
void load_window(int32_t thread, int32_t left, int32_t top) {
    const MotionParams p = arguments.p;
    for (int32_t i = thread; i < WINDOW_HEIGHT * WINDOW_WIDTH; i += MOTION_THREADS) {
        const int32_t row = i / WINDOW_WIDTH, at = i % WINDOW_WIDTH;
        const int32_t x = left + at - RADIUS, y = top + row - RADIUS;
        if (x >= p.width + RADIUS || y >= p.height + RADIUS)
            continue;
        const int32_t source_x = MIRROR(x, p.width), source_y = MIRROR(y, p.height);
        const int32_t earlier = int32_t(plane_row(SAMPLES, arguments.earlier, source_y, p.stride_bytes).at[source_x]);
        const int32_t current = int32_t(plane_row(SAMPLES, arguments.current, source_y, p.stride_bytes).at[source_x]);
#if BLUR_FIRST
        window[0][row][at] = earlier;
        window[1][row][at] = current;
#else
        window[0][row][at] = earlier - current;
#endif
    }
}

void filter_columns(int32_t thread, int32_t left, int32_t top) {
    const MotionParams p = arguments.p;
    for (int32_t i = thread; i < MOTION_TILE_HEIGHT * WINDOW_WIDTH; i += MOTION_THREADS) {
        const int32_t row = i / WINDOW_WIDTH, at = i % WINDOW_WIDTH;
        for (int32_t l = 0; l < LAYERS; l++) {
            int64_t sum = 0;
            for (int32_t k = 0; k < MOTION_TAP_COUNT; k++)
                sum += multiply_wide(motion_taps[k], window[l][row + k][at]);
            column[l][row][at] = motion_round_vertical(sum, p.bit_depth);
#if ISOVMAF_TAPS
            const int32_t x = left + at - RADIUS, y = top + row;
            if (at >= RADIUS && at < MOTION_TILE_WIDTH + RADIUS && x < p.width && y < p.height)
                tap_put(p.first_stage + l, x, y, column[l][row][at]);
#endif
        }
    }
}

// Sum of absolute differences of the thread's pixels.
int64_t filter_rows(int32_t thread, int32_t left, int32_t top) {
    const MotionParams p = arguments.p;
    int64_t sad = 0;
    for (int32_t i = thread; i < MOTION_TILE_HEIGHT * MOTION_TILE_WIDTH; i += MOTION_THREADS) {
        const int32_t row = i / MOTION_TILE_WIDTH, at = i % MOTION_TILE_WIDTH;
        if (left + at >= p.width || top + row >= p.height)
            continue;
        int32_t blurred[LAYERS];
        for (int32_t l = 0; l < LAYERS; l++) {
            int64_t sum = 0;
            for (int32_t k = 0; k < MOTION_TAP_COUNT; k++)
                sum += multiply_wide(motion_taps[k], column[l][row][at + k]);
            blurred[l] = motion_round_horizontal(sum);
            tap_put(p.first_stage + LAYERS + l, left + at, top + row, blurred[l]);
        }
#if BLUR_FIRST
        const int32_t distance = abs(blurred[0] - blurred[1]);
#else
        const int32_t distance = abs(blurred[0]);
#endif
        sad += distance;
        tap_add(p.first_stage + 2 * LAYERS, 0, top + row, distance);
    }
    return sad;
}

void main() {
    const int32_t thread = thread_x();
    const int32_t left = group_x() * MOTION_TILE_WIDTH, top = group_y() * MOTION_TILE_HEIGHT;
    load_window(thread, left, top);
    barrier();
    filter_columns(thread, left, top);
    barrier();
    block_add(arguments.sums, arguments.p.sum, filter_rows(thread, left, top), thread);
}

// SPDX-License-Identifier: BSD-2-Clause-Patent
// A tile of motion: the sum of absolute blurred differences of two pictures (features.md §2.1, §2.4).
#ifndef ISOVMAF_MOTION_TILE_H
#define ISOVMAF_MOTION_TILE_H

#include "features/motion/motion_math.h"
#include "features/motion/motion_params.h"
#include "portable/edges.h"
#include "portable/reduce.h"
#include "portable/taps.h"

#define MOTION_RADIUS (MOTION_TAP_COUNT / 2)
#define MOTION_WINDOW_WIDTH (MOTION_TILE_WIDTH + 2 * MOTION_RADIUS)
#define MOTION_WINDOW_HEIGHT (MOTION_TILE_HEIGHT + 2 * MOTION_RADIUS)

// Blurs the difference of the two pictures.
struct DifferenceFirst {
    static constexpr int32_t layers = 1;
    ISOVMAF_MEMBER static int32_t mirror(int32_t i, int32_t n) { return mirror_101(i, n); }
    ISOVMAF_MEMBER static void load(int32_t earlier, int32_t current, int32_t (&layer)[layers]) {
        layer[0] = earlier - current;
    }
    ISOVMAF_MEMBER static int32_t difference(const int32_t (&blurred)[layers]) { return blurred[0]; }
};

// Blurs each picture: libvmaf 3.0.
struct BlurFirst {
    static constexpr int32_t layers = 2;
    ISOVMAF_MEMBER static int32_t mirror(int32_t i, int32_t n) { return mirror_asymmetric(i, n); }
    ISOVMAF_MEMBER static void load(int32_t earlier, int32_t current, int32_t (&layer)[layers]) {
        layer[0] = earlier;
        layer[1] = current;
    }
    ISOVMAF_MEMBER static int32_t difference(const int32_t (&blurred)[layers]) { return blurred[0] - blurred[1]; }
};

template <class Order, class Sample, class Tap>
ISOVMAF_FN void motion_tile(const Sample *earlier, const Sample *current, int64_t *sums, MotionParams p, Tap taps) {
    ISOVMAF_SHARED(int32_t, window[Order::layers][MOTION_WINDOW_HEIGHT][MOTION_WINDOW_WIDTH]);
    ISOVMAF_SHARED(int32_t, column[Order::layers][MOTION_TILE_HEIGHT][MOTION_WINDOW_WIDTH]);
    ISOVMAF_SHARED(int64_t, slots[ISOVMAF_REDUCE_SLOTS(MOTION_THREADS)]);
    const int32_t thread = thread_x();
    const int32_t left = group_x() * MOTION_TILE_WIDTH, top = group_y() * MOTION_TILE_HEIGHT;

    for (int32_t i = thread; i < MOTION_WINDOW_HEIGHT * MOTION_WINDOW_WIDTH; i += MOTION_THREADS) {
        const int32_t row = i / MOTION_WINDOW_WIDTH, at = i % MOTION_WINDOW_WIDTH;
        const int32_t x = left + at - MOTION_RADIUS, y = top + row - MOTION_RADIUS;
        if (x >= p.width + MOTION_RADIUS || y >= p.height + MOTION_RADIUS)
            continue;
        const int32_t source_x = Order::mirror(x, p.width), source_y = Order::mirror(y, p.height);
        int32_t layer[Order::layers];
        Order::load(plane_row(earlier, source_y, p.stride_bytes)[source_x],
                    plane_row(current, source_y, p.stride_bytes)[source_x], layer);
        for (int32_t l = 0; l < Order::layers; l++)
            window[l][row][at] = layer[l];
    }
    barrier();

    for (int32_t i = thread; i < MOTION_TILE_HEIGHT * MOTION_WINDOW_WIDTH; i += MOTION_THREADS) {
        const int32_t row = i / MOTION_WINDOW_WIDTH, at = i % MOTION_WINDOW_WIDTH;
        for (int32_t l = 0; l < Order::layers; l++) {
            int64_t sum = 0;
            for (int32_t k = 0; k < MOTION_TAP_COUNT; k++)
                sum += int64_t(motion_taps[k]) * window[l][row + k][at];
            column[l][row][at] = motion_round_vertical(sum, p.bit_depth);
            const int32_t x = left + at - MOTION_RADIUS, y = top + row;
            if (Tap::on && at >= MOTION_RADIUS && at < MOTION_TILE_WIDTH + MOTION_RADIUS && x < p.width && y < p.height)
                taps.put(p.first_stage + l, x, y, column[l][row][at]);
        }
    }
    barrier();

    int64_t sad = 0;
    for (int32_t i = thread; i < MOTION_TILE_HEIGHT * MOTION_TILE_WIDTH; i += MOTION_THREADS) {
        const int32_t row = i / MOTION_TILE_WIDTH, at = i % MOTION_TILE_WIDTH;
        if (left + at >= p.width || top + row >= p.height)
            continue;
        int32_t blurred[Order::layers];
        for (int32_t l = 0; l < Order::layers; l++) {
            int64_t sum = 0;
            for (int32_t k = 0; k < MOTION_TAP_COUNT; k++)
                sum += int64_t(motion_taps[k]) * column[l][row][at + k];
            blurred[l] = motion_round_horizontal(sum);
            taps.put(p.first_stage + Order::layers + l, left + at, top + row, blurred[l]);
        }
        const int32_t difference = Order::difference(blurred), distance = difference < 0 ? -difference : difference;
        sad += distance;
        if constexpr (Tap::on)
            atomic_add(taps.at(p.first_stage + 2 * Order::layers, 0, top + row), distance);
    }
    block_add<MOTION_THREADS>(sums + p.sum, sad, thread, slots);
}

#endif

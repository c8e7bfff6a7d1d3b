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
#define SAMPLE_RUN ISOVMAF_JOIN(ISOVMAF_JOIN(u, SAMPLE_BITS), vec4)
#if BLUR_FIRST
#define LAYERS 2
#define MIRROR mirror_asymmetric
#define COLUMN_SAMPLE uint16_t
#define COLUMN_RUN u16vec4
#define RESIDENT 6 // nvcc's own choice would spill registers
#else
#define LAYERS 1
#define MIRROR mirror_101
#define COLUMN_SAMPLE int32_t
#define COLUMN_RUN i32vec4
#define RESIDENT 0
#endif

ISOVMAF_BODY_BEGIN

// Samples side by side, which one load moves.
#if SAMPLE_BITS == 8
ISOVMAF_POINTER(SampleRuns, u8vec4, 4);
#else
ISOVMAF_POINTER(SampleRuns, u16vec4, 8);
#endif
ISOVMAF_STATIC_ASSERT(MOTION_RUN == 4, "a run is a vector of four");

// The columns of a tile, and a run more on either side: the filter reaches `radius` samples, and runs are aligned.
ISOVMAF_CONSTANT int32_t radius = MOTION_TAP_COUNT / 2;
ISOVMAF_CONSTANT int32_t window_runs = MOTION_TILE_WIDTH / MOTION_RUN + 2;
ISOVMAF_CONSTANT int32_t input_rows = MOTION_ROWS + 2 * radius;
ISOVMAF_STATIC_ASSERT(window_runs *MOTION_TILE_HEIGHT == MOTION_THREADS * MOTION_ROWS, "every thread has its rows");

// The window after the filter down the columns. Of samples, results fit 16 bits; of differences they take 17.
ISOVMAF_SHARED(COLUMN_RUN, columns[LAYERS][MOTION_TILE_HEIGHT][window_runs]);
ISOVMAF_BLOCK_ADD(MOTION_THREADS)

// A thread's run of its rows: in the window, and in the picture.
struct MotionPlace {
    int32_t run, row, x, y;
};

// The first row that a tile needs, but for mirrored ones.
ISOVMAF_FN int32_t first_row(int32_t top) { return top < radius ? 0 : top - radius; }

// The input rows for output row y and on, mirrored outside the picture, as distances in bytes from the first row that
// the tile needs. Where no output row needs an input row, that is another one.
ISOVMAF_FN void find_rows(ISOVMAF_OUT uint32_t rows[input_rows], ISOVMAF_IN(MotionParams) p, int32_t top,
                          MotionPlace at) {
    if (top >= radius && top + MOTION_TILE_HEIGHT + radius <= p.height) {
        rows[0] = uint32_t(at.row * p.stride_bytes);
        ISOVMAF_UNROLL
        for (int32_t r = 1; r < input_rows; r++)
            rows[r] = rows[r - 1] + uint32_t(p.stride_bytes);
    } else {
        const int32_t last = p.height - 1 + radius;
        ISOVMAF_UNROLL
        for (int32_t r = 0; r < input_rows; r++) {
            const int32_t y = at.y - radius + r < last ? at.y - radius + r : last;
            rows[r] = uint32_t((MIRROR(y, p.height) - first_row(top)) * p.stride_bytes);
        }
    }
}

// The thread's run of layer l, in the rows that its filter needs: a picture, or the difference of both. Columns that no
// filter reaches are others.
ISOVMAF_FN void load_layer(ISOVMAF_OUT int32_t samples[input_rows][MOTION_RUN], int32_t l, SAMPLES earlier,
                           SAMPLES current, ISOVMAF_IN(MotionParams) p, const uint32_t rows[input_rows],
                           MotionPlace at) {
    SAMPLES picture = earlier;
    if (l == 1)
        picture = current;
    if (at.x >= 0 && at.x + MOTION_RUN <= p.width) {
        ISOVMAF_UNROLL
        for (int32_t r = 0; r < input_rows; r++) {
            const uint32_t place = rows[r] + uint32_t(at.x * (SAMPLE_BITS / 8));
            const SAMPLE_RUN own = pointer_after(ConstSampleRuns, picture, place).at[0];
#if !BLUR_FIRST
            const SAMPLE_RUN less = pointer_after(ConstSampleRuns, current, place).at[0];
#endif
            ISOVMAF_UNROLL
            for (int32_t c = 0; c < MOTION_RUN; c++) {
                samples[r][c] = int32_t(own[c]);
#if !BLUR_FIRST
                samples[r][c] -= int32_t(less[c]);
#endif
            }
        }
        return;
    }
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < MOTION_RUN; c++) {
        const bool reached = at.x + c >= -radius && at.x + c < p.width + radius;
        const int32_t source_x = reached ? MIRROR(at.x + c, p.width) : 0;
        ISOVMAF_UNROLL
        for (int32_t r = 0; r < input_rows; r++) {
            const uint32_t place = rows[r] + uint32_t(source_x * (SAMPLE_BITS / 8));
            samples[r][c] = int32_t(pointer_after(SAMPLES, picture, place).at[0]);
#if !BLUR_FIRST
            samples[r][c] -= int32_t(pointer_after(SAMPLES, current, place).at[0]);
#endif
        }
    }
}

// Filters the samples of layer l down the columns, into the window too.
ISOVMAF_FN void filter_columns(ISOVMAF_OUT int32_t own[MOTION_ROWS][MOTION_RUN],
                               const int32_t samples[input_rows][MOTION_RUN], int32_t l, ISOVMAF_IN(MotionParams) p,
                               MotionPlace at, KernelTaps taps) {
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < MOTION_ROWS; r++) {
        COLUMN_RUN run;
        ISOVMAF_UNROLL
        for (int32_t c = 0; c < MOTION_RUN; c++) {
#if SAMPLE_BITS == 8
            own[r][c] = motion_blur_narrow(samples[r][c], samples[r + 1][c], samples[r + 2][c], samples[r + 3][c],
                                           samples[r + 4][c]);
#else
            own[r][c] = motion_blur(samples[r][c], samples[r + 1][c], samples[r + 2][c], samples[r + 3][c],
                                    samples[r + 4][c], p.bit_depth);
#endif
            run[c] = COLUMN_SAMPLE(own[r][c]);
            if (ISOVMAF_HAS_TAPS && at.run > 0 && at.run < window_runs - 1 && at.x + c < p.width && at.y + r < p.height)
                tap_put(taps, p.first_stage + l, at.x + c, at.y + r, own[r][c]);
        }
        columns[l][at.row + r][at.run] = run;
    }
}

// Filters along a row: the blurred values of the thread's run in row r.
ISOVMAF_FN void filter_row(ISOVMAF_OUT int32_t blurred[MOTION_RUN], const int32_t own[MOTION_RUN], int32_t l, int32_t r,
                           MotionPlace at) {
    int32_t window[MOTION_RUN + 2 * radius];
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < radius; i++) {
        window[i] = int32_t(columns[l][at.row + r][at.run - 1][MOTION_RUN - radius + i]);
        window[MOTION_RUN + radius + i] = int32_t(columns[l][at.row + r][at.run + 1][i]);
    }
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < MOTION_RUN; c++)
        window[radius + c] = own[c];
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < MOTION_RUN; c++)
        blurred[c] = motion_blur(window[c], window[c + 1], window[c + 2], window[c + 3], window[c + 4], 16);
}

// Sum of absolute differences of the thread's pixels: less than 2^32, as a thread has few.
ISOVMAF_FN uint32_t filter_rows(const int32_t own[LAYERS][MOTION_ROWS][MOTION_RUN], ISOVMAF_IN(MotionParams) p,
                                MotionPlace at, KernelTaps taps) {
    uint32_t sads[MOTION_RUN]; // of each column
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < MOTION_RUN; c++)
        sads[c] = 0u;
    if (at.run == 0 || at.run == window_runs - 1)
        return 0u;
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < MOTION_ROWS; r++) {
        if (at.y + r >= p.height)
            break;
        int32_t blurred[LAYERS][MOTION_RUN];
        ISOVMAF_UNROLL
        for (int32_t l = 0; l < LAYERS; l++)
            filter_row(blurred[l], own[l][r], l, r, at);
        ISOVMAF_UNROLL
        for (int32_t c = 0; c < MOTION_RUN; c++) {
#if BLUR_FIRST
            const int32_t difference = blurred[0][c] - blurred[1][c];
#else
            const int32_t difference = blurred[0][c];
#endif
            const int32_t distance = difference < 0 ? -difference : difference;
            sads[c] += uint32_t(distance);
            if (ISOVMAF_HAS_TAPS && at.x + c < p.width) {
                for (int32_t l = 0; l < LAYERS; l++)
                    tap_put(taps, p.first_stage + LAYERS + l, at.x + c, at.y + r, blurred[l][c]);
                tap_add(taps, p.first_stage + 2 * LAYERS, 0, at.y + r, distance);
            }
        }
    }
    uint32_t sad = 0u;
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < MOTION_RUN; c++)
        sad += at.x + c < p.width ? sads[c] : 0u;
    return sad;
}

ISOVMAF_FN void motion_tile(SAMPLES earlier, SAMPLES current, I64 sums, ISOVMAF_IN(MotionParams) p, KernelTaps taps) {
    const int32_t left = group_x() * MOTION_TILE_WIDTH, top = group_y() * MOTION_TILE_HEIGHT;
    MotionPlace at;
    at.run = thread_x() % window_runs;
    at.row = thread_x() / window_runs * MOTION_ROWS;
    at.x = left + (at.run - 1) * MOTION_RUN;
    at.y = top + at.row;
    uint32_t rows[input_rows];
    find_rows(rows, p, top, at);
    SAMPLES first_earlier = plane_row(SAMPLES, earlier, first_row(top), p.stride_bytes);
    SAMPLES first_current = plane_row(SAMPLES, current, first_row(top), p.stride_bytes);
    int32_t samples[input_rows][MOTION_RUN], own[LAYERS][MOTION_ROWS][MOTION_RUN];
    ISOVMAF_UNROLL
    for (int32_t l = 0; l < LAYERS; l++) {
        load_layer(samples, l, first_earlier, first_current, p, rows, at);
        filter_columns(own[l], samples, l, p, at, taps);
    }
    barrier();
    block_add(sums, p.sum, int64_t(filter_rows(own, p, at, taps)), thread_x());
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
ISOVMAF_KERNEL_RESIDENT(MOTION_THREADS, RESIDENT)
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
#undef SAMPLE_RUN
#undef LAYERS
#undef MIRROR
#undef COLUMN_SAMPLE
#undef COLUMN_RUN
#undef RESIDENT

// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of adm: everything after the wavelet (features.md §4.3, §4.5 to §4.7). A block adds up its piece of every
// row of a tile of one scale. WHOLE_LIMIT is 1 for gain limits that are whole numbers, else 0.
//
// The functions' argument `first`, a constant, says that the scale is 0, whose coefficients have 16 bits. Taps cover
// the pixels of the tile itself, not its border.
#if WHOLE_LIMIT
#define GainLimit AdmWholeLimit
#define gain_limit_of(params) adm_whole_limit(params.whole_limit)
#else
#define GainLimit AdmLimit
#define gain_limit_of(params) adm_limit(params.gain_limit)
#endif
#if defined(VULKAN)
#define Limit GainLimit // in adm_decouple.h
#endif

#include "features/adm/adm_decouple.h"
#include "features/adm/adm_params.h"
#include "features/adm/adm_runs.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT int32_t row_threads = ADM_MASKING_TILE_WIDTH / ADM_MASKING_RUN;
ISOVMAF_CONSTANT int32_t visible_sums = 2 * ADM_BAND_COUNT; // of the restored and of the added picture
ISOVMAF_STATIC_ASSERT(ADM_MASKING_THREADS == row_threads * ADM_MASKING_TILE_HEIGHT, "a run for every thread");
ISOVMAF_STATIC_ASSERT(ADM_MASKING_THREADS >= visible_sums * ADM_MASKING_TILE_HEIGHT, "a thread for every sum of a row");
ISOVMAF_STATIC_ASSERT(ADM_MASKING_RUN == 2, "a run is a vector of two");

// A tile and a border of one. The width is odd, so that threads one row apart, which take every second column, use
// different banks.
ISOVMAF_CONSTANT int32_t window_width = ADM_MASKING_TILE_WIDTH + 3;
ISOVMAF_CONSTANT int32_t window_height = ADM_MASKING_TILE_HEIGHT + 2;
ISOVMAF_CONSTANT int32_t border_size = 2 * (ADM_MASKING_TILE_WIDTH + 2) + 2 * ADM_MASKING_TILE_HEIGHT;
ISOVMAF_STATIC_ASSERT(border_size <= ADM_MASKING_THREADS, "a thread for every pixel of the border");

// A block's memory holds first what each pixel of the window hides in its neighbours, as part of the restored and of
// the added picture, and behind that each thread's sums of the reference's cubes; later each thread's sums of visible
// cubes. So it takes 13 KB, of which AMD's compute units with 64 KB hold enough for five waves at each SIMD. A row's
// sums are an odd number of slots apart: threads that add up one row each use different banks.
ISOVMAF_CONSTANT int32_t row_slots = row_threads + 1;
ISOVMAF_CONSTANT int32_t sum_slots = row_slots * ADM_MASKING_TILE_HEIGHT;
ISOVMAF_CONSTANT int32_t share_slots = window_height * window_width; // two shares in each slot
ISOVMAF_CONSTANT int32_t memory_slots = visible_sums * sum_slots;
ISOVMAF_STATIC_ASSERT(share_slots + ADM_BAND_COUNT * sum_slots <= memory_slots, "the reference's sums fit");

// The place of the sums of a part's first band.
ISOVMAF_FN int32_t part_slots(int32_t part) {
    return part == ADM_PART_REFERENCE ? share_slots : part * ADM_BAND_COUNT * sum_slots;
}

// GLSL has no unions: there a slot is two elements.
#if defined(VULKAN)
shared uint32_t memory[2 * memory_slots];
#define SHARE(mask, row, column) memory[(window_height * (mask) + (row)) * window_width + (column)]
void store_slot(int32_t slot, uint64_t value) {
    memory[2 * slot] = uint32_t(value);
    memory[2 * slot + 1] = uint32_t(value >> 32);
}
uint64_t stored_slot(int32_t slot) { return uint64_t(memory[2 * slot + 1]) << 32 | uint64_t(memory[2 * slot]); }
#else
union Memory {
    uint32_t share[2][window_height][window_width];
    uint64_t slots[memory_slots];
};
ISOVMAF_SHARED(Memory, memory);
#define SHARE(mask, row, column) memory.share[mask][row][column]
ISOVMAF_FN void store_slot(int32_t slot, uint64_t value) { memory.slots[slot] = value; }
ISOVMAF_FN uint64_t stored_slot(int32_t slot) { return memory.slots[slot]; }
#endif

// The parts and the gain limit that a launch computes.
struct Task {
    GainLimit limit;
    uint32_t parts;         // bit by bit: which are wanted
    int32_t square_shift;   // of the denominator
    int64_t share_rounding; // of adm_neighbour_share
};

ISOVMAF_FN bool wants(ISOVMAF_IN(Task) task, int32_t part) { return (task.parts >> part & 1u) != 0u; }

// Where a pixel is in the window, and in the subband.
struct WindowPosition {
    int32_t row, column, x, y;
};

// Both pictures at a pixel: what is seen of each, and by how much its own share as a mask exceeds its neighbours'.
struct Split {
    int32_t seen[2][ADM_BAND_COUNT];
    uint32_t own[2];
};

// The detail bands: those of scale 0, and those of the others.
struct Details {
    ConstI16 first;
    ConstI32 later;
};

// Where the tile's window, which starts at (left, top), starts in the reference's band h: in the samples of the scale,
// of which those outside `seen` are not there. It is the same for all threads of a block; a place in the window fits 32
// bits.
ISOVMAF_FN int64_t window_place(ISOVMAF_IN(AdmMaskingScale) s, int32_t left, int32_t top) {
    return s.offset + int64_t(top - s.details.seen.top) * s.details.stride + (left - s.details.column);
}
ISOVMAF_FN uint32_t place_in_window(ISOVMAF_IN(AdmMaskingScale) s, WindowPosition at) {
    return uint32_t(multiply_add_24(at.row, s.details.stride, at.column));
}
ISOVMAF_FN int32_t load_detail(bool first, Details details, int64_t window, uint32_t place) {
    int32_t detail;
    if (first) {
        ConstI16 samples = uniform_pointer_after(ConstI16, details.first, 2 * window);
        detail = int32_t(pointer_after(ConstI16, samples, 2u * place).at[0]);
    } else {
        ConstI32 samples = uniform_pointer_after(ConstI32, details.later, 4 * window);
        detail = pointer_after(ConstI32, samples, 4u * place).at[0];
    }
    return detail;
}
ISOVMAF_FN i32vec2 load_run(bool first, Details details, int64_t window, uint32_t place) {
    i32vec2 run;
    if (first) {
        ConstI16 samples = uniform_pointer_after(ConstI16, details.first, 2 * window);
        const i16vec2 narrow = pointer_after(ConstI16x2, samples, 2u * place).at[0];
        run[0] = int32_t(narrow[0]);
        run[1] = int32_t(narrow[1]);
    } else {
        ConstI32 samples = uniform_pointer_after(ConstI32, details.later, 4 * window);
        run = pointer_after(ConstI32x2, samples, 4u * place).at[0];
    }
    return run;
}
ISOVMAF_FN AdmPair load_pair(bool first, Details details, ISOVMAF_IN(AdmMaskingScale) s, int64_t window,
                             WindowPosition at) {
    const uint32_t place = place_in_window(s, at);
    AdmPair pair;
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        const int64_t distorted = window + int64_t(ADM_BAND_COUNT + band) * s.details.band;
        pair.reference[band] = load_detail(first, details, window + int64_t(band) * s.details.band, place);
        pair.distorted[band] = load_detail(first, details, distorted, place);
    }
    return pair;
}
ISOVMAF_FN void load_pairs(ISOVMAF_OUT AdmPair pairs[ADM_MASKING_RUN], bool first, Details details,
                           ISOVMAF_IN(AdmMaskingScale) s, int64_t window, WindowPosition at) {
    const uint32_t place = place_in_window(s, at);
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        const i32vec2 reference = load_run(first, details, window + int64_t(band) * s.details.band, place);
        const i32vec2 distorted =
            load_run(first, details, window + int64_t(ADM_BAND_COUNT + band) * s.details.band, place);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < ADM_MASKING_RUN; i++) {
            pairs[i].reference[band] = reference[i];
            pairs[i].distorted[band] = distorted[i];
        }
    }
}

// What is seen of both pictures at a pixel. What it hides in its neighbours is stored in the window.
ISOVMAF_FN Split split_pixel(bool first, ISOVMAF_IN(AdmPixel) pixel, ISOVMAF_IN(Task) task,
                             ISOVMAF_IN(AdmMaskingScale) s, int32_t row, int32_t column) {
    Split split;
    ISOVMAF_UNROLL
    for (int32_t mask = 0; mask < 2; mask++) {
        ISOVMAF_UNROLL
        for (int32_t band = 0; band < ADM_BAND_COUNT; band++)
            split.seen[mask][band] = adm_gpu_seen(first, s.csf[band], pixel.of[mask][band]);
        split.own[mask] = 0u;
        if (wants(task, 1 - mask)) { // one picture masks the other
            const AdmShares shares = adm_shares(first, split.seen[mask], task.share_rounding);
            SHARE(mask, row, column) = shares.neighbour;
            split.own[mask] = shares.own;
        }
    }
    return split;
}

// Taps at (x, y): both pictures, and the weighted bands that mask the wanted ones.
ISOVMAF_FN void put_pixel(KernelTaps taps, bool first, ISOVMAF_IN(AdmPixel) pixel, ISOVMAF_IN(Task) task,
                          ISOVMAF_IN(AdmMaskingScale) s, int32_t x, int32_t y) {
    if (ISOVMAF_HAS_TAPS)
        for (int32_t part = 0; part < 2; part++)
            for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
                tap_put(taps, adm_picture_stage(s.stages, part, band), x, y, pixel.of[part][band]);
                if (wants(task, part))
                    tap_put(taps, adm_weighted_mask_stage(s.stages, part, band), x, y,
                            adm_weighted(first, s.csf[band], pixel.of[1 - part][band], band));
            }
}

// The i-th pixel of the border of the tile whose window starts at (left, top).
ISOVMAF_FN WindowPosition border_place(int32_t i, int32_t left, int32_t top) {
    const int32_t width = ADM_MASKING_TILE_WIDTH + 2;
    WindowPosition place;
    if (i < 2 * width) {
        place.row = i < width ? 0 : window_height - 1;
        place.column = i < width ? i : i - width;
    } else {
        place.row = (i - 2 * width) / 2 + 1;
        place.column = (i - 2 * width) % 2 * (width - 1);
    }
    place.x = left + place.column;
    place.y = top + place.row;
    return place;
}

// Sums of the shares of 3x3 pixels around each pixel of a run. Such a sum is the pixel's threshold but for the part of
// the pixel's own share that exceeds a neighbour's. Outside the subband, row and column -1 are 1, row h is h - 1 and
// column w is w - 1.
ISOVMAF_FN void neighbourhood(ISOVMAF_OUT uint32_t threshold[ADM_MASKING_RUN], int32_t mask, WindowPosition place,
                              ISOVMAF_IN(AdmMaskingScale) s) {
    const int32_t above = place.y == 0 ? place.row + 1 : place.row - 1;
    const int32_t below = place.y == s.height - 1 ? place.row : place.row + 1;
    uint32_t column[ADM_MASKING_RUN + 2]; // sums of three, from the column before the run on
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < ADM_MASKING_RUN + 2; i++) {
        const int32_t at = place.column - 1 + i;
        column[i] = SHARE(mask, above, at) + SHARE(mask, place.row, at) + SHARE(mask, below, at);
    }
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < ADM_MASKING_RUN; i++) {
        const uint32_t left = place.x + i == 0 ? column[i + 2] : column[i];
        const uint32_t right = place.x + i == s.width - 1 ? column[i + 1] : column[i + 2];
        threshold[i] = left + column[i + 1] + right;
    }
}

// Whether the sums include the pixel.
ISOVMAF_FN bool counts(ISOVMAF_IN(AdmMaskingScale) s, int32_t x, int32_t y) {
    return x >= s.core.left && x < s.core.right && y < s.core.bottom;
}

ISOVMAF_FN void add_reference(ISOVMAF_INOUT uint64_t sums[ADM_BAND_COUNT], bool first, ISOVMAF_IN(AdmMaskingScale) s,
                              int32_t square_shift, int32_t x, int32_t y, AdmPair pair, KernelTaps taps) {
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        const uint64_t cube = adm_unmasked_cube(first, pair.reference[band], square_shift, s.reference_cube_shift);
        sums[band] += cube;
        tap_put(taps, adm_reference_cube_stage(s.reference_stages, band), x, y, int64_t(cube));
    }
}

// Adds, per band, the cube of the part of one pixel's coefficient that exceeds the masking threshold `hidden`.
ISOVMAF_FN void add_visible(ISOVMAF_INOUT uint64_t sums[ADM_BAND_COUNT], bool first, ISOVMAF_IN(AdmMaskingScale) s,
                            int32_t part, uint32_t hidden, int32_t x, int32_t y, ISOVMAF_IN(Split) split,
                            KernelTaps taps) {
    tap_put(taps, adm_threshold_stage(s.stages, part), x, y, int32_t(hidden));
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        const uint64_t cube =
            adm_visible_cube(first, split.seen[part][band], hidden, band, s.cube_shift[band], s.cube_half[band]);
        sums[band] += cube;
        tap_put(taps, adm_visible_cube_stage(s.stages, part, band), x, y, int64_t(cube));
    }
}

// Stores a thread's sums of a part.
ISOVMAF_FN void store_sums(const uint64_t sums[ADM_BAND_COUNT], int32_t part) {
    const int32_t place = part_slots(part) + thread_x() / row_threads * row_slots + thread_x() % row_threads;
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++)
        store_slot(place + band * sum_slots, sums[band]);
}

// Adds up the stored pieces of the rows of `parts` parts: a thread has one sum of one row.
ISOVMAF_FN void add_rows(I64 row_sums, ISOVMAF_IN(Task) task, ISOVMAF_IN(AdmMaskingScale) s, int32_t first_part,
                         int32_t parts, int32_t tile_column, int32_t top) {
    const int32_t stored = thread_x() / ADM_MASKING_TILE_HEIGHT, row = thread_x() % ADM_MASKING_TILE_HEIGHT;
    const int32_t sum = first_part * ADM_BAND_COUNT + stored;
    if (stored >= parts * ADM_BAND_COUNT || !wants(task, sum / ADM_BAND_COUNT) || top + row >= s.core.bottom)
        return;
    const int32_t place = part_slots(first_part) + stored * sum_slots + row * row_slots;
    uint64_t total = 0;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < row_threads; i++)
        total += stored_slot(place + i);
    const int32_t rows = s.core.bottom - s.core.top;
    const int64_t at = s.row_sums + int64_t(sum * s.columns + tile_column) * rows + (top - s.core.top + row);
    pointer_after(I64, row_sums, 8 * at).at[0] = int64_t(total);
}

ISOVMAF_FN void masking_tile(bool first, Details details, I64 row_sums, ISOVMAF_IN(Task) task,
                             ISOVMAF_IN(AdmMaskingScale) s, KernelTaps taps) {
    const int32_t thread = thread_x(), group = group_x() - s.first_group;
    const int32_t tile_column = group % s.columns;
    const int32_t left = s.left + tile_column * ADM_MASKING_TILE_WIDTH;
    const int32_t top = s.core.top + group / s.columns * ADM_MASKING_TILE_HEIGHT;
    const AdmRectangle seen = s.details.seen;
    const int64_t window = window_place(s, left - 1, top - 1);
    WindowPosition place;
    place.row = 1 + thread / row_threads;
    place.column = 1 + thread % row_threads * ADM_MASKING_RUN;
    place.x = left - 1 + place.column;
    place.y = top - 1 + place.row;

    Split split[ADM_MASKING_RUN];
    uint64_t sums[ADM_BAND_COUNT];
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++)
        sums[band] = 0;
    if (place.x < seen.right && place.y < seen.bottom) {
        AdmPair pairs[ADM_MASKING_RUN];
        load_pairs(pairs, first, details, s, window, place);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < ADM_MASKING_RUN; i++) {
            const AdmPixel pixel = adm_decouple(first, pairs[i], task.limit);
            split[i] = split_pixel(first, pixel, task, s, place.row, place.column + i);
            if (ISOVMAF_HAS_TAPS && counts(s, place.x + i, place.y))
                put_pixel(taps, first, pixel, task, s, place.x + i, place.y);
            if (wants(task, ADM_PART_REFERENCE) && counts(s, place.x + i, place.y))
                add_reference(sums, first, s, task.square_shift, place.x + i, place.y, pairs[i], taps);
        }
    }
    if (wants(task, ADM_PART_REFERENCE))
        store_sums(sums, ADM_PART_REFERENCE);
    if (thread < border_size) {
        const WindowPosition at = border_place(thread, left - 1, top - 1);
        if (at.x >= seen.left && at.x < seen.right && at.y >= seen.top && at.y < seen.bottom)
            split_pixel(first, adm_decouple(first, load_pair(first, details, s, window, at), task.limit), task, s,
                        at.row, at.column);
    }
    barrier();

    uint32_t threshold[2][ADM_MASKING_RUN];
    ISOVMAF_UNROLL
    for (int32_t mask = 0; mask < 2; mask++)
        if (wants(task, 1 - mask))
            neighbourhood(threshold[mask], mask, place, s);
    add_rows(row_sums, task, s, ADM_PART_REFERENCE, 1, tile_column, top);
    barrier();

    ISOVMAF_UNROLL
    for (int32_t part = 0; part < 2; part++)
        if (wants(task, part)) {
            ISOVMAF_UNROLL
            for (int32_t band = 0; band < ADM_BAND_COUNT; band++)
                sums[band] = 0;
            ISOVMAF_UNROLL
            for (int32_t i = 0; i < ADM_MASKING_RUN; i++)
                if (counts(s, place.x + i, place.y))
                    add_visible(sums, first, s, part, threshold[1 - part][i] + split[i].own[1 - part], place.x + i,
                                place.y, split[i], taps);
            store_sums(sums, part);
        }
    barrier();
    add_rows(row_sums, task, s, ADM_PART_RESTORED, 2, tile_column, top);
}

// The scale of a block: one launch has the blocks of all scales, and `first_1` to `first_3` are the numbers of the
// first block of the later ones.
ISOVMAF_FN int32_t scale_of(int32_t group, int32_t first_1, int32_t first_2, int32_t first_3) {
    return group < first_1 ? 0 : group < first_2 ? 1 : group < first_3 ? 2 : 3;
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = ADM_MASKING_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstI16 details_0;
    ConstI32 details;
    I64 row_sums;
    ISOVMAF_TAPS_MEMBER
    AdmMaskingParams p;
}
arguments;
void main() {
    const int32_t scale = scale_of(group_x(), arguments.p.scale[1].first_group, arguments.p.scale[2].first_group,
                                   arguments.p.scale[3].first_group);
    Details details;
    details.first = arguments.details_0;
    details.later = arguments.details;
    Task task;
    task.limit = gain_limit_of(arguments.p);
    task.parts = arguments.p.parts;
    task.square_shift = adm_reference_square_shift[scale];
    task.share_rounding = arguments.p.share_rounding;
    if (scale == 0)
        masking_tile(true, details, arguments.row_sums, task, arguments.p.scale[0], ISOVMAF_TAPS_ARGUMENT);
    else
        masking_tile(false, details, arguments.row_sums, task, arguments.p.scale[scale], ISOVMAF_TAPS_ARGUMENT);
}
#else
// With the registers for four blocks; to hold five, nvcc would spill some for one GPU.
ISOVMAF_KERNEL_RESIDENT(ADM_MASKING_THREADS, 4)
ISOVMAF_KERNEL_NAME(const int16_t *details_0, const int32_t *details, int64_t *row_sums,
                    ISOVMAF_TAPS_PARAMETER AdmMaskingParams p) {
    using namespace KERNEL_BODY;
    const int32_t scale = scale_of(group_x(), p.scale[1].first_group, p.scale[2].first_group, p.scale[3].first_group);
    const Details both{{details_0}, {details}};
    Task task{gain_limit_of(p), p.parts, 0, p.share_rounding};
    if (scale == 0) {
        masking_tile(true, both, {row_sums}, task, p.scale[0], ISOVMAF_TAPS_ARGUMENT);
    } else {
        task.square_shift = adm_reference_square_shift[scale];
        masking_tile(false, both, {row_sums}, task, p.scale[scale], ISOVMAF_TAPS_ARGUMENT);
    }
}
#endif

#undef KERNEL
#undef WHOLE_LIMIT
#undef GainLimit
#undef gain_limit_of
#undef SHARE

// SPDX-License-Identifier: BSD-2-Clause-Patent
// Everything of one scale after the wavelet (features.md §4.3, §4.5 to §4.7): a block adds up its piece of every row of
// a tile, as adm_masking_tile.h does. The argument `first` of functions, a constant, says that the scale is 0.
#if WHOLE_LIMIT
#define Limit AdmWholeLimit
#else
#define Limit AdmLimit
#endif

#include "features/adm/adm_decouple.h"
#include "features/adm/adm_run.glsl"
#include "portable/taps.glsl"

#define ROW_THREADS (ADM_MASKING_TILE_WIDTH / ADM_MASKING_RUN)
#define SUM_COUNT (ADM_PART_COUNT * ADM_BAND_COUNT)

// A tile and a border of one. The width is odd, so that threads one row apart, which take every second column, use
// different banks.
#define WINDOW_WIDTH (ADM_MASKING_TILE_WIDTH + 3)
#define WINDOW_HEIGHT (ADM_MASKING_TILE_HEIGHT + 2)
#define BORDER_SIZE (2 * (ADM_MASKING_TILE_WIDTH + 2) + 2 * ADM_MASKING_TILE_HEIGHT)

layout(local_size_x = ADM_MASKING_THREADS) in;
ISOVMAF_ARGUMENTS {
    I16 details_0;
    I32 details;
    I64 row_sums;
    ISOVMAF_TAPS_MEMBER
    AdmMaskingParams p;
} arguments;

// A block's memory: what each pixel hides in its neighbours, as part of the restored and of the added picture; later
// the sums of each thread, their low halves before their high ones.
shared uint32_t memory[2 * SUM_COUNT * ADM_MASKING_THREADS];
#define SHARE(mask, row, column) memory[((mask) * WINDOW_HEIGHT + (row)) * WINDOW_WIDTH + (column)]
#define LOW_HALF(sum, thread) memory[(sum) * ADM_MASKING_THREADS + (thread)]
#define HIGH_HALF(sum, thread) LOW_HALF(SUM_COUNT + (sum), thread)

bool wants(int32_t part) { return (arguments.p.parts >> part & 1u) != 0u; }

Limit gain_limit() {
    Limit l;
#if WHOLE_LIMIT
    l.limit = int32_t(f64_to_i64(arguments.p.gain_limit));
#else
    l.limit = arguments.p.gain_limit;
#endif
    return l;
}

// A place in the window, and in the subband.
struct Place {
    int32_t row, column, x, y;
};

// A pixel of the mask: what more it hides in itself, and its weighted bands.
struct Split {
    AdmPixel pixel;
    uint32_t own[2];
    int32_t weighted[2][ADM_BAND_COUNT];
};

// Where a sample of a detail band is, the `band`-th from the reference's h on.
int64_t detail_place(AdmMaskingScale s, int32_t x, int32_t y, int32_t band) {
    const AdmDetails d = s.details;
    return s.offset + int64_t(y - d.seen.top) * d.stride + (x - d.column) + int64_t(band) * d.band;
}
int32_t load_detail(bool first, int64_t place) {
    return first ? int32_t(pointer_after(ConstI16, arguments.details_0, 2 * place).at[0])
                 : pointer_after(ConstI32, arguments.details, 4 * place).at[0];
}
i32vec2 load_run(bool first, int64_t place) {
    return first ? i32vec2(pointer_after(ConstI16x2, arguments.details_0, 2 * place).at[0])
                 : pointer_after(ConstI32x2, arguments.details, 4 * place).at[0];
}
AdmPair load_pair(bool first, AdmMaskingScale s, int32_t x, int32_t y) {
    AdmPair pair;
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        pair.reference[band] = load_detail(first, detail_place(s, x, y, band));
        pair.distorted[band] = load_detail(first, detail_place(s, x, y, ADM_BAND_COUNT + band));
    }
    return pair;
}
void load_pairs(bool first, AdmMaskingScale s, int32_t x, int32_t y, out AdmPair pairs[ADM_MASKING_RUN]) {
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        const i32vec2 reference = load_run(first, detail_place(s, x, y, band));
        const i32vec2 distorted = load_run(first, detail_place(s, x, y, ADM_BAND_COUNT + band));
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < ADM_MASKING_RUN; i++) {
            pairs[i].reference[band] = reference[i];
            pairs[i].distorted[band] = distorted[i];
        }
    }
}

// Splits a pixel and leaves its shares in the window.
Split split_pixel(bool first, AdmPair pair, AdmMaskingScale s, int32_t row, int32_t column) {
    Split split;
    split.pixel = adm_decouple(first, pair, gain_limit());
    ISOVMAF_UNROLL
    for (int32_t mask = 0; mask < 2; mask++)
        if (wants(1 - mask)) { // one picture masks the other
            const AdmShares shares = adm_shares(first, split.pixel.of[mask], s.csf);
            SHARE(mask, row, column) = shares.neighbour;
            split.own[mask] = shares.own;
            split.weighted[mask] = shares.weighted;
        }
    return split;
}

// Shows both pictures at (x, y), and what masks those that are wanted.
void put_split(Split split, AdmMaskingStages stages, int32_t x, int32_t y) {
#if ISOVMAF_TAPS
    for (int32_t part = 0; part < 2; part++)
        for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
            tap_put(arguments.taps, adm_picture_stage(stages, part, band), x, y, split.pixel.of[part][band]);
            if (wants(part))
                tap_put(arguments.taps, adm_weighted_mask_stage(stages, part, band), x, y, split.weighted[1 - part][band]);
        }
#endif
}

// The i-th pixel of the border of the tile whose window starts at (left, top).
Place border_place(int32_t i, int32_t left, int32_t top) {
    const int32_t width = ADM_MASKING_TILE_WIDTH + 2;
    Place place;
    if (i < 2 * width) {
        place.row = i < width ? 0 : WINDOW_HEIGHT - 1;
        place.column = i % width;
    } else {
        place.row = (i - 2 * width) / 2 + 1;
        place.column = i % 2 * (width - 1);
    }
    place.x = left + place.column;
    place.y = top + place.row;
    return place;
}

// Thresholds of a run of pixels, without what they hide in themselves beyond their neighbours' shares: sums of 3x3.
// Outside the subband row and column -1 are 1, row h is h - 1 and column w is w - 1.
void neighbourhood(int32_t mask, Place place, AdmMaskingScale s, out uint32_t threshold[ADM_MASKING_RUN]) {
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

bool counts(AdmMaskingScale s, int32_t x, int32_t y) {
    return x >= s.core.left && x < s.core.right && y < s.core.bottom;
}

// The sums of what is visible of the run's pixel i, of both parts.
void add_visible(bool first, AdmMaskingScale s, Place place, int32_t i, Split split, const uint32_t threshold[2],
                 inout uint64_t sums[SUM_COUNT]) {
    ISOVMAF_UNROLL
    for (int32_t part = 0; part < 2; part++)
        if (wants(part)) {
            const uint32_t hidden = threshold[1 - part] + split.own[1 - part];
            tap_put(arguments.taps, adm_threshold_stage(s.stages, part), place.x + i, place.y, int32_t(hidden));
            ISOVMAF_UNROLL
            for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
                const uint64_t cube = adm_visible_cube(first, split.pixel.of[part][band], hidden, band, s.csf[band],
                                                       s.cube_shift[band]);
                sums[part * ADM_BAND_COUNT + band] += cube;
                tap_put(arguments.taps, adm_visible_cube_stage(s.stages, part, band), place.x + i, place.y, cube);
            }
        }
}
void add_reference(bool first, AdmMaskingScale s, int32_t square_shift, int32_t x, int32_t y, AdmPair pair,
                   inout uint64_t sums[SUM_COUNT]) {
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        const uint64_t cube = adm_unmasked_cube(first, pair.reference[band], square_shift, s.reference_cube_shift);
        sums[ADM_PART_REFERENCE * ADM_BAND_COUNT + band] += cube;
        tap_put(arguments.taps, adm_reference_cube_stage(s.reference_stages, band), x, y, cube);
    }
}

// Adds up the block's pieces of rows.
void add_rows(AdmMaskingScale s, int32_t tile_column, int32_t top, const uint64_t sums[SUM_COUNT]) {
    const int32_t thread = thread_x();
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < SUM_COUNT; i++) {
        LOW_HALF(i, thread) = uint32_t(sums[i]);
        HIGH_HALF(i, thread) = uint32_t(sums[i] >> 32);
    }
    barrier();
    const int32_t sum = thread / ADM_MASKING_TILE_HEIGHT, row = thread % ADM_MASKING_TILE_HEIGHT;
    if (sum < SUM_COUNT && wants(sum / ADM_BAND_COUNT) && top + row < s.core.bottom) {
        uint64_t total = uint64_t(0);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < ROW_THREADS; i++) { // each row from another place on: other banks
            const int32_t from = row * ROW_THREADS + (i + row) % ROW_THREADS;
            total += uint64_t(HIGH_HALF(sum, from)) << 32 | uint64_t(LOW_HALF(sum, from));
        }
        const int32_t rows = s.core.bottom - s.core.top;
        const int64_t at = s.row_sums + int64_t(sum * s.columns + tile_column) * rows + (top - s.core.top + row);
        pointer_after(I64, arguments.row_sums, 8 * at).at[0] = int64_t(total);
    }
}

void masking_tile(bool first, int32_t scale) {
    const AdmMaskingScale s = arguments.p.scale[scale];
    const int32_t thread = thread_x(), group = group_x() - s.first_group;
    const int32_t tile_column = group % s.columns;
    const int32_t left = s.left + tile_column * ADM_MASKING_TILE_WIDTH;
    const int32_t top = s.core.top + group / s.columns * ADM_MASKING_TILE_HEIGHT;
    const AdmRectangle seen = s.details.seen;
    Place place;
    place.row = 1 + thread / ROW_THREADS;
    place.column = 1 + thread % ROW_THREADS * ADM_MASKING_RUN;
    place.x = left - 1 + place.column;
    place.y = top - 1 + place.row;

    Split split[ADM_MASKING_RUN];
    uint64_t sums[SUM_COUNT];
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < SUM_COUNT; i++)
        sums[i] = uint64_t(0);
    if (place.x < seen.right && place.y < seen.bottom) {
        AdmPair pairs[ADM_MASKING_RUN];
        load_pairs(first, s, place.x, place.y, pairs);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < ADM_MASKING_RUN; i++) {
            split[i] = split_pixel(first, pairs[i], s, place.row, place.column + i);
            if (counts(s, place.x + i, place.y)) {
                put_split(split[i], s.stages, place.x + i, place.y);
                if (wants(ADM_PART_REFERENCE))
                    add_reference(first, s, adm_reference_square_shift[scale], place.x + i, place.y, pairs[i], sums);
            }
        }
    }
    if (thread < BORDER_SIZE) {
        const Place at = border_place(thread, left - 1, top - 1);
        if (at.x >= seen.left && at.x < seen.right && at.y >= seen.top && at.y < seen.bottom)
            split_pixel(first, load_pair(first, s, at.x, at.y), s, at.row, at.column);
    }
    barrier();

    uint32_t threshold[2][ADM_MASKING_RUN];
    ISOVMAF_UNROLL
    for (int32_t mask = 0; mask < 2; mask++)
        if (wants(1 - mask))
            neighbourhood(mask, place, s, threshold[mask]);
    barrier();

    ISOVMAF_UNROLL
    for (int32_t i = 0; i < ADM_MASKING_RUN; i++)
        if (counts(s, place.x + i, place.y)) {
            uint32_t hidden[2];
            hidden[0] = threshold[0][i];
            hidden[1] = threshold[1][i];
            add_visible(first, s, place, i, split[i], hidden, sums);
        }
    add_rows(s, tile_column, top, sums);
}

// All scales in one launch: the block's number tells which.
void main() {
    const int32_t group = group_x();
    if (group < arguments.p.scale[1].first_group)
        masking_tile(true, 0);
    else
        masking_tile(false, group < arguments.p.scale[2].first_group   ? 1
                            : group < arguments.p.scale[3].first_group ? 2
                                                                       : 3);
}

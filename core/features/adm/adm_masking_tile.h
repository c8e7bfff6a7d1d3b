// SPDX-License-Identifier: BSD-2-Clause-Patent
// Everything of one scale after the wavelet, on GPUs (features.md §4.3, §4.5 to §4.7): a block adds up its piece of
// every row of a tile.
//
// Taps show what its own pixels come to where sums are taken. The pixels around a tile show in its thresholds.
#ifndef ISOVMAF_ADM_MASKING_TILE_H
#define ISOVMAF_ADM_MASKING_TILE_H

#include "features/adm/adm_decouple.h"
#include "features/adm/adm_params.h"
#include "features/adm/adm_run.h"
#include "portable/kernel.h"
#include "portable/taps.h"

#define ADM_MASKING_ROW_THREADS (ADM_MASKING_TILE_WIDTH / ADM_MASKING_RUN)
#define ADM_SUM_COUNT (ADM_PART_COUNT * ADM_BAND_COUNT)
static_assert(ADM_MASKING_ROW_THREADS * ADM_MASKING_TILE_HEIGHT == ADM_MASKING_THREADS, "a run for every thread");
static_assert(ADM_SUM_COUNT * ADM_MASKING_TILE_HEIGHT <= ADM_MASKING_THREADS, "a thread for every sum of a row");

// A tile and a border of one. The width is odd, so that threads one row apart, which take every second column, use
// different banks.
#define ADM_WINDOW_WIDTH (ADM_MASKING_TILE_WIDTH + 3)
#define ADM_WINDOW_HEIGHT (ADM_MASKING_TILE_HEIGHT + 2)
#define ADM_BORDER_SIZE (2 * (ADM_MASKING_TILE_WIDTH + 2) + 2 * ADM_MASKING_TILE_HEIGHT)
static_assert(ADM_BORDER_SIZE <= ADM_MASKING_THREADS, "a thread for every pixel of the border");

// A block's memory: what each pixel hides in its neighbours, as part of the restored and of the added picture; later
// the sums of each thread.
union AdmMaskingMemory {
    uint32_t share[2][ADM_WINDOW_HEIGHT][ADM_WINDOW_WIDTH];
    uint64_t sums[ADM_SUM_COUNT][ADM_MASKING_THREADS];
};

// What a tile is part of.
template <class Limit>
struct AdmMaskingTask {
    Limit limit;
    uint32_t parts;       // bit by bit: which are wanted
    int32_t square_shift; // of the denominator

    ISOVMAF_MEMBER bool wants(int32_t part) const { return (parts >> part & 1) != 0; }
};

template <uint32_t count, class T>
ISOVMAF_FN void adm_load_pairs(const T *details, const AdmDetails &d, int32_t x, int32_t y, AdmPair (&pairs)[count]) {
    const T *const at = details + int64_t(y - d.seen.top) * d.stride + (x - d.column);
    ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        const AdmRun<T, count> reference = adm_load_run<count>(at + int64_t(band) * d.band);
        const AdmRun<T, count> distorted = adm_load_run<count>(at + int64_t(ADM_BAND_COUNT + band) * d.band);
        ISOVMAF_UNROLL
        for (uint32_t i = 0; i < count; i++) {
            pairs[i].reference[band] = reference.at[i];
            pairs[i].distorted[band] = distorted.at[i];
        }
    }
}

// Splits a pixel and leaves its shares in the window. Gives what more it hides in itself, and its weighted bands.
template <class T>
struct AdmSplit {
    AdmPixel pixel;
    uint32_t own[2];
    int32_t weighted[2][ADM_BAND_COUNT];
};
template <class T, class Limit>
ISOVMAF_FN AdmSplit<T> adm_split(const AdmPair &pair, const AdmMaskingTask<Limit> &task, const AdmMaskingScale &s,
                                 int32_t row, int32_t column, AdmMaskingMemory &memory) {
    AdmSplit<T> split{};
    split.pixel = adm_decouple(sizeof(T) == 2, pair, task.limit);
    ISOVMAF_UNROLL
    for (int32_t mask = 0; mask < 2; mask++)
        if (task.wants(1 - mask)) { // one picture masks the other
            const AdmShares shares = adm_shares(sizeof(T) == 2, split.pixel.of[mask], s.csf);
            memory.share[mask][row][column] = shares.neighbour;
            split.own[mask] = shares.own;
            ISOVMAF_UNROLL
            for (int32_t band = 0; band < ADM_BAND_COUNT; band++)
                split.weighted[mask][band] = shares.weighted[band];
        }
    return split;
}

// Shows both pictures at (x, y), and what masks those that are wanted.
template <class T, class Limit>
ISOVMAF_FN void adm_put_split(Taps taps, const AdmSplit<T> &split, const AdmMaskingTask<Limit> &task,
                              const AdmMaskingStages &stages, int32_t x, int32_t y) {
    ISOVMAF_UNROLL
    for (int32_t part = 0; part < 2; part++)
        ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
        taps.put(adm_picture_stage(stages, part, band), x, y, split.pixel.of[part][band]);
        if (task.wants(part))
            taps.put(adm_weighted_mask_stage(stages, part, band), x, y, split.weighted[1 - part][band]);
    }
}

// Row and column, in the window, of the i-th pixel of the border.
struct AdmPlace {
    int32_t row, column;
};
ISOVMAF_FN AdmPlace adm_border(int32_t i) {
    const int32_t width = ADM_MASKING_TILE_WIDTH + 2;
    if (i < 2 * width)
        return {i < width ? 0 : ADM_WINDOW_HEIGHT - 1, i < width ? i : i - width};
    i -= 2 * width;
    return {i / 2 + 1, i % 2 * (width - 1)};
}

// Thresholds of a run of pixels, without what they hide in themselves beyond their neighbours' shares: sums of 3x3.
// Outside the subband row and column -1 are 1, row h is h - 1 and column w is w - 1.
ISOVMAF_FN void adm_neighbourhood(const uint32_t (&share)[ADM_WINDOW_HEIGHT][ADM_WINDOW_WIDTH], AdmPlace place,
                                  int32_t x, int32_t y, const AdmMaskingScale &s,
                                  uint32_t (&threshold)[ADM_MASKING_RUN]) {
    const int32_t above = y == 0 ? place.row + 1 : place.row - 1;
    const int32_t below = y == s.height - 1 ? place.row : place.row + 1;
    uint32_t column[ADM_MASKING_RUN + 2]; // sums of three, from the column before the run on
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < ADM_MASKING_RUN + 2; i++) {
        const int32_t at = place.column - 1 + i;
        column[i] = share[above][at] + share[place.row][at] + share[below][at];
    }
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < ADM_MASKING_RUN; i++) {
        const uint32_t left = x + i == 0 ? column[i + 2] : column[i];
        const uint32_t right = x + i == s.width - 1 ? column[i + 1] : column[i + 2];
        threshold[i] = left + column[i + 1] + right;
    }
}

template <class T, class Limit, class Tap>
ISOVMAF_FN void adm_masking_tile(const T *details, int64_t *row_sums, const AdmMaskingScale &s,
                                 const AdmMaskingTask<Limit> &task, AdmMaskingMemory &memory, Tap taps) {
    const int32_t thread = thread_x(), group = group_x() - s.first_group;
    const int32_t tile_column = group % s.columns;
    const int32_t left = s.left + tile_column * ADM_MASKING_TILE_WIDTH;
    const int32_t top = s.core.top + group / s.columns * ADM_MASKING_TILE_HEIGHT;
    const AdmPlace place{1 + thread / ADM_MASKING_ROW_THREADS, 1 + thread % ADM_MASKING_ROW_THREADS * ADM_MASKING_RUN};
    const int32_t x = left - 1 + place.column, y = top - 1 + place.row;
    const AdmRectangle &seen = s.details.seen;
    const T *const bands = details + s.offset;

    AdmSplit<T> split[ADM_MASKING_RUN];
    uint64_t sums[ADM_PART_COUNT][ADM_BAND_COUNT] = {};
    const auto counts = [&](int32_t i) { return x + i >= s.core.left && x + i < s.core.right && y < s.core.bottom; };
    if (x < seen.right && y < seen.bottom) {
        AdmPair pairs[ADM_MASKING_RUN];
        adm_load_pairs(bands, s.details, x, y, pairs);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < ADM_MASKING_RUN; i++) {
            split[i] = adm_split<T>(pairs[i], task, s, place.row, place.column + i, memory);
            if constexpr (Tap::on)
                if (counts(i))
                    adm_put_split(taps, split[i], task, s.stages, x + i, y);
            if (task.wants(ADM_PART_REFERENCE) && counts(i))
                ISOVMAF_UNROLL
            for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
                const uint64_t cube = adm_unmasked_cube(sizeof(T) == 2, pairs[i].reference[band], task.square_shift,
                                                        s.reference_cube_shift);
                sums[ADM_PART_REFERENCE][band] += cube;
                taps.put(adm_reference_cube_stage(s.reference_stages, band), x + i, y, int64_t(cube));
            }
        }
    }
    if (thread < ADM_BORDER_SIZE) {
        const AdmPlace at = adm_border(thread);
        const int32_t border_x = left - 1 + at.column, border_y = top - 1 + at.row;
        if (border_x >= seen.left && border_x < seen.right && border_y >= seen.top && border_y < seen.bottom) {
            AdmPair pair[1];
            adm_load_pairs(bands, s.details, border_x, border_y, pair);
            adm_split<T>(pair[0], task, s, at.row, at.column, memory);
        }
    }
    barrier();

    uint32_t threshold[2][ADM_MASKING_RUN];
    ISOVMAF_UNROLL
    for (int32_t mask = 0; mask < 2; mask++)
        if (task.wants(1 - mask))
            adm_neighbourhood(memory.share[mask], place, x, y, s, threshold[mask]);
    barrier();

    ISOVMAF_UNROLL
    for (int32_t i = 0; i < ADM_MASKING_RUN; i++)
        if (counts(i))
            ISOVMAF_UNROLL
    for (int32_t part = 0; part < 2; part++)
        if (task.wants(part)) {
            const int32_t mask = 1 - part;
            const uint32_t hidden = threshold[mask][i] + split[i].own[mask];
            taps.put(adm_threshold_stage(s.stages, part), x + i, y, int32_t(hidden));
            ISOVMAF_UNROLL
            for (int32_t band = 0; band < ADM_BAND_COUNT; band++) {
                const uint64_t cube = adm_visible_cube(sizeof(T) == 2, split[i].pixel.of[part][band], hidden, band,
                                                       s.csf[band], s.cube_shift[band]);
                sums[part][band] += cube;
                taps.put(adm_visible_cube_stage(s.stages, part, band), x + i, y, int64_t(cube));
            }
        }
    ISOVMAF_UNROLL
    for (int32_t part = 0; part < ADM_PART_COUNT; part++)
        ISOVMAF_UNROLL
    for (int32_t band = 0; band < ADM_BAND_COUNT; band++)
        memory.sums[part * ADM_BAND_COUNT + band][thread] = sums[part][band];
    barrier();

    const int32_t sum = thread / ADM_MASKING_TILE_HEIGHT, row = thread % ADM_MASKING_TILE_HEIGHT;
    if (sum >= ADM_SUM_COUNT || !task.wants(sum / ADM_BAND_COUNT) || top + row >= s.core.bottom)
        return;
    uint64_t total = 0;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < ADM_MASKING_ROW_THREADS; i++) // each row from another place on: other banks
        total += memory.sums[sum][row * ADM_MASKING_ROW_THREADS + (i + row) % ADM_MASKING_ROW_THREADS];
    const int32_t rows = s.core.bottom - s.core.top;
    row_sums[s.row_sums + int64_t(sum * s.columns + tile_column) * rows + (top - s.core.top + row)] = int64_t(total);
}

// All scales in one launch: the block's number tells which.
template <class Limit, class Tap>
ISOVMAF_FN void adm_masking_scales(const int16_t *details_0, const int32_t *details, int64_t *row_sums, Limit limit,
                                   const AdmMaskingParams &p, Tap taps) {
    ISOVMAF_SHARED(AdmMaskingMemory, memory);
    AdmMaskingTask<Limit> task{limit, p.parts, 0};
    const int32_t group = group_x();
    if (group < p.scale[1].first_group) {
        adm_masking_tile(details_0, row_sums, p.scale[0], task, memory, taps);
        return;
    }
    const int32_t scale = group < p.scale[2].first_group ? 1 : group < p.scale[3].first_group ? 2 : 3;
    task.square_shift = adm_reference_square_shift[scale];
    adm_masking_tile(details, row_sums, p.scale[scale], task, memory, taps);
}

#endif

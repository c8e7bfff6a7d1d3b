// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of CAMBI: a block computes the c-values of a tile of a scale (cambi.md §6), and adds them to the scale's
// totals.
//
// The windows move down a row at a time. A thread has a column: it counts, in a byte for each value, how often the
// value stands in the rows of the windows. The count of a window is the sum of the bytes of its columns. SLOTS values
// are counted at a time: a tile with more of them takes several passes, from the smallest value on. Slot 0 is that of
// values that are not there, and stays 0.
#include "features/cambi/cambi_params.h"
#include "portable/body.h"
#include "portable/products.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT int32_t slot_words = CAMBI_COUNTS_THREADS / 4; // of a slot's bytes
ISOVMAF_CONSTANT int32_t value_count = CAMBI_LARGEST_SAMPLE + 1;
ISOVMAF_CONSTANT int32_t set_words = (value_count + 31) / 32; // of a set of values, a bit each
ISOVMAF_CONSTANT int32_t slot_of_count = value_count + 2 * CAMBI_LARGEST_STEP;
ISOVMAF_CONSTANT uint32_t no_value = 2048u; // more than any

ISOVMAF_SHARED(uint32_t, counts[SLOTS * slot_words]);
ISOVMAF_SHARED(uint8_t, slot_of[slot_of_count]); // [CAMBI_LARGEST_STEP + value]
ISOVMAF_SHARED(uint32_t, present[set_words]);    // the values of pixels that count in the tile's windows
ISOVMAF_SHARED(uint32_t, scored[set_words]);     // those of pixels that have c-values
ISOVMAF_SHARED(uint32_t, smaller[set_words]);    // how many values that are present come before those of a word
ISOVMAF_SHARED(uint32_t, next_value);            // the smallest one that has to be scored
ISOVMAF_SHARED(uint32_t, left_out);              // the smallest one that has no slot
ISOVMAF_SHARED(uint32_t, lowest_bits);           // of all c-values
ISOVMAF_BLOCK_ADD(CAMBI_COUNTS_THREADS)

// The tile, and the column of the thread.
struct CambiTile {
    int32_t top, bottom;
    int32_t x;
    int32_t place; // of pixel (x, 0)
    bool inside;   // the picture has the column
    bool scores;   // its pixels have c-values
};

// A row of the column: what the windows gain and lose when they move down to it, and the row's own value; -1 where
// there is none.
struct CambiRow {
    int32_t enters, leaves, own;
};

// What a thread knows of its column's c-values.
struct CambiColumn {
    int64_t sum;
    int32_t count; // of those above 0
    uint32_t lowest;
};

ISOVMAF_FN CambiTile tile_of(ISOVMAF_IN(CambiCountsScale) s, int32_t radius) {
    const int32_t tile = group_x() - s.first_group, width = CAMBI_COUNTS_WIDTH(radius);
    const int32_t column = thread_x() - radius;
    CambiTile t;
    t.top = tile / s.columns * CAMBI_COUNTS_ROWS;
    t.bottom = t.top + CAMBI_COUNTS_ROWS < s.height ? t.top + CAMBI_COUNTS_ROWS : s.height;
    t.x = tile % s.columns * width + column;
    t.place = s.first + t.x;
    t.inside = t.x >= 0 && t.x < s.width;
    t.scores = column >= 0 && column < width && t.inside;
    return t;
}

// The value of the column's pixel in row y if it counts, else -1.
ISOVMAF_FN int32_t value_at(ConstU16 pixels, ISOVMAF_IN(CambiCountsScale) s, ISOVMAF_IN(CambiTile) t, int32_t y) {
    if (!t.inside || y < 0 || y >= s.height)
        return -1;
    const uint32_t pixel = uint32_t(pixels.at[t.place + y * s.width]);
    return (pixel & CAMBI_MASKED) != 0u ? int32_t(pixel & ~CAMBI_MASKED) : -1;
}

ISOVMAF_FN CambiRow row_at(ConstU16 pixels, ISOVMAF_IN(CambiCountsScale) s, ISOVMAF_IN(CambiTile) t, int32_t radius,
                           int32_t y) {
    CambiRow row;
    row.enters = value_at(pixels, s, t, y + radius);
    row.leaves = y == t.top ? -1 : value_at(pixels, s, t, y - radius - 1);
    row.own = t.scores ? value_at(pixels, s, t, y) : -1;
    return row;
}

ISOVMAF_FN uint32_t bit_of(int32_t value) { return 1u << (value % 32); }

// Finds the values of the tile. Pixels that are not masked have the c-value 0.
ISOVMAF_FN void find_values(ConstU16 pixels, U32 values, ISOVMAF_IN(CambiCountsScale) s, int32_t radius,
                            ISOVMAF_IN(CambiTile) t) {
    for (int32_t i = thread_x(); i < set_words; i += CAMBI_COUNTS_THREADS) {
        present[i] = 0u;
        scored[i] = 0u;
    }
    if (thread_x() == 0)
        lowest_bits = 0u;
    barrier();
    int32_t known = -1, known_scored = -1; // from the rows above: neighbours are often equal
    for (int32_t y = t.top - radius; y < t.bottom + radius; y++) {
        const int32_t value = value_at(pixels, s, t, y);
        const bool is_own = t.scores && y >= t.top && y < t.bottom;
        if (is_own && value < 0)
            values.at[t.place + y * s.width] = 0u;
        if (value >= 0 && value != known) {
            shared_or(present[value / 32], bit_of(value));
            known = value;
        }
        if (value >= 0 && is_own && value != known_scored) {
            shared_or(scored[value / 32], bit_of(value));
            known_scored = value;
        }
    }
    barrier();
    for (int32_t i = thread_x(); i < set_words; i += CAMBI_COUNTS_THREADS) {
        uint32_t sum = 0u;
        for (int32_t j = 0; j < i; j++)
            sum += uint32_t(bit_count(present[j]));
        smaller[i] = sum;
    }
}

// How many values that are present are smaller.
ISOVMAF_FN uint32_t rank_of(int32_t value) {
    return smaller[value / 32] + uint32_t(bit_count(present[value / 32] & (bit_of(value) - 1u)));
}

// The smallest value from `from` on that has to be scored, for all threads; or no_value.
ISOVMAF_FN uint32_t find_next(int32_t from) {
    if (thread_x() == 0) {
        next_value = no_value;
        left_out = no_value;
    }
    barrier();
    for (int32_t value = thread_x(); value < value_count; value += CAMBI_COUNTS_THREADS)
        if (value >= from && (scored[value / 32] & bit_of(value)) != 0u)
            shared_min(next_value, uint32_t(value));
    barrier();
    return next_value;
}

// Gives slots to the values from `least` on, and sets all counts to 0.
ISOVMAF_FN void assign_slots(int32_t least) {
    const uint32_t before = rank_of(least);
    for (int32_t i = thread_x(); i < slot_of_count; i += CAMBI_COUNTS_THREADS) {
        const int32_t value = i - CAMBI_LARGEST_STEP;
        uint32_t slot = 0u;
        if (value >= least && value < value_count && (present[value / 32] & bit_of(value)) != 0u)
            slot = rank_of(value) - before + 1u;
        if (slot == uint32_t(SLOTS))
            left_out = uint32_t(value);
        slot_of[i] = uint8_t(slot < uint32_t(SLOTS) ? slot : 0u);
    }
    for (int32_t i = thread_x(); i < SLOTS * slot_words; i += CAMBI_COUNTS_THREADS)
        counts[i] = 0u;
    barrier();
}

ISOVMAF_FN int32_t slot_at(int32_t value) { return int32_t(slot_of[CAMBI_LARGEST_STEP + value]); }

// Adds 1 to the column's count of a value, or takes 1 away: `change` is the byte's 1, or its negative in 32 bits. A
// column has at most CAMBI_LARGEST_WINDOW pixels, so no byte overflows.
ISOVMAF_FN void change_count(int32_t value, uint32_t change) {
    const int32_t slot = value < 0 ? 0 : slot_at(value);
    if (slot != 0)
        shared_add(counts[slot * slot_words + thread_x() / 4], change);
}

// The count of a slot in the window around the thread's column.
ISOVMAF_FN uint32_t window_count(int32_t slot, int32_t radius) {
    const int32_t first = thread_x() - radius, last = thread_x() + radius;
    const int32_t last_word = slot * slot_words + last / 4;
    int32_t i = slot * slot_words + first / 4;
    uint32_t word = counts[i] & ~0u << 8 * (first % 4), sum = 0u;
    while (i < last_word) {
        sum = add_bytes(word, sum);
        i++;
        word = counts[i];
    }
    return add_bytes(word & ~0u >> 8 * (3 - last % 4), sum);
}

// The bits of the c-value of a pixel with that value, which has a slot. `visible`: bit d - 1 for step d.
ISOVMAF_FN uint32_t c_value(ConstF32 reciprocals, uint32_t visible, int32_t value, int32_t radius) {
    uint32_t largest = 0u;
    const uint32_t same = window_count(slot_at(value), radius);
    for (uint32_t rest = visible; rest != 0u; rest &= rest - 1u) {
        const int32_t d = floor_log2(rest & (0u - rest)) + 1;
        const int32_t up = slot_at(value + d), down = slot_at(value - d);
        const uint32_t above = up == 0 ? 0u : window_count(up, radius);
        const uint32_t below = down == 0 ? 0u : window_count(down, radius);
        const uint32_t other = above < below ? below : above;
        if (other == 0u)
            continue;
        const float reciprocal = reciprocals.at[same + other];
        const uint32_t contrast = f32_bits(cambi_contrast(cambi_weights[d - 1], same, other, reciprocal));
        largest = largest < contrast ? contrast : largest;
    }
    return largest;
}

// Scores the pixels of the column whose values are `first` to `last`, and adds what it finds to `column`.
ISOVMAF_FN CambiColumn score_values(ConstU16 pixels, ConstF32 reciprocals, ConstU32 visible, U32 values, int32_t stage,
                                    int32_t radius, ISOVMAF_IN(CambiCountsScale) s, ISOVMAF_IN(CambiTile) t,
                                    int32_t first, int32_t last, CambiColumn column, KernelTaps taps) {
    const uint32_t one = 1u << 8 * (thread_x() % 4);
    for (int32_t y = t.top - radius; y < t.top + radius; y++)
        change_count(value_at(pixels, s, t, y), one);
    CambiRow row = row_at(pixels, s, t, radius, t.top);
    for (int32_t y = t.top; y < t.bottom; y++) {
        if (row.enters != row.leaves) {
            change_count(row.enters, one);
            change_count(row.leaves, 0u - one);
        }
        const int32_t value = row.own;
        barrier();
        row = row_at(pixels, s, t, radius, y + 1); // it arrives while this one is scored
        if (value >= first && value <= last) {
            const uint32_t bits = c_value(reciprocals, visible.at[value], value, radius);
            const uint64_t units = cambi_units(bits);
            values.at[t.place + y * s.width] = bits;
            tap_put_f32(taps, stage, t.x, y, f32_of_bits(bits));
            column.sum += int64_t(units);
            column.count += bits != 0u ? 1 : 0;
            column.lowest |= uint32_t(units);
        }
        barrier();
    }
    return column;
}

ISOVMAF_FN void counts_tile(ConstU16 pixels, ConstF32 reciprocals, ConstU32 visible, U32 values, I64 sums, U32 lowest,
                            int32_t scale, ISOVMAF_IN(CambiCountsTask) p, ISOVMAF_IN(CambiCountsScale) s,
                            KernelTaps taps) {
    const CambiTile t = tile_of(s, p.radius);
    CambiColumn column;
    column.sum = int64_t(0);
    column.count = 0;
    column.lowest = 0u;
    find_values(pixels, values, s, p.radius, t);
    for (uint32_t found = find_next(0); found != no_value;) {
        const int32_t first = int32_t(found);
        assign_slots(first < p.steps ? 0 : first - p.steps);
        const int32_t last = int32_t(left_out) - 1 - p.steps; // the largest value whose neighbours all have slots
        column = score_values(pixels, reciprocals, visible, values, p.stage + scale, p.radius, s, t, first, last,
                              column, taps);
        found = find_next(last + 1);
    }
    if (column.lowest != 0u)
        shared_or(lowest_bits, column.lowest);
    const int32_t total = p.total + scale;
    block_add(sums, CAMBI_TOTAL_SUMS * total, column.sum, thread_x());
    if (thread_x() == 0 && lowest_bits != 0u)
        atomic_or(lowest, total, lowest_bits);
    barrier();
    block_add(sums, CAMBI_TOTAL_SUMS * total + 1, int64_t(column.count), thread_x());
}

// The scale of a block: one launch has the blocks of all scales, and `first_1` to `first_4` are the numbers of the
// first block of the later ones.
ISOVMAF_FN int32_t scale_of(int32_t group, int32_t first_1, int32_t first_2, int32_t first_3, int32_t first_4) {
    return group < first_1 ? 0 : group < first_2 ? 1 : group < first_3 ? 2 : group < first_4 ? 3 : 4;
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = CAMBI_COUNTS_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstU16 pixels;
    ConstF32 reciprocals;
    ConstU32 visible;
    U32 values;
    I64 sums;
    U32 lowest;
    ISOVMAF_TAPS_MEMBER
    CambiCountsParams p;
}
arguments;
void main() {
    const int32_t scale = scale_of(group_x(), arguments.p.scale[1].first_group, arguments.p.scale[2].first_group,
                                   arguments.p.scale[3].first_group, arguments.p.scale[4].first_group);
    counts_tile(arguments.pixels, arguments.reciprocals, arguments.visible, arguments.values, arguments.sums,
                arguments.lowest, scale, arguments.p.task, arguments.p.scale[scale], ISOVMAF_TAPS_ARGUMENT);
}
#else
ISOVMAF_KERNEL(CAMBI_COUNTS_THREADS)
ISOVMAF_KERNEL_NAME(const uint16_t *pixels, const float *reciprocals, const uint32_t *visible, uint32_t *values,
                    int64_t *sums, uint32_t *lowest, ISOVMAF_TAPS_PARAMETER CambiCountsParams p) {
    using namespace KERNEL_BODY;
    const int32_t scale = scale_of(group_x(), p.scale[1].first_group, p.scale[2].first_group, p.scale[3].first_group,
                                   p.scale[4].first_group);
    counts_tile({pixels}, {reciprocals}, {visible}, {values}, {sums}, {lowest}, scale, p.task, p.scale[scale],
                ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
#undef SLOTS

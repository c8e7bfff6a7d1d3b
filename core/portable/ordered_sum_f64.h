// SPDX-License-Identifier: BSD-2-Clause-Patent
// An f64 sum of numbers of either sign that are added one after the other, in parts that threads compute side by side.
// The numbers, called terms, and the sums are zero or normal, as in binary64.h.
//
// This is what ordered_sum.h does for f32, in integers alone: within a binade a term adds to the pattern of the sum's
// magnitude a number of places that depends on the term and, where it lies in the middle between two places, on the
// sum's last bit. As terms of either sign can take a sum out of its binade and back, a step also knows how far the sums
// reach on the way.
#ifndef ISOVMAF_ORDERED_SUM_F64_H
#define ISOVMAF_ORDERED_SUM_F64_H

#include "portable/binary64.h"

// What a run of terms adds to the pattern of a sum's magnitude that is even, or odd, before; and the least and the
// greatest number of places that the sums lie away from the one before, be that even or odd.
struct OrderedF64Step {
    int64_t from_even, from_odd;
    int64_t low, high;
};

#define ORDERED_F64_PLACES (int64_t(1) << 52) // of a binade

// The sign of a sum and the number of its binade: sums with the same number have the same last place. Zero has a number
// of its own.
ISOVMAF_FN int32_t ordered_f64_binade(uint64_t sum) { return int32_t(sum >> 52); }

// The binade of units · 2^exponent.
ISOVMAF_FN int32_t ordered_f64_binade_of(int64_t units, int32_t exponent) {
    if (units == int64_t(0))
        return 0;
    return (units < int64_t(0) ? 1 << 11 : 0) + floor_log2(magnitude_of_i64(units)) + exponent + F64_BIAS;
}

// The step of no terms, or of zeros.
ISOVMAF_FN OrderedF64Step ordered_f64_step_of_zeros() {
    OrderedF64Step step;
    step.from_even = int64_t(0);
    step.from_odd = int64_t(0);
    step.low = int64_t(0);
    step.high = int64_t(0);
    return step;
}

// A step that is not valid for any sum.
ISOVMAF_FN OrderedF64Step ordered_f64_step_that_leaves() {
    OrderedF64Step step = ordered_f64_step_of_zeros();
    step.high = int64_t(4) * ORDERED_F64_PLACES;
    return step;
}

// The step, or one that leaves if it reaches beyond any binade: so increments stay small.
ISOVMAF_FN OrderedF64Step ordered_f64_step_or_none(OrderedF64Step step) {
    if (step.low < -ORDERED_F64_PLACES || step.high > ORDERED_F64_PLACES)
        return ordered_f64_step_that_leaves();
    return step;
}

ISOVMAF_FN int64_t ordered_f64_less(int64_t a, int64_t b) { return a < b ? a : b; }
ISOVMAF_FN int64_t ordered_f64_more(int64_t a, int64_t b) { return a < b ? b : a; }

// The step of some terms and then of one more, for sums of that binade. Up to 256 terms in a row may be added to a step
// of none; ordered_f64_step_or_none makes it one that ordered_steps takes.
ISOVMAF_FN OrderedF64Step ordered_f64_step_with(OrderedF64Step step, uint64_t term, int32_t binade) {
    if (f64_is_zero(term))
        return step;
    const int32_t apart = (binade & 0x7ff) - (int32_t(term >> 52) & 0x7ff);
    if (apart < 1) { // the sum at least doubles, or halves
        step.high = ordered_f64_step_that_leaves().high;
        return step;
    }
    const int32_t shift = apart < 54 ? apart : 54; // less than half a place from there on
    const bool is_opposite = int32_t(term >> 63) != binade >> 11;
    const int64_t magnitude = int64_t(f64_significand(term)), units = is_opposite ? -magnitude : magnitude;
    const int64_t whole = units >> shift, rest = units - (whole << shift), middle = int64_t(1) << (shift - 1);
    const int64_t up = rest > middle ? int64_t(1) : int64_t(0), tie = rest == middle ? int64_t(1) : int64_t(0);
    step.from_even += whole + up;
    step.from_odd += whole + up;
    step.from_even += tie & step.from_even; // to the even one of both places
    step.from_odd += tie & ~step.from_odd;
    // Below the binade places are half as large: a sum that comes from above has to stay one place away.
    step.low = ordered_f64_less(step.low, ordered_f64_less(step.from_even, step.from_odd) - int64_t(is_opposite));
    step.high = ordered_f64_more(step.high, ordered_f64_more(step.from_even, step.from_odd));
    return step;
}

// The step of the terms of `first` and then those of `second`.
ISOVMAF_FN OrderedF64Step ordered_steps(OrderedF64Step first, OrderedF64Step second) {
    const bool even_stays = (first.from_even & int64_t(1)) == int64_t(0);
    const bool odd_stays = (first.from_odd & int64_t(1)) == int64_t(0);
    OrderedF64Step both;
    both.from_even = first.from_even + (even_stays ? second.from_even : second.from_odd);
    both.from_odd = first.from_odd + (odd_stays ? second.from_odd : second.from_even);
    both.low = ordered_f64_less(first.low, ordered_f64_less(first.from_even, first.from_odd) + second.low);
    both.high = ordered_f64_more(first.high, ordered_f64_more(first.from_even, first.from_odd) + second.high);
    return ordered_f64_step_or_none(both);
}

// Whether a step of the sum's binade is valid for it: no sum on the way lies in another binade.
ISOVMAF_FN bool ordered_step_is_valid(uint64_t sum, OrderedF64Step step) {
    const int64_t place = int64_t(sum) & (ORDERED_F64_PLACES - int64_t(1));
    return place + step.low >= int64_t(0) && place + step.high < ORDERED_F64_PLACES;
}

// The sum after a step that is valid for it.
ISOVMAF_FN uint64_t ordered_sum_after(uint64_t sum, OrderedF64Step step) {
    return sum + uint64_t((sum & uint64_t(1)) == uint64_t(0) ? step.from_even : step.from_odd);
}

#endif

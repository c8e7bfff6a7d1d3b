// SPDX-License-Identifier: BSD-2-Clause-Patent
// An f32 sum whose numbers are added one after the other, in parts that threads compute side by side. The numbers,
// called terms, are not negative, and the sum is finite.
//
// Within a binade, the numbers from one power of two to the next, bit patterns are integers that count places. A term
// that leaves the sum in its binade adds a number of places to the pattern. The number depends on the term and the
// binade; where the term lies in the middle between two places, also on the last bit of the sum. So what a run of terms
// adds is known from two sums: one that is even before and one that is odd. That is a step. Steps compose in any
// grouping. A step that would take the sum out of its binade is not valid: then smaller runs are tried, and at last the
// terms themselves.
#ifndef ISOVMAF_ORDERED_SUM_H
#define ISOVMAF_ORDERED_SUM_H

#include "portable/f32.h"

// What a run of terms adds to the bit pattern of a sum that is even, or odd, before.
struct OrderedStep {
    uint32_t from_even, from_odd;
};

// No binade has more places. An increment that is as large says no more than that the sum leaves its binade.
#define ORDERED_STEP_LEAVES 0x1000000u

// The number of a sum's binade. Zero, denormals and the first normal numbers are one, as they have the same last place.
ISOVMAF_FN int32_t ordered_binade(uint32_t sum) { return sum < 2u * F32_LEADING ? 1 : int32_t(sum >> 23); }

// The first pattern of a binade, which is even.
ISOVMAF_FN uint32_t ordered_binade_start(int32_t binade) { return binade == 1 ? 0u : uint32_t(binade) << 23; }

// The step of no terms, or of zeros.
ISOVMAF_FN OrderedStep ordered_step_of_zeros() {
    OrderedStep step;
    step.from_even = 0u;
    step.from_odd = 0u;
    return step;
}

// A step that is not valid for any sum.
ISOVMAF_FN OrderedStep ordered_step_that_leaves() {
    OrderedStep step;
    step.from_even = ORDERED_STEP_LEAVES;
    step.from_odd = ORDERED_STEP_LEAVES;
    return step;
}

// Two sums of the same terms: from the first even and from the first odd number of a binade.
struct OrderedRun {
    float even, odd;
};

ISOVMAF_FN OrderedRun ordered_run(int32_t binade) {
    const uint32_t start = ordered_binade_start(binade);
    OrderedRun run;
    run.even = f32_of_bits(start);
    run.odd = f32_of_bits(start + 1u);
    return run;
}

ISOVMAF_FN OrderedRun ordered_run_with(OrderedRun run, float term) {
    OrderedRun more;
    more.even = f32_add(run.even, term);
    more.odd = f32_add(run.odd, term);
    return more;
}

ISOVMAF_FN uint32_t ordered_increment(uint32_t places) {
    return places < ORDERED_STEP_LEAVES ? places : ORDERED_STEP_LEAVES;
}

// The step of a run's terms for sums of the binade that the run started in. A sum that the step leaves in the binade is
// at least the run's first one, so that the run has not left the binade either and its increments are right.
ISOVMAF_FN OrderedStep ordered_step(OrderedRun run, int32_t binade) {
    const uint32_t start = ordered_binade_start(binade);
    OrderedStep step;
    step.from_even = ordered_increment(f32_bits(run.even) - start);
    step.from_odd = ordered_increment(f32_bits(run.odd) - start - 1u);
    return step;
}

// The step of the terms of `first` and then those of `second`.
ISOVMAF_FN OrderedStep ordered_steps(OrderedStep first, OrderedStep second) {
    const bool even_stays = (first.from_even & 1u) == 0u, odd_stays = (first.from_odd & 1u) == 0u;
    OrderedStep both;
    both.from_even = ordered_increment(first.from_even + (even_stays ? second.from_even : second.from_odd));
    both.from_odd = ordered_increment(first.from_odd + (odd_stays ? second.from_odd : second.from_even));
    return both;
}

// The sum after a step of its binade.
ISOVMAF_FN uint32_t ordered_sum_after(uint32_t sum, OrderedStep step) {
    return sum + ((sum & 1u) == 0u ? step.from_even : step.from_odd);
}

// Whether a step of the sum's binade is valid for it: the sum after it lies in the same binade.
ISOVMAF_FN bool ordered_step_is_valid(uint32_t sum, OrderedStep step) {
    return ordered_binade(ordered_sum_after(sum, step)) == ordered_binade(sum);
}

// Where an ordered sum lies is known from a sum of the same terms in another order. In place of the terms' exact sum X
// the ordered sum S of n terms has one between X / (1 + n · 2^-24) and X / (1 - n · 2^-24): each addition is off by
// half a place at most, which is 2^-24 · S or less. The other sum is nearer to X, if each term takes part in 200
// additions at most; ORDERED_SUM_SLACK makes up for these and for the roundings below.
#define ORDERED_SUM_SLACK 1024u

ISOVMAF_FN float ordered_sum_share(uint32_t terms) {
    return f32_multiply(f32_of_u32(terms + ORDERED_SUM_SLACK), f32_of_bits(uint32_t(F32_BIAS - 24) << 23));
}

// The lowest binade in which the ordered sum of `terms` terms can lie. `other` is their sum in another order.
ISOVMAF_FN int32_t ordered_sum_lowest(float other, uint32_t terms) {
    return ordered_binade(f32_bits(f32_divide(other, f32_add(1.0f, ordered_sum_share(terms)))));
}

// The highest one; with 2^23 terms or more every binade can be it.
ISOVMAF_FN int32_t ordered_sum_highest(float other, uint32_t terms) {
    const float share = ordered_sum_share(terms);
    if (share >= 0.5f)
        return int32_t(F32_INFINITY >> 23) - 1;
    return ordered_binade(f32_bits(f32_divide(other, f32_subtract(1.0f, share))));
}

#endif

// SPDX-License-Identifier: BSD-2-Clause-Patent
// A sum of f64 numbers, one after the other, in integers: with the bits of the CPU's doubles, each addition rounded
// once to nearest, ties to even. For shaders, which add faster so than with binary64.h, as the sum is not packed
// between two additions; in batches most of the work does not wait for the addition before. Numbers are zero or normal,
// as in binary64.h.
#ifndef ISOVMAF_RUNNING_SUM_H
#define ISOVMAF_RUNNING_SUM_H

#include "portable/f32.h"

// units · 2^exponent, with 53 bits of units at most. The exponent of 0 is so small that every number is larger.
struct RunningSum {
    int64_t units;
    int32_t exponent;
};
#define RUNNING_SUM_OF_ZERO (-4096)
#define RUNNING_SUM_GUARD 9 // bits below the larger number's last one; more of them would leave no room for the sum

ISOVMAF_FN RunningSum running_number(uint64_t v) {
    const uint64_t sign = uint64_t(int64_t(v) >> 63); // no bit or all
    const bool is_zero = f64_is_zero(v);
    RunningSum number;
    number.units = is_zero ? int64_t(0) : int64_t((f64_significand(v) ^ sign) - sign);
    number.exponent = is_zero ? RUNNING_SUM_OF_ZERO : f64_exponent(v) - 52;
    return number;
}

ISOVMAF_FN RunningSum running_add(RunningSum a, RunningSum b) {
    const bool swaps = a.exponent < b.exponent;
    const int64_t large = (swaps ? b.units : a.units) << RUNNING_SUM_GUARD;
    const int64_t small = (swaps ? a.units : b.units) << RUNNING_SUM_GUARD;
    const int32_t exponent = swaps ? b.exponent : a.exponent, apart = exponent - (swaps ? a.exponent : b.exponent);
    const int32_t shift = apart < 63 ? apart : 63;
    // Bits that are shifted out leave a mark in the last bit. Then both exponents are so far apart that the sum has
    // bits of its own below the last one that is kept.
    const int64_t shifted = small >> shift;
    const int64_t sum = large + (shifted | int64_t((shifted << shift) != small));
    RunningSum result;
    result.units = int64_t(0);
    result.exponent = RUNNING_SUM_OF_ZERO;
    if (sum == int64_t(0))
        return result;
    const uint64_t magnitude = magnitude_of_i64(sum);
    if (magnitude >> (52 + RUNNING_SUM_GUARD) == uint64_t(1)) { // as many bits as the larger number: the usual case
        const int64_t even = sum >> RUNNING_SUM_GUARD & int64_t(1);
        result.exponent = exponent;
        result.units = (sum + int64_t((1 << (RUNNING_SUM_GUARD - 1)) - 1) + even) >> RUNNING_SUM_GUARD;
        return result;
    }
    const int32_t dropped = floor_log2(magnitude) - 52; // bits
    result.exponent = exponent - RUNNING_SUM_GUARD + dropped;
    if (dropped <= 0) {
        result.units = sum << -dropped;
        return result;
    }
    // Half of the last bit that is kept, less a bit where that is even: the shift rounds down.
    const int64_t half_unit = (int64_t(1) << (dropped - 1)) - int64_t(1) + (sum >> dropped & int64_t(1));
    result.units = (sum + half_unit) >> dropped;
    return result;
}

// The bits of the sum.
ISOVMAF_FN uint64_t running_bits(RunningSum sum) {
    if (sum.units == int64_t(0))
        return uint64_t(0);
    const uint64_t magnitude = magnitude_of_i64(sum.units);
    const int32_t highest = floor_log2(magnitude);
    return f64_rounded(uint64_t(sum.units) & F64_SIGN, sum.exponent + highest, magnitude << (63 - highest));
}

// A number that is ready to be added to sums. A shader makes such terms beside each other, so that a sum has little
// left to do for each of them.
struct RunningTerm {
    int64_t wide;  // units · 2^RUNNING_SUM_GUARD
    int32_t place; // 64 times the exponent of a unit, and how many bits of the units before the lowest 1 are 0
};
#define RUNNING_PLACES 64

// Of units with 53 bits at most.
ISOVMAF_FN RunningTerm running_term(RunningSum number) {
    const uint64_t units = uint64_t(number.units), lowest = units & (uint64_t(0) - units);
    RunningTerm term;
    term.wide = number.units << RUNNING_SUM_GUARD;
    term.place = number.exponent * RUNNING_PLACES + floor_log2(lowest | uint64_t(units == uint64_t(0)));
    return term;
}

// a - b of two finite f32, perhaps with zeros in front of the highest bit of the units.
ISOVMAF_FN RunningSum running_difference(uint32_t a, uint32_t b) {
    const int32_t a_field = int32_t(a >> 23 & 0xffu), b_field = int32_t(b >> 23 & 0xffu);
    const int32_t apart = a_field - b_field;
    if (a_field == 0 || b_field == 0 || apart < -28 || apart > 28) // zeros, denormals, or more than 53 bits
        return running_number(f64_add(f64_of_f32_or_denormal(a), f64_of_f32_or_denormal(b) ^ F64_SIGN));
    const int32_t a_sign = int32_t(a) >> 31, b_sign = int32_t(b) >> 31; // no bit or all
    const int32_t a_units = (int32_t((a & (F32_LEADING - 1u)) | F32_LEADING) ^ a_sign) - a_sign;
    const int32_t b_units = (int32_t((b & (F32_LEADING - 1u)) | F32_LEADING) ^ b_sign) - b_sign;
    RunningSum difference;
    difference.units = (int64_t(a_units) << (apart > 0 ? apart : 0)) - (int64_t(b_units) << (apart < 0 ? -apart : 0));
    difference.exponent = (apart > 0 ? b_field : a_field) - F32_BIAS - 23;
    return difference;
}

// The product of two such differences, rounded to an f64.
ISOVMAF_FN RunningTerm running_product(RunningSum a, RunningSum b) {
    const uint64_t left = magnitude_of_i64(a.units), right = magnitude_of_i64(b.units);
    if (left == uint64_t(0) || right == uint64_t(0))
        return running_term(running_number(uint64_t(0)));
    const int32_t left_shift = 63 - floor_log2(left), right_shift = 63 - floor_log2(right);
    const uint64_t left_whole = left << left_shift, right_whole = right << right_shift;
    uint64_t product = multiply_high(left_whole, right_whole) | uint64_t(left_whole * right_whole != uint64_t(0));
    const int32_t missing = product < F64_SIGN ? 1 : 0; // at least 2^62
    product <<= missing;
    const uint64_t rest = product & uint64_t(2047), whole = product >> 11;
    const uint64_t units = whole + uint64_t(rest + (whole & uint64_t(1)) > uint64_t(1024));
    const int32_t carry = int32_t(units >> 53);
    const int64_t sign = (a.units ^ b.units) >> 63; // no bit or all
    RunningSum number;
    number.units = (int64_t(units >> carry) ^ sign) - sign;
    number.exponent = a.exponent + b.exponent + 75 - left_shift - right_shift - missing + carry;
    return running_term(number);
}

// Terms that are added together, one after the other.
#define RUNNING_BATCH 4
#define RUNNING_ROOM 6 // bits below the largest exponent: so much of 63 bits is left by RUNNING_BATCH + 1 numbers of 53
struct RunningBatch {
    RunningTerm terms[RUNNING_BATCH];
};

// The highest bit of the upper 32 bits that differs from the sign; -1 if there is none.
#if defined(VULKAN)
ISOVMAF_FN int32_t running_highest(int64_t v) { return findMSB(int32_t(v >> 32)); }
#else
ISOVMAF_FN int32_t running_highest(int64_t v) {
    const uint32_t high = uint32_t(v >> 32) ^ uint32_t(v >> 63);
    return high == 0u ? -1 : floor_log2(high);
}
#endif

// All numbers of a batch are laid out below one exponent, with bit 0 for what lies below: how a term is laid out does
// not depend on the ones before it. The batch is added in the usual way where a sum comes so near to 0 that what lies
// below is half of its last bit, or more, and where the sum before is too small for the layout.
ISOVMAF_FN RunningSum running_add_batch(RunningSum sum, RunningBatch batch) {
    int32_t top = sum.exponent;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < RUNNING_BATCH; i++) {
        const int32_t exponent = batch.terms[i].place >> 6;
        top = top < exponent ? exponent : top;
    }
    const int32_t lower = top - sum.exponent;
    int64_t value = (sum.units << RUNNING_ROOM) >> (lower < 63 ? lower : 63);
    int32_t missing = 0;  // 1: a term had bits below
    int32_t dropped = 1;  // bits that are rounded off
    int32_t nearest = 31; // the highest bit of the sum that came nearest to 0
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < RUNNING_BATCH; i++) {
        const int32_t place = batch.terms[i].place, apart = top - (place >> 6);
        const int32_t shift = apart + RUNNING_SUM_GUARD - RUNNING_ROOM;
        const int32_t below = (place & (RUNNING_PLACES - 1)) + RUNNING_ROOM <= apart ? 1 : 0;
        const int64_t term = (batch.terms[i].wide >> (shift < 63 ? shift : 63) & int64_t(-2)) | int64_t(below);
        missing |= below;
        value += term;
        const int32_t highest = running_highest(value);
        nearest = highest < nearest ? highest : nearest;
        dropped = highest > 21 ? highest - 20 : 1; // 53 bits are kept
        const uint32_t unit = 1u << dropped, odd = uint32_t(value) >> dropped & 1u;
        value = (value + int64_t(uint64_t((unit >> 1) - 1u + odd))) & -int64_t(uint64_t(unit));
    }
    if ((lower < RUNNING_ROOM || sum.units == int64_t(0)) && (missing == 0 || nearest > 21)) {
        sum.units = value >> dropped;
        sum.exponent = value == int64_t(0) ? RUNNING_SUM_OF_ZERO : top - RUNNING_ROOM + dropped;
        return sum;
    }
    sum = running_number(running_bits(sum)); // which has no zeros in front
    for (int32_t i = 0; i < RUNNING_BATCH; i++) {
        RunningSum number;
        number.units = batch.terms[i].wide >> RUNNING_SUM_GUARD;
        number.exponent = batch.terms[i].place >> 6;
        sum = running_add(sum, number);
    }
    return sum;
}

#endif

// SPDX-License-Identifier: BSD-2-Clause-Patent
// A sum of f64 numbers, one after the other, in integers: with the bits of the CPU's doubles, each addition rounded
// once to nearest, ties to even. For shaders, which add faster so than with binary64.h, as the sum is not packed
// between two additions. Numbers are zero or normal, as in binary64.h.
#ifndef ISOVMAF_RUNNING_SUM_H
#define ISOVMAF_RUNNING_SUM_H

#include "portable/binary64.h"

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

#endif

// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of CAMBI: a block writes the word of a scale, the f64 sum of its largest c-values (cambi.md §7). Where no
// more values are above 0 than are wanted, that is the sum of all; else the smallest of the largest is found digit by
// digit of its bits. A sum that rounding could change flags the frame.
#include "features/cambi/cambi_params.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

// c-values are positive floats, whose bits are in their order: three digits of 31 bits.
ISOVMAF_CONSTANT int32_t digit_bits = 11;
ISOVMAF_CONSTANT int32_t bin_count = 1 << digit_bits;
ISOVMAF_CONSTANT int32_t run_count = 64; // bins are searched run by run
ISOVMAF_CONSTANT int32_t run_bins = bin_count / run_count;

ISOVMAF_SHARED(uint32_t, bins[bin_count]);
ISOVMAF_SHARED(uint32_t, runs[run_count]);
ISOVMAF_SHARED(uint32_t, found_digit);
ISOVMAF_SHARED(uint32_t, found_rest); // how many values with that digit are wanted
ISOVMAF_SHARED(uint32_t, lowest_bits);
ISOVMAF_BLOCK_ADD(CAMBI_POOLING_THREADS)

// Counts the digits, from bit `shift` on, of values that have the bits of `known` above the digit.
ISOVMAF_FN void count_digits(ConstU32 values, ISOVMAF_IN(CambiPoolingScale) s, uint32_t known, int32_t shift,
                             int32_t bits) {
    for (int32_t i = thread_x(); i < bin_count; i += CAMBI_POOLING_THREADS)
        bins[i] = 0u;
    barrier();
    for (int32_t i = thread_x(); i < s.pixels; i += CAMBI_POOLING_THREADS) {
        const uint32_t value = values.at[s.first_value + i];
        if (value != 0u && value >> (shift + bits) == known >> (shift + bits))
            shared_add(bins[value >> shift & ((1u << bits) - 1u)], 1u);
    }
    barrier();
    if (thread_x() < run_count) {
        uint32_t sum = 0u;
        for (int32_t i = 0; i < run_bins; i++)
            sum += bins[thread_x() * run_bins + i];
        runs[thread_x()] = sum;
    }
    barrier();
}

// The digit of the value at place `wanted`, which is there, from the largest one down.
ISOVMAF_FN void find_digit(uint32_t wanted) {
    uint32_t rest = wanted;
    int32_t run = run_count - 1;
    for (; runs[run] < rest; run--)
        rest -= runs[run];
    int32_t bin = run * run_bins + run_bins - 1;
    for (; bins[bin] < rest; bin--)
        rest -= bins[bin];
    found_digit = uint32_t(bin);
    found_rest = rest;
}

// The bits of the smallest of the largest values. Afterwards found_rest says how many like it are wanted.
ISOVMAF_FN uint32_t smallest_wanted(ConstU32 values, ISOVMAF_IN(CambiPoolingScale) s) {
    uint32_t known = 0u, rest = uint32_t(s.wanted);
    int32_t shift = 31;
    for (int32_t digit = 0; digit < 3; digit++) {
        const int32_t bits = digit == 0 ? digit_bits : digit_bits - 1;
        shift -= bits;
        count_digits(values, s, known, shift, bits);
        if (thread_x() == 0)
            find_digit(rest);
        barrier();
        known |= found_digit << shift;
        rest = found_rest;
    }
    return known;
}

ISOVMAF_FN void write_word(I64 words, ISOVMAF_IN(CambiPoolingTask) p, int64_t sum, uint32_t lowest) {
    if (cambi_is_exact(uint64_t(sum), lowest))
        words.at[p.word + group_x()] = int64_t(cambi_f64_of_units(uint64_t(sum)));
    else
        atomic_add(words, p.flag_word, int64_t(1));
}

// Sums up the largest values, where there are more above 0 than are wanted.
ISOVMAF_FN void sum_largest(ConstU32 values, I64 words, ISOVMAF_IN(CambiPoolingTask) p,
                            ISOVMAF_IN(CambiPoolingScale) s) {
    if (thread_x() == 0)
        lowest_bits = 0u;
    const uint32_t smallest = smallest_wanted(values, s);
    int64_t sum = int64_t(0);
    uint32_t lowest = 0u;
    for (int32_t i = thread_x(); i < s.pixels; i += CAMBI_POOLING_THREADS) {
        const uint32_t value = values.at[s.first_value + i];
        if (value > smallest) {
            sum += int64_t(cambi_units(value));
            lowest |= uint32_t(cambi_units(value));
        }
    }
    if (lowest != 0u)
        shared_or(lowest_bits, lowest);
    sum = block_sum(sum, thread_x());
    if (thread_x() == 0)
        write_word(words, p, sum + int64_t(found_rest) * int64_t(cambi_units(smallest)),
                   lowest_bits | uint32_t(cambi_units(smallest)));
}

ISOVMAF_FN void pool_scale(ConstU32 values, ConstI64 sums, ConstU32 lowest, I64 words, ISOVMAF_IN(CambiPoolingTask) p,
                           ISOVMAF_IN(CambiPoolingScale) s) {
    const int32_t total = p.total + group_x();
    const int64_t count = sums.at[CAMBI_TOTAL_SUMS * total + 1];
    if (!cambi_sum_fits(count)) {
        if (thread_x() == 0)
            atomic_add(words, p.flag_word, int64_t(1));
    } else if (count > int64_t(s.wanted)) {
        sum_largest(values, words, p, s);
    } else if (thread_x() == 0) {
        write_word(words, p, sums.at[CAMBI_TOTAL_SUMS * total], lowest.at[total]);
    }
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = CAMBI_POOLING_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstU32 values;
    ConstI64 sums;
    ConstU32 lowest;
    I64 words;
    ISOVMAF_TAPS_MEMBER
    CambiPoolingParams p;
}
arguments;
void main() {
    pool_scale(arguments.values, arguments.sums, arguments.lowest, arguments.words, arguments.p.task,
               arguments.p.scale[group_x()]);
}
#else
ISOVMAF_KERNEL(CAMBI_POOLING_THREADS)
ISOVMAF_KERNEL_NAME(const uint32_t *values, const int64_t *sums, const uint32_t *lowest, int64_t *words,
                    ISOVMAF_TAPS_PARAMETER CambiPoolingParams p) {
#if ISOVMAF_TAPS
    (void)taps; // the other kernels record all stages
#endif
    KERNEL_BODY::pool_scale({values}, {sums}, {lowest}, {words}, p.task, p.scale[group_x()]);
}
#endif

#undef KERNEL

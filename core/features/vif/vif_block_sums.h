// SPDX-License-Identifier: BSD-2-Clause-Patent
// How a block of VIF's kernels adds up the sums of its THREADS threads, and taps the moments of a pixel; part of a body
// (portable/body.h). `memory` has room for the sums at sums_place, and for parts of them at parts_place.

// Adds the block's sums; those without num_log when `first_limit` is 0.
ISOVMAF_FN void add_sums(const int32_t own[thread_sums], I64 sums, ISOVMAF_IN(VifParams) p, int32_t thread,
                         int32_t first_limit) {
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < thread_sums; i++)
        memory[sums_place + i * THREADS + thread] = uint32_t(own[i]);
    barrier();
    if (thread < thread_sums * VIF_PARTS) {
        const int32_t sum = thread / VIF_PARTS, part = thread % VIF_PARTS;
        uint32_t total = 0;
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < THREADS; i += VIF_PARTS)
            total += memory[sums_place + sum * THREADS + part + i];
        memory[parts_place + part * thread_sums + sum] = total;
    }
    barrier();
    const int32_t limit = thread - num_log_sums + first_limit;
    const bool of_limits = thread >= num_log_sums && thread < num_non_upper_sum;
    if (thread >= thread_sums || (of_limits ? limit >= p.limit_count : first_limit > 0))
        return;
    int32_t total = 0;
    for (int32_t part = 0; part < VIF_PARTS; part++)
        total += int32_t(memory[parts_place + part * thread_sums + thread]);
    const int32_t sum = of_limits               ? p.num_log_sums + limit
                        : thread == den_log_sum ? p.den_log_sum
                        : thread == den_non_sum ? p.den_non_sum
                                                : p.num_non_sum;
    if (total != 0)
        atomic_add(sums, sum, int64_t(total) << (thread == num_non_upper_sum ? 16 : 0));
}

ISOVMAF_FN void put_moments(VifMoments m, ISOVMAF_IN(VifParams) p, int32_t x, int32_t y, KernelTaps taps) {
    tap_put(taps, p.reference_variance_stage, x, y, m.sigma1_sq);
    tap_put(taps, p.distorted_variance_stage, x, y, m.sigma2_sq);
    tap_put(taps, p.covariance_stage, x, y, m.sigma12);
}

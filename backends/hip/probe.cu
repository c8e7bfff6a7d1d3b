// SPDX-License-Identifier: BSD-2-Clause-Patent
// Meson compiles this kernel while it configures, to find the architectures that a compiler can build the other kernels
// for. It has every function whose instruction not all architectures have: the compiler's own functions, and those in
// assembly, which it checks at the end alone.
#include "portable/products.h"
#include "portable/reduce.h"

ISOVMAF_KERNEL(64)
probe(int64_t *sum, uint32_t *words, uint32_t constant) {
    ISOVMAF_SHARED(int64_t, slots[ISOVMAF_REDUCE_SLOTS(64)]);
    block_add<64>(sum, group_x(), thread_x(), slots);

    const uint32_t i = thread_x(), a = load_element(words, i), b = load_element(words, i + 64);
    words[i] = dot2(a, constant, multiply_lower(a, constant, 0x8000u)); // a sum that is known while compiling
    words[i + 64] = multiply_upper(a, constant, multiply_halves(a, b));
    words[i + 128] = uint32_t(dot2_signed(a, constant, multiply_add_24(int32_t(a >> 9), int32_t(constant >> 9), 1)));
    words[i + 192] = shift_right_32(multiply_add_wide(a, b, uint64_t(constant)), 5);
    words[i + 256] = pair_of_bytes(a, b, 1) + middle_halves(a, b);
#if ISOVMAF_SLOW_F64
    words[i + 320] = __builtin_bit_cast(uint32_t, estimated_reciprocal(__builtin_bit_cast(float, a)));
#endif
    keep_order();
}

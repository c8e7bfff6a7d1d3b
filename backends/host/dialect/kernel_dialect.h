// SPDX-License-Identifier: BSD-2-Clause-Patent
// The dialect of portable/kernel.h on the CPU. Each thread of a block is a fiber, which runs until it waits for the
// others at a barrier or a shuffle. A block runs on one thread of the operating system, which holds the block's shared
// memory.
#ifndef ISOVMAF_KERNEL_DIALECT_H
#define ISOVMAF_KERNEL_DIALECT_H

#include <cstdint>

#define ISOVMAF_KERNEL(threads) extern "C" void
#define ISOVMAF_KERNEL_RESIDENT(threads, blocks) ISOVMAF_KERNEL(threads)
#define ISOVMAF_SHARED(type, declarator) static thread_local type declarator
#define ISOVMAF_NO_UNROLL
#define ISOVMAF_UNROLL_BY(times)

// These do not change while a kernel's thread runs, so the compiler may ask once.
[[gnu::const]] int32_t thread_x();
[[gnu::const]] int32_t thread_y();
[[gnu::const]] int32_t group_x();
[[gnu::const]] int32_t group_y();
[[gnu::const]] int32_t group_z();
[[gnu::const]] int32_t wave_width();

void barrier();
uint32_t shuffle_down(uint32_t v, int32_t offset);

template <class T>
static inline T load_element(const T *from, uint32_t i) {
    return from[i];
}

#define ISOVMAF_SLOW_F64 0
#define ISOVMAF_PAIRS 1
static inline uint32_t dot2(uint32_t a, uint32_t b, uint32_t c) {
    return (a & 0xffff) * (b & 0xffff) + (a >> 16) * (b >> 16) + c;
}
static inline uint32_t multiply_lower(uint32_t a, uint32_t b, uint32_t c) { return (a & 0xffff) * b + c; }
static inline uint32_t multiply_upper(uint32_t a, uint32_t b, uint32_t c) { return (a >> 16) * (b >> 16) + c; }
static inline uint32_t multiply_halves(uint32_t a, uint32_t b) {
    return ((a & 0xffff) * (b & 0xffff) & 0xffff) | (a >> 16) * (b >> 16) << 16;
}
static inline int64_t uniform(int64_t v) { return v; }
static inline void keep_order() {}
using SharedHalf [[gnu::may_alias]] = uint16_t;
using SharedPair [[gnu::may_alias]] = uint64_t;

#define ISOVMAF_MADE_TABLE(type, name, made) static constexpr type name = made
static inline uint32_t pick_bytes(uint32_t a, uint32_t b, uint32_t places) {
    const uint64_t both = uint64_t(b) << 32 | a;
    uint32_t picked = 0;
    for (uint32_t i = 0; i < 32; i += 8)
        picked |= (uint32_t(both >> (places >> (i / 2) & 7) * 8) & 0xff) << i;
    return picked;
}
void multiply_bytes(int32_t (&sums)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]);
static inline double divide(double a, double b) { return a / b; }
static inline double whole_part_above(double v) { return __builtin_trunc(v) + 0x1p52; }

template <class T>
static inline T *uniform_pointer(T *p) {
    return p;
}

template <class T>
static inline void store_whole(T *to, const T &v) {
    *to = v;
}

static inline void atomic_add(int64_t *sum, int64_t v) {
    __atomic_fetch_add(reinterpret_cast<uint64_t *>(sum), static_cast<uint64_t>(v), __ATOMIC_RELAXED);
}

static inline void atomic_or(uint32_t *word, uint32_t v) { __atomic_fetch_or(word, v, __ATOMIC_RELAXED); }

static inline void shared_add(uint32_t &word, uint32_t v) { __atomic_fetch_add(&word, v, __ATOMIC_RELAXED); }
static inline void shared_or(uint32_t &word, uint32_t v) { __atomic_fetch_or(&word, v, __ATOMIC_RELAXED); }
static inline void shared_min(uint32_t &word, uint32_t v) {
    uint32_t least = __atomic_load_n(&word, __ATOMIC_RELAXED);
    while (v < least && !__atomic_compare_exchange_n(&word, &least, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

#endif

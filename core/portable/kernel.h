// SPDX-License-Identifier: BSD-2-Clause-Patent
// The dialect of `<feature>.cu`: kernels written once and compiled for AMD GPUs, for NVIDIA GPUs and, as the host
// stand-in, for the CPU. On top of portable.h there are threads in blocks, memory that a block shares, barriers,
// shuffles within a wave and atomic sums. Nothing here has a result that depends on the wave width.
//
//     struct BlurParams { int32_t width, height; };
//     ISOVMAF_KERNEL(256) blur(const uint8_t *in, uint8_t *out, BlurParams params) {
//         ISOVMAF_SHARED(uint8_t, tile[256]);
//         ...
//     }
//
// A kernel's parameters are pointers and then at most one structure without pointers (isovmaf_dispatch in backend.h).
// A block has a multiple of 64 threads, at most 1024, and uses at most 32 KiB of shared memory. All threads of a block
// reach every barrier and all lanes of a wave every shuffle.
#ifndef ISOVMAF_KERNEL_H
#define ISOVMAF_KERNEL_H

#include "portable/portable.h"

// What only the compiler for a device can say comes from that device's backend, whose build has a `kernel_dialect.h` on
// the include path of the kernels. It declares
//
//     ISOVMAF_KERNEL(threads)              in front of a kernel's name; a block has that many threads
//     ISOVMAF_KERNEL_RESIDENT(threads, blocks)
//                                          the same; compiled so that a processor can hold that many blocks at a time,
//                                          or as many as the compiler chooses if that is 0
//     ISOVMAF_SHARED(type, declarator)     a variable that the threads of a block share
//     ISOVMAF_NO_UNROLL                    in front of a loop that is not written out
//     int32_t thread_x(), thread_y()       place of the thread in its block
//     int32_t group_x(), _y(), _z()        place of the block
//     int32_t wave_width()                 lanes of a wave: 32 or 64
//     void barrier()                       the block's threads wait for each other and see each other's writes
//     uint32_t shuffle_down(uint32_t v, int32_t offset)
//                                          v of the lane `offset` further on; unspecified beyond the wave's last lane
//     T *uniform_pointer(T *p)             p, which is the same for all lanes of a wave: a compiler that could lose
//                                          sight of that keeps it apart from what is added to it
//     void store_whole(T *to, const T &v)  *to = v for a vector (vectors.h), in one store
//     T load_element(const T *from, uint32_t i)
//                                          from[i] of global memory, at most 4 GiB on, where `from` is the same in all
//                                          lanes of a wave
//     void atomic_add(int64_t *sum, int64_t v)
//                                          *sum += v, in one step for all threads of the device; wraps around
//     void atomic_or(uint32_t *word, uint32_t v)
//                                          *word |= v, the same
//     void shared_add(uint32_t &word, uint32_t v), shared_min(...), shared_or(...)
//                                          word += v, word = the smaller one, word |= v for a word of shared memory, in
//                                          one step for all threads of the block; a sum wraps around
//
// A variable of shared memory may be an array of bytes or of 16-bit numbers: each of them belongs to the thread that
// writes it, whoever writes its neighbours.
//
// and ISOVMAF_SLOW_F64: whether f64 is missing or takes many times as long as integers. Only then there is
//
//     float estimated_reciprocal(float v)  1 / v, at most 2.5 units in the last place off
//
// and ISOVMAF_PAIRS: whether kernels should compute on pairs of 16-bit numbers, the halves of words, which is so on AMD
// GPUs. Only then there are
//
//     uint32_t dot2(uint32_t a, uint32_t b, uint32_t c)
//                                          the products of the lower and of the upper halves of a and b, plus c; the
//                                          sum wraps around; b is the same in all lanes of a wave
//     uint32_t multiply_lower(uint32_t a, uint32_t b, uint32_t c), multiply_upper(...)
//                                          the same where the upper, or the lower, half of b is 0
//     uint32_t multiply_halves(uint32_t a, uint32_t b)
//                                          the lower 16 bits of both products
//     int64_t uniform(int64_t v)           v, which is the same in all lanes of a wave: computed once for all of them
//     void keep_order()                    the compiler moves no instruction from before it behind it, nor forward
//     SharedHalf, SharedPair               16 and 64 bits of shared memory that is declared as words
//
// Kernels for devices that multiply matrices have `_matrix` in their names (backend.h) and stand in files that only
// the backends of such devices compile; at present these are NVIDIA's. A block of theirs uses at most
// 48 KiB of shared memory. For them there are
//
//     void multiply_bytes(int32_t (&sums)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
//                                          32 neighbouring lanes multiply a matrix of 16 rows and 32 columns by one of
//                                          32 rows and 8 columns, both of bytes, and add the 16 rows and 8 columns of
//                                          sums. A lane has of the first matrix rows lane / 4 (a[0], a[2]) and 8 more
//                                          (a[1], a[3]), columns lane % 4 * 4 (a[0], a[1]) and 16 more (a[2], a[3]) and
//                                          the three that follow, the first in the lowest byte; of the second matrix
//                                          rows lane % 4 * 4 (b[0]) and 16 more (b[1]) and the three that follow, of
//                                          column lane / 4; of the sums rows lane / 4 (sums[0], sums[1]) and 8 more
//                                          (sums[2], sums[3]), columns lane % 4 * 2 and one more
//     uint32_t pick_bytes(uint32_t a, uint32_t b, uint32_t places)
//                                          bytes, the lowest first, of a (places 0 to 3) and b (4 to 7), which the
//                                          lower four digits of 4 bits name, the lowest first
//     double divide(double a, double b)    a / b, rounded to the nearest, for 0 <= a < 2^32 and 2^16 < b < 2^33
//     double whole_part_above(double v)    2^52 plus v, 0 <= v < 2^52, without the part behind the point
//     ISOVMAF_MADE_TABLE(type, name, made) a constant that the expression `made` gives
//     ISOVMAF_UNROLL_BY(times)             in front of a loop whose body is written out so many times
//     SharedHalf                           as above
#define MATRIX_LANES 32
#include "kernel_dialect.h"

ISOVMAF_FN int32_t shuffle_down(int32_t v, int32_t offset) { return int32_t(shuffle_down(uint32_t(v), offset)); }
ISOVMAF_FN uint64_t shuffle_down(uint64_t v, int32_t offset) {
    return shuffle_down(uint32_t(v), offset) | uint64_t(shuffle_down(uint32_t(v >> 32), offset)) << 32;
}
ISOVMAF_FN int64_t shuffle_down(int64_t v, int32_t offset) { return int64_t(shuffle_down(uint64_t(v), offset)); }

#endif

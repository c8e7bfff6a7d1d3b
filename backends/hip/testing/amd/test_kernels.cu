// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels for the tests of the executor. Those that break a rule are named after it.
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using uint32_t = unsigned;
using uint64_t = unsigned long;

#define KERNEL(threads) extern "C" __attribute__((global, amdgpu_flat_work_group_size(threads, threads))) void
#define SHARED __attribute__((shared))
#define DEVICE __attribute__((device))

DEVICE uint32_t thread_x() { return __builtin_amdgcn_workitem_id_x(); }
DEVICE uint32_t thread_y() { return __builtin_amdgcn_workitem_id_y(); }
DEVICE uint32_t thread_z() { return __builtin_amdgcn_workitem_id_z(); }
DEVICE uint32_t group_x() { return __builtin_amdgcn_workgroup_id_x(); }
DEVICE uint32_t group_y() { return __builtin_amdgcn_workgroup_id_y(); }
DEVICE uint32_t group_z() { return __builtin_amdgcn_workgroup_id_z(); }
DEVICE void barrier() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

#if defined(__GFX12__)
#define WAIT_FOR_LOADS "s_wait_loadcnt 0\n"
#define WAIT_FOR_ALL_BUT_ONE "s_wait_loadcnt 1\n"
#define WAIT_FOR_SCALARS "s_wait_kmcnt 0\n"
#define WAIT_FOR_LOCAL "s_wait_dscnt 0\n"
#define BARRIER "s_barrier_signal -1\ns_barrier_wait -1\n"
#else
#define WAIT_FOR_LOADS "s_waitcnt vmcnt(0)\n"
#define WAIT_FOR_ALL_BUT_ONE "s_waitcnt vmcnt(1)\n"
#define WAIT_FOR_SCALARS "s_waitcnt lgkmcnt(0)\n"
#define WAIT_FOR_LOCAL "s_waitcnt lgkmcnt(0)\n"
#define BARRIER "s_barrier\n"
#endif

struct Words {
    uint32_t added, limit;
};

/// Groups of 5x3x2 threads in a grid of 3x2x2 groups.
KERNEL(30) places(uint32_t *out) {
    const uint32_t group = (group_z() * 2 + group_y()) * 3 + group_x();
    const uint32_t thread = (thread_z() * 3 + thread_y()) * 5 + thread_x();
    out[group * 30 + thread] = thread_x() | thread_y() << 4 | thread_z() << 8 | group_x() << 12 | group_y() << 16 |
                               group_z() << 20;
}

/// Steps of Collatz's sequence, of which each lane needs another number.
KERNEL(256) diverges(uint32_t *out, Words words) {
    uint32_t number = thread_x() + words.added, steps = 0;
    while (number != 1) {
        number = number % 2 ? 3 * number + 1 : number / 2;
        steps++;
    }
    if (thread_x() < words.limit)
        out[thread_x()] = steps;
}

/// Reverses a group's words, through LDS and through permutes of a wave.
KERNEL(256) reverses(const uint32_t *in, uint32_t *out) {
    SHARED uint32_t row[256];
    const uint32_t i = thread_x(), lanes = __builtin_amdgcn_wavefrontsize(), lane = i % lanes;
    row[i] = in[group_x() * 256 + i];
    barrier();
    const uint32_t wave = i / lanes, last = 256 / lanes - 1;
    const uint32_t mine = row[(last - wave) * lanes + lane];
    out[group_x() * 256 + i] = uint32_t(__builtin_amdgcn_ds_bpermute(int((lanes - 1 - lane) * 4), int(mine)));
}

KERNEL(64) sums(const uint32_t *in, uint64_t *sum) {
    __hip_atomic_fetch_add(sum, uint64_t(in[group_x() * 64 + thread_x()]) << 20, __ATOMIC_RELAXED,
                           __HIP_MEMORY_SCOPE_AGENT);
}

/// Each lane reads and writes numbers of every size.
KERNEL(64) sizes(const uint8_t *in, uint8_t *out) {
    const uint32_t i = thread_x();
    out[i] = in[i];
    ((uint16_t *)(out + 64))[i] = ((const uint16_t *)in)[i];
    ((uint32_t *)(out + 192))[i] = uint32_t(((const int16_t *)in)[i]);
    ((uint64_t *)(out + 448))[i] = ((const uint64_t *)in)[i] * 3;
}

/// Reverses the lower halves of words and keeps the upper ones, in LDS.
KERNEL(64) halves_in_local(const uint32_t *in, uint32_t *out) {
    using Half __attribute__((may_alias)) = uint16_t;
    SHARED uint32_t words[64];
    Half *const halves = (Half *)words;
    const uint32_t i = thread_x(), word = in[i];
    halves[126 - 2 * i] = uint16_t(word);
    halves[2 * i + 1] = uint16_t(word >> 16);
    barrier();
    out[i] = words[i];
}

/// Loads of each word of LDS the upper half into the lower half of a register, and then the lowest byte into the upper.
/// Before gfx11 with other instructions.
KERNEL(64) halves_from_local(const uint32_t *in, uint32_t *out) {
    SHARED uint32_t words[64];
    const uint32_t i = thread_x();
    words[63 - i] = in[i];
    barrier();
#if defined(__GFX11__) || defined(__GFX12__)
    const auto place = uint32_t(uint64_t((__attribute__((address_space(3))) uint32_t *)(words + i)));
    uint32_t loaded = ~0u;
    asm("ds_load_u16_d16 %0, %1 offset:2\nds_load_u8_d16_hi %0, %1\n" WAIT_FOR_LOCAL
        : "+&v"(loaded)
        : "v"(place)
        : "memory");
    out[i] = loaded;
#else
    out[i] = words[i] >> 16 | (words[i] & 0xff) << 16;
#endif
}

/// The instruction chooses halves of its first two sources.
KERNEL(64) products_of_halves(const uint32_t *in, uint32_t *out) {
    const uint32_t i = thread_x(), word = in[i];
    asm("v_mad_u32_u16 %0, %1, %1, %2" : "=v"(out[4 * i]) : "v"(word), "v"(i));
    asm("v_mad_u32_u16 %0, %1, %1, %2 op_sel:[1,0,0,0]" : "=v"(out[4 * i + 1]) : "v"(word), "v"(i));
    asm("v_mad_u32_u16 %0, %1, %1, %2 op_sel:[0,1,0,0]" : "=v"(out[4 * i + 2]) : "v"(word), "v"(i));
    asm("v_mad_u32_u16 %0, %1, %1, %2 op_sel:[1,1,0,0]" : "=v"(out[4 * i + 3]) : "v"(word), "v"(i));
}

/// Words of LDS that all threads change, and bytes and 16-bit numbers of LDS. Group by group out[0] gets one bit more.
KERNEL(128) changes_shared(uint32_t *out) {
    SHARED uint32_t words[3];
    SHARED uint8_t bytes[128];
    SHARED uint16_t halves[128];
    const uint32_t thread = thread_x();
    if (thread < 3)
        words[thread] = thread == 1 ? ~0u : 0u;
    bytes[thread] = uint8_t(3 * thread);
    halves[thread] = uint16_t(1000 * thread);
    barrier();
    __hip_atomic_fetch_add(&words[0], thread, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    __hip_atomic_fetch_min(&words[1], 500 - thread, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    __hip_atomic_fetch_or(&words[2], 1u << thread % 29, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    if (thread == 0)
        __hip_atomic_fetch_or(out, 1u << group_x(), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    barrier();
    if (group_x() == 0 && thread < 3)
        out[1 + thread] = words[thread];
    if (group_x() == 0 && thread == 0) {
        out[4] = bytes[100] << 16 | bytes[101];
        out[5] = halves[100] << 16 | halves[101];
        out[8] = uint32_t(int16_t(halves[102]));
    }
}

KERNEL(64) writes_outside(uint32_t *out, Words words) { out[thread_x() + words.added] = 1; }
KERNEL(64) reads_outside(uint32_t *out, Words words) { out[thread_x()] = out[thread_x() + words.added]; }
KERNEL(64) adds_unaligned(uint32_t *out) {
    if (thread_x() == 0)
        __hip_atomic_fetch_add((uint64_t *)(out + 1), 1ul, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
KERNEL(64) is_unknown(uint32_t *out) {
    asm volatile("s_sethalt 1");
    out[thread_x()] = 1;
}

/// The rest is for strict execution: `unwritten` is memory that nobody wrote.
KERNEL(64) groups_write_one_word(uint32_t *out) { out[thread_x()] = 1; }
KERNEL(64) groups_read_and_write(uint32_t *out) {
    if (group_x() == 0)
        out[thread_x()] = 1;
    else
        out[64 + thread_x()] = out[thread_x() ^ 32];
}
KERNEL(64) adds_and_reads(uint64_t *out) {
    if (group_x() == 0)
        __hip_atomic_fetch_add(out, 1ul, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    else if (thread_x() == 0)
        out[1] = out[0];
}
KERNEL(64) groups_write_their_own(uint32_t *out) { out[group_x() * 64 + thread_x()] = 1; }

/// With `limit` 0, waves read the words of other waves without a barrier.
KERNEL(256) misses_a_barrier(uint32_t *out, Words words) {
    SHARED uint32_t row[256];
    row[thread_x()] = 0;
    barrier();
    row[thread_x()] = thread_x();
    if (words.limit)
        barrier();
    asm volatile("" ::: "memory");
    out[thread_x()] = row[thread_x() ^ words.added];
}

KERNEL(64) stores_unwritten(uint32_t *out, const uint32_t *unwritten) { out[thread_x()] = unwritten[thread_x()] + 1; }
KERNEL(64) stores_unwritten_local(uint32_t *out) {
    SHARED uint32_t row[64];
    if (thread_x() < 32)
        row[thread_x()] = 1;
    asm volatile("" ::: "memory");
    out[thread_x()] = row[thread_x()];
}
KERNEL(64) adds_unwritten(uint64_t *out, const uint64_t *unwritten) {
    __hip_atomic_fetch_add(out + thread_x() % 2, unwritten[thread_x()], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
KERNEL(64) addresses_by_unwritten(uint32_t *out, const uint32_t *unwritten) { out[unwritten[thread_x()] % 64] = 1; }
KERNEL(64) selects_lanes_by_unwritten(uint32_t *out, const uint32_t *unwritten) {
    if (unwritten[thread_x()] > 5)
        out[thread_x()] = 1;
}
KERNEL(64) branches_on_unwritten(uint32_t *out, const uint32_t *unwritten) {
    if (unwritten[group_x()] > 5)
        for (uint32_t i = 0; i < unwritten[group_x() + 1]; i++)
            out[thread_x()] = i;
}

/// What nobody wrote has no effect here: it is shifted or masked away, or not chosen.
KERNEL(64) discards_unwritten(uint32_t *out, const uint32_t *unwritten) {
    const uint32_t nothing = unwritten[thread_x()];
    uint32_t chosen;
    asm volatile("" : "=v"(chosen) : "0"(thread_x() < 64 ? thread_x() : nothing));
    out[thread_x()] = chosen + (nothing & 0) + uint32_t(uint64_t(nothing << 8 & 0xff)) + ((nothing | ~15u) >> 4);
}

KERNEL(64) uses_before_waiting(uint32_t *out, const uint32_t *in) {
    uint32_t loaded, copied;
    asm volatile("global_load_dword %0, %2, off\nv_mov_b32 %1, %0\n" WAIT_FOR_LOADS
                 : "=&v"(loaded), "=v"(copied)
                 : "v"(in + thread_x()));
    out[thread_x()] = loaded + copied;
}
KERNEL(64) uses_scalars_before_waiting(uint32_t *out, const uint32_t *in) {
    uint32_t loaded, copied;
    asm volatile("s_load_dword %0, %2, 0x0\ns_mov_b32 %1, %0\n" WAIT_FOR_SCALARS
                 : "=&s"(loaded), "=s"(copied)
                 : "s"(in));
    out[thread_x()] = loaded + copied;
}
/// Two loads, a wait for the first of them, and a use of either.
#define TWO_LOADS(used)                                                                                                \
    uint32_t first, second, copied;                                                                                    \
    asm volatile("global_load_dword %0, %3, off\nglobal_load_dword %1, %3, off offset:4\n" WAIT_FOR_ALL_BUT_ONE        \
                 "v_mov_b32 %2, " used "\n" WAIT_FOR_LOADS                                                             \
                 : "=&v"(first), "=&v"(second), "=&v"(copied)                                                          \
                 : "v"(in + thread_x() % 32));                                                                         \
    out[thread_x()] = first + second + copied
KERNEL(64) uses_the_first_load(uint32_t *out, const uint32_t *in) { TWO_LOADS("%0"); }
KERNEL(64) uses_the_second_load(uint32_t *out, const uint32_t *in) { TWO_LOADS("%1"); }
KERNEL(64) meets_before_waiting(uint32_t *out) {
    SHARED uint32_t row[64];
    row[thread_x()] = 0;
    asm volatile("ds_write_b32 %0, %1\n" BARRIER WAIT_FOR_LOCAL : : "v"(thread_x() * 4), "v"(thread_x()) : "memory");
    out[thread_x()] = row[thread_x()];
}

/// The rest is for counters. Each lane writes a place of LDS and reads it, so many places behind that of the lane before.
template <class Place>
DEVICE void stride_in_local(Place *row, Place *out, Words stride) {
    const uint32_t place = thread_x() * stride.added;
    row[place] = thread_x();
    barrier();
    out[thread_x()] = row[place];
}
KERNEL(64) strides_in_local(uint32_t *out, Words stride) {
    SHARED uint32_t row[64 * 32];
    stride_in_local(row, out, stride);
}
KERNEL(64) strides_in_local_pairs(uint64_t *out, Words stride) {
    SHARED uint64_t row[64 * 16];
    stride_in_local(row, out, stride);
}
/// Pairs of words in LDS, so many bytes behind places that are aligned.
KERNEL(64) offsets_in_local_pairs(uint64_t *out, Words offset) {
    SHARED uint64_t row[65];
    row[thread_x()] = 0;
    barrier();
    uint64_t pair = thread_x();
    const uint32_t address = thread_x() * 8 + offset.added;
    asm volatile("ds_write_b64 %1, %0\n" WAIT_FOR_LOCAL "ds_read_b64 %0, %1\n" WAIT_FOR_LOCAL
                 : "+v"(pair)
                 : "v"(address)
                 : "memory");
    out[thread_x()] = pair + row[thread_x()] % 2;
}
KERNEL(64) strides_in_global(uint32_t *out, const uint32_t *in, Words stride) {
    if (thread_x() < stride.limit)
        out[thread_x()] = in[thread_x() * stride.added];
}
/// Known numbers of instructions that no other part of the kernel has.
KERNEL(64) has_each_class(uint32_t *out) {
    uint32_t word = thread_x(), other;
    double wide;
    asm volatile("v_mul_lo_u32 %0, %0, %0\nv_mul_hi_u32 %0, %0, %0\nv_mul_hi_u32_u24 %0, %0, %0\n"
                 "v_rcp_f32 %1, %0\nv_sqrt_f32 %1, %1\nv_exp_f32 %1, %1\n"
                 "v_cvt_f64_u32 %2, %0\nv_add_f64 %2, %2, %2\nv_rcp_f64 %2, %2\nv_lshrrev_b64 %2, 1, %2\n"
                 "s_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\n"
                 : "+v"(word), "=&v"(other), "=&v"(wide));
#if defined(__GFX11__) || defined(__GFX12__)
    asm volatile("v_dual_mov_b32 v20, 1.0 :: v_dual_mov_b32 v21, 2.0\n" : : : "v20", "v21");
#endif
    out[thread_x()] = word + other + uint32_t(__builtin_bit_cast(uint64_t, wide));
}

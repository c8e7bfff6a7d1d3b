// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// What vector files share. A vector file NAME_vectors.cpp is compiled once for each level (core/simd/meson.build), with
// ISOVMAF_LEVEL set to the level's name and ISOVMAF_HWY_TARGET to Highway's name of its instruction set. It includes
// this file, opens HWY_BEFORE_NAMESPACE() and has everything in an unnamed namespace but one table of functions.
// Nothing else may be called from outside, and no inline function of another header may end up as a symbol of the
// object: the linker could take that copy for callers on older processors. A test looks for such symbols.
#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 warns of vectors that its own headers leave undefined on purpose (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <hwy/detect_targets.h>
#undef HWY_TARGET
#define HWY_TARGET ISOVMAF_HWY_TARGET
#include <hwy/highway.h>

#define ISOVMAF_JOIN_NAMES(name, level) name##_##level
#define ISOVMAF_JOIN(name, level) ISOVMAF_JOIN_NAMES(name, level)

/// The name of this level's table: psnr_functions_avx2.
#define ISOVMAF_AT_LEVEL(name) ISOVMAF_JOIN(name, ISOVMAF_LEVEL)

namespace isovmaf {

namespace {

namespace hn = hwy::HWY_NAMESPACE;

using DI16 = hn::ScalableTag<std::int16_t>;
using DU16 = hn::ScalableTag<std::uint16_t>;
using DI32 = hn::ScalableTag<std::int32_t>;
using DU32 = hn::ScalableTag<std::uint32_t>;
using DI64 = hn::ScalableTag<std::int64_t>;
using DU64 = hn::ScalableTag<std::uint64_t>;
using DF32 = hn::ScalableTag<float>;
using DF64 = hn::ScalableTag<double>;
using DHalf = hn::Rebind<float, DF64>; ///< as many f32 as a vector has f64
#if HWY_TARGET == HWY_SVE_256
// The compiler knows the length of these vectors, so that they may be members and elements of arrays.
#define ISOVMAF_SIZED __attribute__((arm_sve_vector_bits(256)))
#else
#define ISOVMAF_SIZED
#endif
typedef hn::Vec<DI16> VI16 ISOVMAF_SIZED;
typedef hn::Vec<DU16> VU16 ISOVMAF_SIZED;
typedef hn::Vec<DI32> VI32 ISOVMAF_SIZED;
typedef hn::Vec<DU32> VU32 ISOVMAF_SIZED;
typedef hn::Vec<DI64> VI64 ISOVMAF_SIZED;
typedef hn::Vec<DU64> VU64 ISOVMAF_SIZED;
typedef hn::Vec<DF32> VF32 ISOVMAF_SIZED;
typedef hn::Vec<DF64> VF64 ISOVMAF_SIZED;
typedef hn::Vec<DHalf> VHalf ISOVMAF_SIZED;

} // namespace

} // namespace isovmaf

#if HWY_TARGET == HWY_SVE_256
// Lets the functions of Highway 1.0.3 take vectors whose length the compiler knows. Those convert to Highway's own
// types. But a template does not find the tag of a sized type, deduces no type from one vector of each kind, and calls
// other templates with one of each: for that there are overloads that are no templates.
HWY_BEFORE_NAMESPACE();

namespace hwy::HWY_NAMESPACE {

#define ISOVMAF_OVERLOAD(result, function, name)                                                                       \
    HWY_API result function(isovmaf::V##name a, isovmaf::V##name b) { return function<Vec<isovmaf::D##name>>(a, b); }
#define ISOVMAF_BINARY(function, name) ISOVMAF_OVERLOAD(Vec<isovmaf::D##name>, function, name)
#define ISOVMAF_SIZED_TYPE(name)                                                                                       \
    template <>                                                                                                        \
    struct DFromV_t<isovmaf::V##name> {                                                                                \
        using type = isovmaf::D##name;                                                                                 \
    };                                                                                                                 \
    ISOVMAF_BINARY(OddEven, name)                                                                                      \
    ISOVMAF_BINARY(InterleaveLower, name)                                                                              \
    ISOVMAF_OVERLOAD(svbool_t, Gt, name)                                                                               \
    HWY_API Vec<isovmaf::D##name> IfThenElseZero(svbool_t mask, Vec<isovmaf::D##name> yes) {                           \
        return IfThenElseZero<Vec<isovmaf::D##name>>(mask, yes);                                                       \
    }

ISOVMAF_SIZED_TYPE(I16)
ISOVMAF_SIZED_TYPE(U16)
ISOVMAF_SIZED_TYPE(I32)
ISOVMAF_SIZED_TYPE(U32)
ISOVMAF_SIZED_TYPE(I64)
ISOVMAF_SIZED_TYPE(U64)
ISOVMAF_SIZED_TYPE(F32)
ISOVMAF_SIZED_TYPE(F64)
ISOVMAF_BINARY(AverageRound, U16)
ISOVMAF_BINARY(Xor, F64)
ISOVMAF_BINARY(CopySign, F64)

#undef ISOVMAF_SIZED_TYPE
#undef ISOVMAF_BINARY
#undef ISOVMAF_OVERLOAD

} // namespace hwy::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();
#endif

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

[[maybe_unused]] constexpr DI16 di16;
[[maybe_unused]] constexpr DU16 du16;
[[maybe_unused]] constexpr DI32 di32;
[[maybe_unused]] constexpr DU32 du32;
[[maybe_unused]] constexpr DI64 di64;
[[maybe_unused]] constexpr DU64 du64;
[[maybe_unused]] constexpr DF32 df32;
[[maybe_unused]] constexpr DF64 df64;
[[maybe_unused]] constexpr DHalf dhalf;

/// 32-bit lanes of a vector.
[[maybe_unused]] constexpr int lanes_32 = HWY_MAX_BYTES / 4;
/// 16-bit lanes.
[[maybe_unused]] constexpr int lanes_16 = 2 * lanes_32;
/// 64-bit lanes.
[[maybe_unused]] constexpr int lanes_64 = lanes_32 / 2;

/// sum + a[2 i] * b[2 i] + a[2 i + 1] * b[2 i + 1] in each 32-bit lane i; wraps.
HWY_INLINE VI32 dot(VI32 sum, VI16 a, VI16 b) {
#if HWY_TARGET == HWY_AVX3
    // Highway 1.0.3 multiplies and adds in two instructions. As assembly, since its target does not have VNNI.
#if HWY_COMPILER_CLANG // which would store each operand that may be in memory, and load it from there
    asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
#else
    asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "vm"(b.raw));
#endif
    return sum;
#elif HWY_ARCH_X86
    VI32 unused = hn::Zero(di32); // stays zero on x86, where neighbouring lanes make a pair
    sum = hn::ReorderWidenMulAccumulate(di32, a, b, sum, unused);
#if HWY_COMPILER_GCC_ACTUAL // which would otherwise make the products of a long sum first and keep them on the stack
    asm("" : "+v"(sum.raw));
#endif
    return sum;
#else
    const auto even = [](VI16 v) HWY_ATTR { return hn::ShiftRight<16>(hn::ShiftLeft<16>(hn::BitCast(di32, v))); };
    const auto odd = [](VI16 v) HWY_ATTR { return hn::ShiftRight<16>(hn::BitCast(di32, v)); };
    return hn::Add(sum, hn::Add(hn::Mul(even(a), even(b)), hn::Mul(odd(a), odd(b))));
#endif
}

/// v. What is computed of the result stays behind the branch that it stands in: clang would take it out of loops, and
/// compute it where the branch is not taken.
[[maybe_unused]] HWY_INLINE VI32 behind_branch(VI32 v) {
#if HWY_COMPILER_CLANG && HWY_ARCH_X86
    asm("" : "+v"(v.raw));
#endif
    return v;
}

/// Two i16 in each 32-bit lane: `low` in the even lanes of 16 bits, `high` in the odd ones.
[[maybe_unused]] HWY_INLINE VI16 set_pair(int low, int high) {
    return hn::BitCast(di16, hn::Set(di32, static_cast<std::int32_t>(static_cast<std::uint32_t>(high) << 16 |
                                                                     (static_cast<std::uint32_t>(low) & 0xffff))));
}

/// The sum of all lanes; wraps.
[[maybe_unused]] HWY_INLINE std::int64_t total(VU64 v) {
    HWY_ALIGN std::uint64_t lanes[HWY_MAX_BYTES / 8];
    hn::Store(v, du64, lanes);
    std::uint64_t sum = 0;
    for (const std::uint64_t lane : lanes)
        sum += lane;
    return static_cast<std::int64_t>(sum);
}

/// The sum of all lanes, each an i32.
[[maybe_unused]] HWY_INLINE std::int64_t total(VI32 v) {
    HWY_ALIGN std::int32_t lanes[lanes_32];
    hn::Store(v, di32, lanes);
    std::int64_t sum = 0;
    for (const std::int32_t lane : lanes)
        sum += lane;
    return sum;
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

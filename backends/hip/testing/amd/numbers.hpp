// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace isovmaf::amd {

using U16 = std::uint16_t;
using I16 = std::int16_t;
using U32 = std::uint32_t;
using I32 = std::int32_t;
using U64 = std::uint64_t;
using I64 = std::int64_t;

/// The bits of floating-point numbers.
struct F16 {
    U16 bits;
};
struct F32 {
    U32 bits;
};
struct F64 {
    U64 bits;
};

/// The unsigned integer that has the size of T.
template <class T>
using bits_of =
    std::conditional_t<std::is_same_v<T, bool>, bool,
                       std::conditional_t<sizeof(T) == 8, U64, std::conditional_t<sizeof(T) == 4, U32, U16>>>;

template <std::integral T>
inline constexpr unsigned width = std::is_same_v<T, bool> ? 1 : 8 * sizeof(T);

/// A number all of whose bits are defined. `Plain` and `Tracked` have the same operators, so that the body of an
/// operation is written once. Sums and products wrap. Counts of shifts are taken modulo the width.
template <class T>
struct Plain {
    T bits;

    constexpr Plain() = default;
    constexpr Plain(T value) : bits(value) {}

    friend constexpr Plain operator+(Plain a, Plain b) { return static_cast<T>(U64(a.bits) + U64(b.bits)); }
    friend constexpr Plain operator-(Plain a, Plain b) { return static_cast<T>(U64(a.bits) - U64(b.bits)); }
    friend constexpr Plain operator*(Plain a, Plain b) { return static_cast<T>(U64(a.bits) * U64(b.bits)); }
    friend constexpr Plain operator&(Plain a, Plain b) { return static_cast<T>(a.bits & b.bits); }
    friend constexpr Plain operator|(Plain a, Plain b) { return static_cast<T>(a.bits | b.bits); }
    friend constexpr Plain operator^(Plain a, Plain b) { return static_cast<T>(a.bits ^ b.bits); }
    friend constexpr Plain operator~(Plain a) { return static_cast<T>(a.bits ^ static_cast<T>(~U64{0})); }
    friend constexpr Plain operator<<(Plain a, Plain b) {
        return static_cast<T>(static_cast<bits_of<T>>(a.bits) << (static_cast<unsigned>(b.bits) & (width<T> - 1)));
    }
    /// Fills with copies of the sign if T is signed.
    friend constexpr Plain operator>>(Plain a, Plain b) {
        return static_cast<T>(a.bits >> (static_cast<unsigned>(b.bits) & (width<T> - 1)));
    }

    friend constexpr Plain<bool> operator<(Plain a, Plain b) { return a.bits < b.bits; }
    friend constexpr Plain<bool> operator==(Plain a, Plain b) { return a.bits == b.bits; }
};

template <class To, class From>
constexpr Plain<To> as(Plain<From> a) {
    return static_cast<To>(a.bits);
}

template <class T>
constexpr Plain<T> choose(Plain<bool> condition, Plain<T> a, Plain<T> b) {
    return condition.bits ? a : b;
}

/// A function of whole numbers.
template <class F, class... T>
constexpr auto apply(F function, Plain<T>... a) {
    return Plain<decltype(function(a.bits...))>(function(a.bits...));
}

/// A number some of whose bits are undefined: a bit is, if it can differ with what the undefined bits of the sources
/// are. Where that is not worth finding out, more bits are undefined than need be, never fewer.
template <class T>
struct Tracked {
    using Bits = bits_of<T>;

    T bits;
    Bits undefined;

    constexpr Tracked() = default;
    constexpr Tracked(T value) : bits(value), undefined() {}
    constexpr Tracked(T value, Bits not_defined) : bits(value), undefined(not_defined) {}

    static constexpr Bits all = static_cast<Bits>(~U64{0});

    /// The bits from the lowest one that is set in `mask` upwards: carries go that way.
    static constexpr Bits upwards(Bits mask) { return static_cast<Bits>(mask | (U64{0} - mask)); }

    constexpr Bits zeros() const { return static_cast<Bits>((static_cast<Bits>(bits) | undefined) ^ all); }
    constexpr Bits ones() const { return static_cast<Bits>(static_cast<Bits>(bits) & ~undefined); }

    /// The smallest and the largest value, in an order of unsigned numbers.
    static constexpr Bits sign = std::is_signed_v<T> ? static_cast<Bits>(U64{1} << (width<Bits> - 1)) : 0;
    constexpr Bits least() const { return static_cast<Bits>((static_cast<Bits>(bits) ^ sign) & ~undefined); }
    constexpr Bits most() const { return static_cast<Bits>((static_cast<Bits>(bits) ^ sign) | undefined); }

    friend constexpr Tracked operator+(Tracked a, Tracked b) {
        return {(Plain<T>(a.bits) + b.bits).bits, upwards(a.undefined | b.undefined)};
    }
    friend constexpr Tracked operator-(Tracked a, Tracked b) {
        return {(Plain<T>(a.bits) - b.bits).bits, upwards(a.undefined | b.undefined)};
    }
    /// An undefined bit of a factor first changes the bit of the product that the lowest one of the other factor leads
    /// to.
    friend constexpr Tracked operator*(Tracked a, Tracked b) {
        const U64 from_a = U64{static_cast<Bits>(b.zeros() ^ all)} * (a.undefined & (~a.undefined + U64{1}));
        const U64 from_b = U64{static_cast<Bits>(a.zeros() ^ all)} * (b.undefined & (~b.undefined + U64{1}));
        return {(Plain<T>(a.bits) * b.bits).bits, upwards(static_cast<Bits>(from_a | from_b))};
    }
    friend constexpr Tracked operator&(Tracked a, Tracked b) {
        return {(Plain<T>(a.bits) & b.bits).bits,
                static_cast<Bits>((a.undefined | b.undefined) & ~(a.zeros() | b.zeros()))};
    }
    friend constexpr Tracked operator|(Tracked a, Tracked b) {
        return {(Plain<T>(a.bits) | b.bits).bits,
                static_cast<Bits>((a.undefined | b.undefined) & ~(a.ones() | b.ones()))};
    }
    friend constexpr Tracked operator^(Tracked a, Tracked b) {
        return {(Plain<T>(a.bits) ^ b.bits).bits, static_cast<Bits>(a.undefined | b.undefined)};
    }
    friend constexpr Tracked operator~(Tracked a) { return {(~Plain<T>(a.bits)).bits, a.undefined}; }
    friend constexpr Tracked operator<<(Tracked a, Tracked b) {
        const Tracked count = b & static_cast<T>(width<T> - 1);
        return {(Plain<T>(a.bits) << b.bits).bits,
                count.undefined ? all : static_cast<Bits>(a.undefined << count.bits)};
    }
    friend constexpr Tracked operator>>(Tracked a, Tracked b) {
        const Tracked count = b & static_cast<T>(width<T> - 1);
        return {(Plain<T>(a.bits) >> b.bits).bits,
                count.undefined ? all : static_cast<Bits>(static_cast<T>(a.undefined) >> count.bits)};
    }

    friend constexpr Tracked<bool> operator<(Tracked a, Tracked b) {
        return {a.bits < b.bits, !(a.most() < b.least()) && a.least() < b.most()};
    }
    friend constexpr Tracked<bool> operator==(Tracked a, Tracked b) {
        const Bits either = static_cast<Bits>(a.undefined | b.undefined);
        const Bits differ = static_cast<Bits>(static_cast<Bits>(a.bits ^ b.bits) & ~either);
        return {a.bits == b.bits, either != 0 && differ == 0};
    }
};

template <class To, class From>
constexpr Tracked<To> as(Tracked<From> a) {
    return {static_cast<To>(a.bits), static_cast<bits_of<To>>(static_cast<From>(a.undefined))};
}

template <class T>
constexpr Tracked<T> choose(Tracked<bool> condition, Tracked<T> a, Tracked<T> b) {
    Tracked<T> chosen = condition.bits ? a : b;
    if (condition.undefined)
        chosen.undefined =
            static_cast<bits_of<T>>(a.undefined | b.undefined | static_cast<bits_of<T>>(a.bits ^ b.bits));
    return chosen;
}

/// All bits of the result are undefined if any bit of a source is.
template <class F, class... T>
constexpr auto apply(F function, Tracked<T>... a) {
    using Result = Tracked<decltype(function(a.bits...))>;
    const bool defined = ((a.undefined == 0) && ...);
    return Result(function(a.bits...), defined ? typename Result::Bits{} : Result::all);
}

} // namespace isovmaf::amd

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "hip/testing/amd/lane_operations.hpp"
#include "hip/testing/amd/numbers.hpp"

/// An operation is defined by its signature and by a body that gets numbers of the signature's types, as `Plain` or
/// `Tracked`: `operation<U32(U32, U32)>([](auto a, auto b) { return a + b; })`. A body of floating-point numbers gets
/// the modes and the numbers themselves: `numeric<F32(F32)>([](const Modes &modes, F32 a) { ... })`.
namespace isovmaf::amd {

/// Sources that do not stand in the assembler text.
template <class T>
struct Destination {
    T value;
};
struct Condition {};

/// Two or four small numbers in 32 bits.
struct Packed {};

/// A result and a flag.
template <class T>
struct Flagged {};

template <class T>
struct NumberOf {
    using type = T;
};
template <class T>
struct NumberOf<Destination<T>> {
    using type = T;
};
template <>
struct NumberOf<Condition> {
    using type = bool;
};
template <>
struct NumberOf<Packed> {
    using type = U32;
};
template <class T>
struct NumberOf<Flagged<T>> {
    using type = T;
};
template <class T>
using number_of = typename NumberOf<T>::type;

template <class T>
inline constexpr Kind kind_of = kind_of<number_of<T>>;
template <>
inline constexpr Kind kind_of<bool> = Kind::none;
template <>
inline constexpr Kind kind_of<U16> = Kind::u16;
template <>
inline constexpr Kind kind_of<I16> = Kind::i16;
template <>
inline constexpr Kind kind_of<U32> = Kind::u32;
template <>
inline constexpr Kind kind_of<I32> = Kind::i32;
template <>
inline constexpr Kind kind_of<U64> = Kind::u64;
template <>
inline constexpr Kind kind_of<I64> = Kind::i64;
template <>
inline constexpr Kind kind_of<F16> = Kind::f16;
template <>
inline constexpr Kind kind_of<F32> = Kind::f32;
template <>
inline constexpr Kind kind_of<F64> = Kind::f64;
template <>
inline constexpr Kind kind_of<Packed> = Kind::packed;

template <class T>
inline constexpr bool is_destination = false;
template <class T>
inline constexpr bool is_destination<Destination<T>> = true;
template <class T>
inline constexpr bool is_flagged = std::is_same_v<T, bool>;
template <class T>
inline constexpr bool is_flagged<Flagged<T>> = true;

/// What a body returns of an operation that writes a result and a flag.
template <class Number, class Flag>
struct Both {
    Number result;
    Flag flag;
};

template <class T>
constexpr T number_from(U64 bits) {
    if constexpr (std::is_same_v<T, bool>)
        return bits & 1;
    else
        return std::bit_cast<T>(static_cast<bits_of<T>>(bits));
}

template <class T>
constexpr U64 bits_from(T number) {
    if constexpr (std::is_same_v<T, bool>)
        return number;
    else
        return std::bit_cast<bits_of<T>>(number);
}

template <class T>
constexpr Tracked<T> tracked_from(const Value &value) {
    if constexpr (std::is_same_v<T, bool>)
        return {(value.bits & 1) != 0, (value.undefined & 1) != 0};
    else
        return {number_from<T>(value.bits), static_cast<bits_of<T>>(value.undefined)};
}

template <class T>
constexpr Value value_from(const Tracked<T> &number) {
    return {bits_from<T>(number.bits), number.undefined};
}

/// Waves are computed in halves of 32 lanes: loops of a constant length become vector code.
inline constexpr std::size_t half_wave = 32;

inline constexpr std::array<U32, half_wave> lane_bits = [] {
    std::array<U32, half_wave> bits{};
    for (std::size_t lane = 0; lane < half_wave; ++lane)
        bits[lane] = U32{1} << lane;
    return bits;
}();

/// Writes results to the active lanes of a row. Not inlined: it is the same code for all operations.
template <class T>
[[gnu::noinline]] void store_row(U32 *row, const std::array<T, half_wave> &results, const U32 *active, unsigned shift) {
    for (std::size_t lane = 0; lane < half_wave; ++lane)
        row[lane] = (static_cast<U32>(results[lane] >> shift) & active[lane]) | (row[lane] & ~active[lane]);
}

[[gnu::noinline]] inline U32 gather_flags(const std::array<U32, half_wave> &flags) {
    U32 mask = 0;
    for (std::size_t lane = 0; lane < half_wave; ++lane)
        mask |= flags[lane] ? lane_bits[lane] : 0;
    return mask;
}

template <class T>
number_of<T> load_lane(const U32 *row, U32 condition, std::size_t lane) {
    if constexpr (std::is_same_v<T, Condition>)
        return (condition & lane_bits[lane]) != 0;
    else if constexpr (sizeof(number_of<T>) == 8)
        return number_from<number_of<T>>(row[lane] | U64{row[WaveOperands::row_stride + lane]} << 32);
    else
        return number_from<number_of<T>>(row[lane]);
}

template <class Signature, class Body, bool has_wave>
struct Form;

template <class R, class... A, class Body, bool has_wave>
struct Form<R(A...), Body, has_wave> {
    using Result = number_of<R>;
    static constexpr unsigned implicit = (0 + ... + (is_destination<A> || std::is_same_v<A, Condition>));

    static constexpr Operation described() {
        Operation operation;
        constexpr std::array<Kind, sizeof...(A)> kinds{kind_of<A>...};
        operation.source_count = sizeof...(A) - implicit;
        std::copy_n(kinds.begin(), operation.source_count, operation.sources.begin());
        operation.result = kind_of<R>;
        operation.takes_destination = (is_destination<A> || ...);
        operation.takes_condition = (std::is_same_v<A, Condition> || ...);
        operation.writes_flag = is_flagged<R>;
        operation.function = lane;
        if constexpr (has_wave)
            operation.wave = wave;
        return operation;
    }

    static Outcome lane(const Modes &modes, std::span<const Value> sources) {
        return [&]<std::size_t... i>(std::index_sequence<i...>) {
            const auto result = Body{}(modes, tracked_from<number_of<A>>(sources[i])...);
            if constexpr (std::is_same_v<R, bool>)
                return Outcome{{}, value_from(result)};
            else if constexpr (is_flagged<R>)
                return Outcome{value_from(result.result), value_from(result.flag)};
            else
                return Outcome{value_from(result), {}};
        }
        (std::index_sequence_for<A...>{});
    }

    static void wave(const Modes &modes, WaveOperands &operands) {
        U64 flags = half(modes, operands, 0);
        if (operands.lanes > half_wave)
            flags |= U64{half(modes, operands, half_wave)} << half_wave;
        operands.mask_out = flags;
    }

  private:
    /// Results are written to arrays of its own first, so that no row can be among the sources.
    static U32 half(const Modes &modes, const WaveOperands &operands, std::size_t first) {
        std::array<const U32 *, 4> rows = operands.sources;
        for (const U32 *&row : rows)
            row += first;
        const U32 condition = static_cast<U32>(operands.mask_in >> first);
        std::array<bits_of<Result>, half_wave> results;
        std::array<U32, half_wave> flags;
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            for (std::size_t lane = 0; lane < half_wave; ++lane) {
                const auto result = Body{}(modes, Plain<number_of<A>>(load_lane<A>(rows[i], condition, lane))...);
                if constexpr (std::is_same_v<R, bool>) {
                    flags[lane] = result.bits;
                } else if constexpr (is_flagged<R>) {
                    results[lane] = static_cast<bits_of<Result>>(bits_from(result.result.bits));
                    flags[lane] = result.flag.bits;
                } else {
                    results[lane] = static_cast<bits_of<Result>>(bits_from(result.bits));
                }
            }
        }
        (std::index_sequence_for<A...>{});
        if constexpr (!std::is_same_v<R, bool>)
            store_row(operands.result + first, results, operands.active + first, 0);
        if constexpr (sizeof(Result) == 8)
            store_row(operands.result + WaveOperands::row_stride + first, results, operands.active + first, 32);
        if constexpr (is_flagged<R>)
            return gather_flags(flags);
        else
            return 0;
    }
};

/// A body of whole numbers does not depend on the modes.
template <class Body>
struct WithoutModes {
    constexpr auto operator()(const Modes &, auto... sources) const { return Body{}(sources...); }
};

/// The result of a body of floating-point numbers is undefined when any source is, wholly or in part.
template <class Body>
struct AllOrNone {
    constexpr auto operator()(const Modes &modes, auto... sources) const {
        const auto outcome = Body{}(modes, sources.bits...);
        const auto beside_sources = [&](const auto &number) {
            return apply([&](auto...) { return number; }, sources...);
        };
        if constexpr (requires { outcome.flag; })
            return Both{beside_sources(outcome.result), beside_sources(outcome.flag)};
        else
            return beside_sources(outcome);
    }
};

template <class Signature, class Body>
constexpr Operation operation(Body) {
    return Form<Signature, WithoutModes<Body>, true>::described();
}

template <class Signature, class Body>
constexpr Operation numeric(Body) {
    return Form<Signature, AllOrNone<Body>, true>::described();
}

/// An operation that only scalar instructions have.
template <class Signature, class Body>
constexpr Operation scalar(Body) {
    return Form<Signature, WithoutModes<Body>, false>::described();
}

/// An operation of 16 bits that leaves the other half of its register alone on gfx90a and gfx942 too.
constexpr Operation keeping(Operation operation) {
    operation.high_half = HighHalf::kept;
    return operation;
}

} // namespace isovmaf::amd

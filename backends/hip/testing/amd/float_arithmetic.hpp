// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>

#include "hip/testing/amd/exact_arithmetic.hpp"

/// Sums and products as instructions compute them: with the modes of a wave, and with NaNs that no host decides.
namespace isovmaf::amd {

/// The first NaN among the sources, made quiet, or the default one. The documents do not say which NaN results.
template <class F, class... More>
constexpr F nan_of(F first, More... more) {
    if (is_nan(first))
        return quiet(first);
    if constexpr (sizeof...(more) > 0)
        return nan_of(more...);
    else
        return default_nan<F>;
}

/// What the host's number becomes: its NaN is replaced by that of the sources.
template <class F, class Host, class... Sources>
F accepted(const Modes &modes, Host number, Sources... sources) {
    if (number != number) [[unlikely]]
        return nan_of(sources...);
    return result(modes, F{from_host(number)});
}

/// Whether the host's arithmetic gives the bits that the modes ask for.
template <class F>
constexpr bool on_host(const Modes &modes) {
    return !std::is_same_v<F, F16> && rounding<F>(modes) == Rounding::nearest_even;
}

/// The value of an operation on numbers some of which are not finite, from the host's double of it.
template <class F, class... More>
F special(double value, F first, More... more) {
    return std::isnan(value) ? nan_of(first, more...) : with_sign<F>(infinity<F>, std::signbit(value));
}

template <class F>
ExactNumber exact_fused(F a, F b, F c, Rounding mode) {
    return exact_sum(exact_number(to_double(a)), exact_number(to_double(b)), exact_number(to_double(c)), mode);
}

/// The operations in integers. Not inlined: most lanes never come here.
template <class F>
[[gnu::noinline]] F product_in_integers(const Modes &modes, F a, F b) {
    if (!is_finite(a) || !is_finite(b))
        return special(to_double(a) * to_double(b), a, b);
    const ExactNumber exact = exact_product(exact_number(to_double(a)), exact_number(to_double(b)));
    return result(modes, rounded<F>(exact, rounding<F>(modes)));
}

template <class F>
[[gnu::noinline]] F fused_in_integers(const Modes &modes, F a, F b, F c) {
    if (!is_finite(a) || !is_finite(b) || !is_finite(c))
        return special(std::fma(to_double(a), to_double(b), to_double(c)), a, b, c);
    return result(modes, rounded<F>(exact_fused(a, b, c, rounding<F>(modes)), rounding<F>(modes)));
}

template <class F>
[[gnu::noinline]] F sum_in_integers(const Modes &modes, F a, F b) {
    if (!is_finite(a) || !is_finite(b))
        return special(to_double(a) + to_double(b), a, b);
    constexpr F one{static_cast<Bits<F>>(static_cast<Bits<F>>(bias<F>) << Format<F>::fraction_bits)};
    return result(modes, rounded<F>(exact_fused(a, one, b, rounding<F>(modes)), rounding<F>(modes)));
}

template <class F>
F product(const Modes &modes, F a, F b) {
    a = source(modes, a), b = source(modes, b);
    if constexpr (!std::is_same_v<F, F16>) {
        if (on_host<F>(modes)) [[likely]]
            return accepted<F>(modes, host(a) * host(b), a, b);
    }
    return product_in_integers(modes, a, b);
}

template <class F>
F fused(const Modes &modes, F a, F b, F c) {
    a = source(modes, a), b = source(modes, b), c = source(modes, c);
    if constexpr (!std::is_same_v<F, F16>) {
        if (on_host<F>(modes)) [[likely]]
            return accepted<F>(modes, std::fma(host(a), host(b), host(c)), a, b, c);
    }
    return fused_in_integers(modes, a, b, c);
}

template <class F>
F sum(const Modes &modes, F a, F b) {
    a = source(modes, a), b = source(modes, b);
    if constexpr (!std::is_same_v<F, F16>) {
        if (on_host<F>(modes)) [[likely]]
            return accepted<F>(modes, host(a) + host(b), a, b);
    }
    return sum_in_integers(modes, a, b);
}

/// A number in another format.
template <class To, class From>
To converted(const Modes &modes, From a) {
    a = source(modes, a);
    if (is_nan(a)) {
        constexpr int more = Format<To>::fraction_bits - Format<From>::fraction_bits;
        const U64 fraction = magnitude(a) & (hidden_bit<From> - 1);
        const U64 moved = more >= 0 ? fraction << (more & 63) : fraction >> (-more & 63);
        return quiet(with_sign<To>(static_cast<Bits<To>>(infinity<To> | moved), is_negative(a)));
    }
    if (is_infinite(a))
        return with_sign<To>(infinity<To>, is_negative(a));
    return result(modes, rounded<To>(exact_number(to_double(a)), rounding<To>(modes)));
}

/// An integer in the format F.
template <class F, class T>
F converted_integer(const Modes &modes, T a) {
    const bool negative = a < 0;
    const U64 units = negative ? U64{0} - static_cast<U64>(a) : static_cast<U64>(a);
    return rounded<F>({negative, units, 0}, rounding<F>(modes));
}

/// The number times two to the power of `exponent`, rounded once.
template <class F>
F scaled(const Modes &modes, F a, int exponent) {
    a = source(modes, a);
    if (!is_finite(a))
        return is_nan(a) ? quiet(a) : a;
    ExactNumber exact = exact_number(to_double(a));
    exact.exponent += std::clamp(exponent, -5000, 5000);
    return result(modes, rounded<F>(exact, rounding<F>(modes)));
}

} // namespace isovmaf::amd

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "hip/testing/amd/float_format.hpp"

/// Minimum and maximum, in which +0 is larger than -0. Generations differ in what they do with NaNs.
namespace isovmaf::amd {

/// The order of numbers that are no NaNs. -0 comes before +0.
template <class F>
constexpr bool comes_before(F a, F b) {
    if (is_negative(a) != is_negative(b))
        return is_negative(a);
    return is_negative(a) ? magnitude(b) < magnitude(a) : magnitude(a) < magnitude(b);
}

/// The result if a source is a NaN: one that is made quiet or the other source.
template <class F>
constexpr F extreme_with_nan(const Modes &modes, F a, F b) {
    if (modes.generation == Generation::gfx1201) {
        if (is_nan(a) && is_nan(b))
            return quiet(a);
        return is_nan(a) ? b : a;
    }
    if (modes.ieee && is_signalling(a))
        return quiet(a);
    if (modes.ieee && is_signalling(b))
        return quiet(b);
    if (modes.generation == Generation::gfx1100)
        return is_nan(b) ? a : b;
    return is_nan(a) ? b : a;
}

template <class F>
[[gnu::noinline]] constexpr F minimum(const Modes &modes, F a, F b) {
    a = source(modes, a), b = source(modes, b);
    if (is_nan(a) || is_nan(b))
        return extreme_with_nan(modes, a, b);
    return comes_before(a, b) ? a : b;
}

template <class F>
[[gnu::noinline]] constexpr F maximum(const Modes &modes, F a, F b) {
    a = source(modes, a), b = source(modes, b);
    if (is_nan(a) || is_nan(b))
        return extreme_with_nan(modes, a, b);
    return comes_before(b, a) ? a : b;
}

template <class F>
constexpr F median(const Modes &modes, F a, F b, F c) {
    if (is_nan(a) || is_nan(b) || is_nan(c))
        return minimum(modes, minimum(modes, a, b), c);
    const F largest = maximum(modes, maximum(modes, a, b), c);
    if (largest.bits == source(modes, a).bits)
        return maximum(modes, b, c);
    return largest.bits == source(modes, b).bits ? maximum(modes, a, c) : maximum(modes, a, b);
}

/// A NaN wherever a source is one (v_minimum and v_maximum).
template <class F, class Body>
constexpr F keeping_nan(const Modes &modes, F a, F b, Body body) {
    for (const F number : {a, b}) {
        if (is_signalling(number))
            return quiet(number);
    }
    if (is_nan(a) || is_nan(b))
        return is_nan(a) ? a : b;
    return body(modes, a, b);
}

} // namespace isovmaf::amd

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// Part of motion_vectors.cpp: sums of the taps times 16-bit values.
//
// A value v that may have more than 16 bits is split into 65536 * high + low, both signed: low is the low half of v,
// high is (v + 32768) >> 16. The taps sum to 65536, so a sum of taps times lows plus at most 32768 is in
// [-2^31, 2^31 - 2^15] and fits i32. In most pictures every high is 0, and nothing is computed of it.
#include "simd/lanes.hpp"

#include "features/motion/motion_functions.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

static_assert(motion_row_step % lanes_16 == 0 && MOTION_TAP_COUNT == 5);

/// 32-bit values of the even and the odd columns.
struct Columns {
    VI32 even, odd;
};

HWY_INLINE VI16 low_halves(const Columns &v) { return pair_even(as_i16(v.even), as_i16(v.odd)); }
HWY_INLINE VI16 high_halves(const Columns &v) { return pair_odd(as_i16(v.even), as_i16(v.odd)); }

/// The taps for pairs that start at the first value of the filter's window, and for pairs that start one before it.
struct TapPairs {
    VI16 whole[3], late[3];
};

HWY_INLINE TapPairs tap_pairs() {
    const auto &t = motion_taps;
    return {{set_pair(t[0], t[1]), set_pair(t[2], t[3]), set_pair(t[4], 0)},
            {set_pair(0, t[0]), set_pair(t[1], t[2]), set_pair(t[3], t[4])}};
}

HWY_INLINE VI32 filter(VI32 start, const VI16 (&taps)[3], VI16 a, VI16 b, VI16 c) {
    return dot(dot(dot(start, a, taps[0]), b, taps[1]), c, taps[2]);
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

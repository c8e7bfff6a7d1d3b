// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// Part of motion_vectors.cpp: sums of the taps times 16-bit values, and the difference of two pictures, blurred down
// the columns.
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

constexpr int block_pairs = motion_block_rows / 2, window_pairs = motion_window_rows / 2;
static_assert(motion_block_rows % 2 == 0);

/// Values of two rows in each 32-bit lane, of the even and the odd columns.
struct Pairs {
    VI16 even, odd;
};

HWY_INLINE Pairs pair_rows(VI16 a, VI16 b) { return {pair_even(a, b), pair_odd(a, b)}; }

HWY_INLINE Columns filter_rows(VI32 start, const VI16 (&taps)[3], const Pairs *pairs) {
    return {filter(start, taps, pairs[0].even, pairs[1].even, pairs[2].even),
            filter(start, taps, pairs[0].odd, pairs[1].odd, pairs[2].odd)};
}

/// The low part of the differences of two rows. The top bit of a lane of `lost` is set where a difference has more than
/// 16 bits.
HWY_INLINE VI16 low_difference(const std::uint8_t *p, const std::uint8_t *c, VU16 &) {
    return hn::Sub(load_bytes(p), load_bytes(c));
}
HWY_INLINE VI16 low_difference(const std::uint16_t *p, const std::uint16_t *c, VU16 &lost) {
    const VU16 a = hn::LoadU(du16, p), b = hn::LoadU(du16, c), difference = hn::Sub(a, b);
    lost = hn::Or(lost, hn::And(hn::Xor(a, b), hn::Xor(difference, b)));
    return hn::BitCast(di16, difference);
}

/// The high part: -1 if a < b, and 1 more if the low part is negative.
HWY_INLINE VI16 high_difference(const std::uint16_t *p, const std::uint16_t *c) {
    const VU16 a = hn::LoadU(du16, p), b = hn::LoadU(du16, c);
    const VI16 less = hn::BitCast(di16, hn::VecFromMask(du16, hn::Not(hn::Eq(hn::Max(a, b), a))));
    return hn::Sub(less, hn::ShiftRight<15>(hn::BitCast(di16, hn::Sub(a, b))));
}

/// Rounding to 8 bits of fraction: motion_round_vertical.
template <class Sample>
struct Rounding {
    int bit_depth;

    HWY_INLINE VI32 start() const { return hn::Set(di32, 1 << (bit_depth - 1)); }
    HWY_INLINE VI32 shift(VI32 sum) const {
        if constexpr (sizeof(Sample) == 1)
            return hn::ShiftRight<8>(sum);
        return shift_right(di32, sum, bit_depth);
    }
    HWY_INLINE Columns shift(const Columns &v) const { return {shift(v.even), shift(v.odd)}; }
};

HWY_INLINE Columns add(const Columns &v, VI32 what) { return {hn::Add(v.even, what), hn::Add(v.odd, what)}; }

/// What does not fit 16 bits in the columns so far.
struct Lost {
    VU16 differences; ///< see low_difference
    VU32 results;     ///< bits above the lower 16 are set where the high part of a result is not 0

    HWY_INLINE bool any_difference() const {
        return !hn::AllTrue(du16, hn::Eq(hn::ShiftRight<15>(differences), hn::Zero(du16)));
    }
    HWY_INLINE bool any_result() const {
        return !hn::AllTrue(du32, hn::Eq(hn::ShiftRight<16>(results), hn::Zero(du32)));
    }
};

/// Stores results from column x on; the high parts only when they are kept.
template <bool keeps_high>
HWY_INLINE void store(const MotionRow &row, int x, const Columns &v, Lost &lost) {
    const Columns high = add(v, hn::Set(di32, 1 << 15));
    hn::StoreU(low_halves(v), di16, row.low + x);
    if constexpr (keeps_high)
        hn::StoreU(high_halves(high), di16, row.high + x);
    else
        lost.results = hn::Or(lost.results, hn::BitCast(du32, hn::Or(high.even, high.odd)));
}

/// Blurs lanes_16 columns, which are read at `x_read` and written at `x`. Tells what did not fit: differences never fit
/// in more than 16 bits, results only when their high parts are kept.
template <bool keeps_high, class Sample>
HWY_INLINE Lost blur_columns(const MotionWindow<Sample> &window, int x_read, const Rounding<Sample> &rounding,
                             const MotionRow *rows, int x) {
    const TapPairs taps = tap_pairs();
    Lost lost = {hn::Zero(du16), hn::Zero(du32)};
    const auto pair = [&](int k) HWY_ATTR {
        const auto difference = [&](int r) HWY_ATTR {
            return low_difference(window.earlier[r] + x_read, window.current[r] + x_read, lost.differences);
        };
        return pair_rows(difference(2 * k), difference(2 * k + 1));
    };
    Pairs pairs[3] = {pair(0), pair(1), pair(2)};
    for (int k = 0; k < block_pairs; k++) {
        const Columns first = filter_rows(rounding.start(), taps.whole, pairs);
        const Columns second = filter_rows(rounding.start(), taps.late, pairs);
        store<keeps_high>(rows[2 * k], x, rounding.shift(first), lost);
        store<keeps_high>(rows[2 * k + 1], x, rounding.shift(second), lost);
        pairs[0] = pairs[1];
        pairs[1] = pairs[2];
        if (k + 1 < block_pairs)
            pairs[2] = pair(k + 3);
    }
    return lost;
}

/// The same for differences of more than 16 bits. 65536 * high + low is shifted exactly, since the depth is at most 16:
/// the results have at most 24 bits, with a sign.
void blur_wide_columns(const MotionWindow<std::uint16_t> &window, int x_read, const Rounding<std::uint16_t> &rounding,
                       const MotionRow *rows, int x) {
    const TapPairs taps = tap_pairs();
    Pairs low[window_pairs], high[window_pairs];
    Lost lost = {hn::Zero(du16), hn::Zero(du32)};
    for (int k = 0; k < window_pairs; k++) {
        const std::uint16_t *const p[] = {window.earlier[2 * k] + x_read, window.earlier[2 * k + 1] + x_read};
        const std::uint16_t *const c[] = {window.current[2 * k] + x_read, window.current[2 * k + 1] + x_read};
        low[k] = pair_rows(low_difference(p[0], c[0], lost.differences), low_difference(p[1], c[1], lost.differences));
        high[k] = pair_rows(high_difference(p[0], c[0]), high_difference(p[1], c[1]));
    }
    const auto scale = [&](VI32 sum) HWY_ATTR { return shift_left(di32, sum, 16 - rounding.bit_depth); };
    for (int r = 0; r < motion_block_rows; r++) {
        const auto &filter_taps = r % 2 == 0 ? taps.whole : taps.late;
        const Columns l = rounding.shift(filter_rows(rounding.start(), filter_taps, low + r / 2));
        const Columns h = filter_rows(hn::Zero(di32), filter_taps, high + r / 2);
        store<true>(rows[r], x, {hn::Add(l.even, scale(h.even)), hn::Add(l.odd, scale(h.odd))}, lost);
    }
}

/// Blurs lanes_16 columns of any samples and keeps the high parts.
HWY_INLINE void blur_all_columns(const MotionWindow<std::uint8_t> &window, int x_read,
                                 const Rounding<std::uint8_t> &rounding, const MotionRow *rows, int x) {
    blur_columns<true>(window, x_read, rounding, rows, x);
}
HWY_INLINE void blur_all_columns(const MotionWindow<std::uint16_t> &window, int x_read,
                                 const Rounding<std::uint16_t> &rounding, const MotionRow *rows, int x) {
    if (blur_columns<true>(window, x_read, rounding, rows, x).any_difference())
        blur_wide_columns(window, x_read, rounding, rows, x);
}

/// The last columns of a window's rows.
template <class Sample>
struct WindowTail {
    Tail<Sample> earlier[motion_window_rows], current[motion_window_rows];
    MotionWindow<Sample> window;

    WindowTail(const MotionWindow<Sample> &whole, int x, int count) {
        for (int r = 0; r < motion_window_rows; r++) {
            earlier[r].fill(whole.earlier[r] + x, count);
            current[r].fill(whole.current[r] + x, count);
            window.earlier[r] = earlier[r].samples;
            window.current[r] = current[r].samples;
        }
    }
};

/// Sets the high parts of the first columns to 0.
void clear_high(const MotionRow *rows, int count) {
    for (int r = 0; r < motion_block_rows; r++)
        for (int x = 0; x < count; x += lanes_16)
            hn::StoreU(hn::Zero(di16), di16, rows[r].high + x);
}

/// Blurs `count` columns, a multiple of lanes_16, whose results fit; returns where the first ones are that do not.
template <class Sample>
int blur_narrow(const MotionWindow<Sample> &window, int count, const Rounding<Sample> &rounding, const MotionRow *rows,
                int x) {
    for (int i = 0; i < count; i += lanes_16) {
        const Lost lost = blur_columns<false>(window, i, rounding, rows, x + i);
        if (HWY_UNLIKELY(lost.any_difference() || lost.any_result()))
            return i;
    }
    return count;
}

/// Blurs `count` columns, a multiple of lanes_16, which are written from column x on. Returns whether high parts are
/// kept: as they are from the first column on in which one is not 0, or if `keeps_high` says that they were before.
template <class Sample>
bool blur_whole(const MotionWindow<Sample> &window, int count, const Rounding<Sample> &rounding, const MotionRow *rows,
                int x, bool keeps_high) {
    int i = 0;
    if (!keeps_high) {
        i = blur_narrow(window, count, rounding, rows, x);
        if (i == count)
            return false;
        clear_high(rows, x + i);
    }
    for (; i < count; i += lanes_16)
        blur_all_columns(window, i, rounding, rows, x + i);
    return true;
}

template <class Sample>
bool columns(const MotionWindow<Sample> &window, int width, int bit_depth, const MotionRow *rows) {
    const Rounding<Sample> rounding{bit_depth};
    const int whole = width / lanes_16 * lanes_16;
    const bool keeps_high = blur_whole(window, whole, rounding, rows, 0, false);
    if (whole == width)
        return keeps_high;
    const WindowTail<Sample> tail(window, whole, width - whole);
    return blur_whole(tail.window, lanes_16, rounding, rows, whole, keeps_high);
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

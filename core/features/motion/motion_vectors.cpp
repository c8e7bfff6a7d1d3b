// SPDX-License-Identifier: BSD-2-Clause-Patent
// Motion's blur in vectors (features.md §2.1), once per level.
//
// Products are of 16-bit values, in pairs. A value v that may have more than 16 bits is split into 65536 * high + low,
// both signed: low is the low half of v, high is (v + 32768) >> 16. The taps sum to 65536, so a sum of taps times lows
// plus 32768 is in [-2^31 + 2^15, 2^31 - 2^15 - 1] and fits i32. In most pictures every high is 0, and nothing is
// computed of it.
#include "simd/vectors.hpp"

#include "features/motion/motion_functions.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

constexpr int lanes_16 = 2 * lanes_32;
constexpr int block_pairs = motion_block_rows / 2, window_pairs = motion_window_rows / 2;
static_assert(motion_row_step % lanes_16 == 0 && MOTION_TAP_COUNT == 5 && motion_block_rows % 2 == 0);

/// 32-bit values of the even and the odd columns.
struct Columns {
    VI32 even, odd;
};

/// 16-bit values of two rows, or of two columns, in each 32-bit lane.
struct Pairs {
    VI16 even, odd;
};

HWY_INLINE VI16 low_halves(const Columns &v) {
    return hn::OddEven(hn::BitCast(di16, hn::ShiftLeft<16>(v.odd)), hn::BitCast(di16, v.even));
}
HWY_INLINE VI16 high_halves(const Columns &v) {
    return hn::OddEven(hn::BitCast(di16, v.odd), hn::BitCast(di16, hn::ShiftRight<16>(v.even)));
}

/// Lanes of row a beside those of row b.
HWY_INLINE Pairs pair_rows(VI16 a, VI16 b) {
    return {hn::OddEven(hn::BitCast(di16, hn::ShiftLeft<16>(hn::BitCast(du32, b))), a),
            hn::OddEven(b, hn::BitCast(di16, hn::ShiftRight<16>(hn::BitCast(du32, a))))};
}

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
HWY_INLINE Columns filter_rows(VI32 start, const VI16 (&taps)[3], const Pairs *pairs) {
    return {filter(start, taps, pairs[0].even, pairs[1].even, pairs[2].even),
            filter(start, taps, pairs[0].odd, pairs[1].odd, pairs[2].odd)};
}

/// The low part of the differences of two rows. The top bit of a lane of `lost` is set where a difference has more than
/// 16 bits.
HWY_INLINE VI16 low_difference(const std::uint8_t *p, const std::uint8_t *c, VU16 &) {
    const hn::Rebind<std::uint8_t, DI16> du8;
    return hn::Sub(hn::PromoteTo(di16, hn::LoadU(du8, p)), hn::PromoteTo(di16, hn::LoadU(du8, c)));
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
        return hn::ShiftRightSame(sum, bit_depth);
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
    const auto scale = [&](VI32 sum) HWY_ATTR { return hn::ShiftLeftSame(sum, 16 - rounding.bit_depth); };
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

/// The last columns of a window's rows, with zeros behind them: nothing beyond the rows is read.
template <class Sample>
struct WindowTail {
    Sample samples[2][motion_window_rows][lanes_16] = {};
    MotionWindow<Sample> window;

    WindowTail(const MotionWindow<Sample> &whole, int x, int count) {
        for (int r = 0; r < motion_window_rows; r++) {
            for (int i = 0; i < count; i++) {
                samples[0][r][i] = whole.earlier[r][x + i];
                samples[1][r][i] = whole.current[r][x + i];
            }
            window.earlier[r] = samples[0][r];
            window.current[r] = samples[1][r];
        }
    }
};

/// Sets the high parts of the first columns to 0.
void clear_high(const MotionRow *rows, int count) {
    for (int r = 0; r < motion_block_rows; r++)
        for (int x = 0; x < count; x += lanes_16)
            hn::StoreU(hn::Zero(di16), di16, rows[r].high + x);
}

/// Keeps high parts from the first columns on in which one is not 0.
template <class Sample>
bool columns(const MotionWindow<Sample> &window, int width, int bit_depth, const MotionRow *rows) {
    const Rounding<Sample> rounding{bit_depth};
    bool keeps_high = false;
    const auto blur = [&](const MotionWindow<Sample> &from, int x_read, int x) HWY_ATTR {
        if (!keeps_high) {
            const Lost lost = blur_columns<false>(from, x_read, rounding, rows, x);
            if (!lost.any_difference() && !lost.any_result())
                return;
            clear_high(rows, x);
            keeps_high = true;
        }
        blur_all_columns(from, x_read, rounding, rows, x);
    };
    int x = 0;
    for (; x + lanes_16 <= width; x += lanes_16)
        blur(window, x, x);
    if (x < width) {
        const WindowTail<Sample> tail(window, x, width - x);
        blur(tail.window, 0, x);
    }
    return keeps_high;
}

/// Three vectors of a row: from column x - 2, from x and from x + 2 on. Rows are aligned.
struct Neighbours {
    VI16 before, here, after;
};

HWY_INLINE Neighbours load_neighbours(const std::int16_t *row, int x) {
    const VI16 here = hn::Load(di16, row + x);
#if HWY_TARGET == HWY_AVX3            // where two of three unaligned loads would cross cache lines
    constexpr __mmask16 all = 0xffff; // without a mask, g++ 12 takes the intrinsic for a read of nothing
    const VI16 before = hn::Load(di16, row + x - lanes_16), after = hn::Load(di16, row + x + lanes_16);
    return {VI16{_mm512_maskz_alignr_epi32(all, here.raw, before.raw, lanes_32 - 1)}, here,
            VI16{_mm512_maskz_alignr_epi32(all, after.raw, here.raw, 1)}};
#else
    return {hn::LoadU(di16, row + x - 2), here, hn::LoadU(di16, row + x + 2)};
#endif
}

/// Sums of taps times lanes_16 values of a row.
HWY_INLINE Columns filter_along(VI32 start, const TapPairs &taps, const Neighbours &v) {
    return {filter(start, taps.whole, v.before, v.here, v.after), filter(start, taps.late, v.before, v.here, v.after)};
}

HWY_INLINE void put(const Columns &blurred, std::int32_t *out) {
    hn::StoreInterleaved2(blurred.even, blurred.odd, di32, out);
}

/// A row whose high part is 0. A lane of the sum gets at most 2 * 2^15 from each vector: it fits.
std::int64_t blur_low(const std::int16_t *row, int width, std::int32_t *blurred) {
    const TapPairs taps = tap_pairs();
    const VI32 half = hn::Set(di32, 1 << 15);
    const VI16 zero = hn::Zero(di16), minus_one = hn::Set(di16, -1);
    VI32 sum = hn::Zero(di32);
    const auto values = [&](int x) HWY_ATTR {
        const Columns v = filter_along(half, taps, load_neighbours(row, x));
        if (blurred)
            put({hn::ShiftRight<16>(v.even), hn::ShiftRight<16>(v.odd)}, blurred + x);
        return high_halves(v);
    };
    // -|v|, as |-32768| does not fit
    const auto add = [&](VI16 v) HWY_ATTR { sum = dot(sum, hn::Min(v, hn::Sub(zero, v)), minus_one); };
    int x = 0;
    for (; x + lanes_16 <= width; x += lanes_16)
        add(values(x));
    if (x < width)
        add(hn::IfThenElseZero(hn::FirstN(di16, static_cast<std::size_t>(width - x)), values(x)));
    return total(sum);
}

/// A row of values of at most 24 bits, with a sign.
std::int64_t blur_both(const MotionRow &row, int width, std::int32_t *blurred) {
    const TapPairs taps = tap_pairs();
    const auto values = [&](int x) HWY_ATTR {
        const Columns low = filter_along(hn::Set(di32, 1 << 15), taps, load_neighbours(row.low, x));
        const Columns high = filter_along(hn::Zero(di32), taps, load_neighbours(row.high, x));
        const Columns v{hn::Add(high.even, hn::ShiftRight<16>(low.even)),
                        hn::Add(high.odd, hn::ShiftRight<16>(low.odd))};
        if (blurred)
            put(v, blurred + x);
        return v;
    };
    constexpr int most_columns = 64 * lanes_16; // a lane has room for the values of 64 vectors
    std::int64_t row_sum = 0;
    for (int begin = 0; begin < width; begin += most_columns) {
        const int end = width - begin < most_columns ? width : begin + most_columns;
        VI32 sum = hn::Zero(di32);
        int x = begin;
        for (; x + lanes_16 <= end; x += lanes_16) {
            const Columns v = values(x);
            sum = hn::Add(sum, hn::Add(hn::Abs(v.even), hn::Abs(v.odd)));
        }
        if (x < end) {
            const Columns v = values(x);
            const auto count = static_cast<std::size_t>(end - x);
            sum = hn::Add(sum, hn::IfThenElseZero(hn::FirstN(di32, (count + 1) / 2), hn::Abs(v.even)));
            sum = hn::Add(sum, hn::IfThenElseZero(hn::FirstN(di32, count / 2), hn::Abs(v.odd)));
        }
        row_sum += total(sum);
    }
    return row_sum;
}

std::int64_t blur(const MotionRow &row, int width, std::int32_t *blurred) {
    return row.high ? blur_both(row, width, blurred) : blur_low(row.low, width, blurred);
}

/// A lane of the sum gets less than 2^16 from each vector: it fits.
std::int64_t distance(const std::int32_t *a, const std::int32_t *b, int width) {
    const auto load = [](const std::int32_t *at)
                          HWY_ATTR { return hn::ShiftRight<16>(hn::ShiftLeft<16>(hn::Load(di32, at))); };
    const auto distances = [&](int x) HWY_ATTR { return hn::Abs(hn::Sub(load(a + x), load(b + x))); };
    VI32 sum = hn::Zero(di32);
    int x = 0;
    for (; x + lanes_32 <= width; x += lanes_32)
        sum = hn::Add(sum, distances(x));
    if (x < width)
        sum = hn::Add(sum, hn::IfThenElseZero(hn::FirstN(di32, static_cast<std::size_t>(width - x)), distances(x)));
    return total(sum);
}

} // namespace

extern const MotionFunctions ISOVMAF_AT_LEVEL(motion_functions);
const MotionFunctions ISOVMAF_AT_LEVEL(motion_functions) = {columns<std::uint8_t>, columns<std::uint16_t>, blur,
                                                            distance};

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

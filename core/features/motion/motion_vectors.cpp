// SPDX-License-Identifier: BSD-2-Clause-Patent
// Motion's blur in vectors (features.md §2.1), once per level: along the rows, and the table of functions.
#include "features/motion/motion_vectors_columns.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

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

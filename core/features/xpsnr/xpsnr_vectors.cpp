// SPDX-License-Identifier: BSD-2-Clause-Patent
// XPSNR's sums in vectors (xpsnr.md §3), once per level.
#include "simd/lanes.hpp"

#include "features/xpsnr/xpsnr_functions.hpp"
#include "features/xpsnr/xpsnr_math.h"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

/// Up to these depths terms are computed in 16-bit lanes: a spatial term is below 12 * 2^depth, the sum of two samples
/// below 2 * 2^depth, and two changes of second order, one below the other, below 4 * 2^depth.
constexpr int most_depth_of_16_bit_terms = 11, most_depth_of_16_bit_groups = 13;

/// lanes_16 terms of a row, or lanes_32 of groups: 16-bit lanes, or 32-bit lanes in the order of the samples.
struct Terms16 {
    VI16 all;
    static constexpr int count = lanes_16;
};
struct Terms32 {
    VI32 lower, upper;
    static constexpr int count = lanes_16;
};
struct GroupTerms {
    VI32 all;
    static constexpr int count = lanes_32;
};

HWY_INLINE VI16 load(const std::uint8_t *at) { return load_bytes(at); }
HWY_INLINE VI16 load(const std::uint16_t *at) { return hn::BitCast(di16, hn::LoadU(du16, at)); }

HWY_INLINE VI32 load_32(const std::uint8_t *at) {
    return hn::PromoteTo(di32, hn::LoadU(hn::Rebind<std::uint8_t, DI32>(), at));
}
HWY_INLINE VI32 load_32(const std::uint16_t *at) {
    return hn::PromoteTo(di32, hn::LoadU(hn::Rebind<std::uint16_t, DI32>(), at));
}

template <class D, class V>
HWY_INLINE V without_first(D d, V v, int lane, int skipped) {
    const V number = hn::Iota(d, static_cast<hn::TFromD<D>>(lane));
    return hn::IfThenElseZero(hn::Gt(number, hn::Set(d, static_cast<hn::TFromD<D>>(skipped - 1))), v);
}
HWY_INLINE Terms16 without_first(const Terms16 &terms, int skipped) {
    return {without_first(di16, terms.all, 0, skipped)};
}
HWY_INLINE Terms32 without_first(const Terms32 &terms, int skipped) {
    return {without_first(di32, terms.lower, 0, skipped), without_first(di32, terms.upper, lanes_32, skipped)};
}
HWY_INLINE GroupTerms without_first(const GroupTerms &terms, int skipped) {
    return {without_first(di32, terms.all, 0, skipped)};
}

/// Sums of a row in 32-bit lanes. A row of a block has at most 1452 samples, so that a lane of the shortest vectors
/// gets less than 2^9 terms, each below 2^22.
HWY_INLINE VI32 add(VI32 sums, const Terms16 &terms) { return dot(sums, terms.all, hn::Set(di16, 1)); }
HWY_INLINE VI32 add(VI32 sums, const Terms32 &terms) { return hn::Add(sums, hn::Add(terms.lower, terms.upper)); }
HWY_INLINE VI32 add(VI32 sums, const GroupTerms &terms) { return hn::Add(sums, terms.all); }

HWY_INLINE void put(const Terms16 &terms, int skipped, std::uint32_t *out) {
    HWY_ALIGN std::int16_t lanes[lanes_16];
    hn::Store(terms.all, di16, lanes);
    for (int i = skipped; i < Terms16::count; i++)
        out[i] = static_cast<std::uint32_t>(lanes[i]);
}
HWY_INLINE void put(const Terms32 &terms, int skipped, std::uint32_t *out) {
    HWY_ALIGN std::int32_t lanes[2 * lanes_32];
    hn::Store(terms.lower, di32, lanes);
    hn::Store(terms.upper, di32, lanes + lanes_32);
    for (int i = skipped; i < Terms32::count; i++)
        out[i] = static_cast<std::uint32_t>(lanes[i]);
}
HWY_INLINE void put(const GroupTerms &terms, int skipped, std::uint32_t *out) {
    HWY_ALIGN std::int32_t lanes[lanes_32];
    hn::Store(terms.all, di32, lanes);
    for (int i = skipped; i < GroupTerms::count; i++)
        out[i] = static_cast<std::uint32_t>(lanes[i]);
}

HWY_INLINE VU64 widen(VU64 sum, VU32 lanes) {
    const VU64 both = hn::BitCast(du64, lanes);
    return hn::Add(hn::Add(sum, hn::And(both, hn::Set(du64, 0xffffffffu))), hn::ShiftRight<32>(both));
}

/// Sums up terms first to last of a row, number i of which stands at place i of `out` unless that is null. `vector(i)`
/// gives the terms from number i on, which may be asked for from number `least` to number `most`, the last one behind
/// its vector; `one(i)` gives one term.
template <class Vector, class One>
HWY_INLINE VU64 add_row(VU64 sum, int count, int least, int most, const Vector &vector, const One &one,
                        std::uint32_t *out) {
    using Terms = decltype(vector(0));
    VI32 sums = hn::Zero(di32);
    int i = 0;
    const int end = HWY_MIN(count, most);
    for (; i + Terms::count <= end; i += Terms::count) {
        const Terms terms = vector(i);
        sums = add(sums, terms);
        if (out)
            put(terms, 0, out + i);
    }
    if (i < end && end - Terms::count >= least) { // a vector that ends with the row
        const int begin = end - Terms::count;
        const Terms terms = vector(begin);
        sums = add(sums, without_first(terms, i - begin));
        if (out)
            put(terms, i - begin, out + begin);
        i = end;
    }
    std::uint64_t rest = 0;
    for (; i < count; i++) {
        const std::uint32_t term = one(i);
        rest += term;
        if (out)
            out[i] = term;
    }
    return hn::Add(widen(sum, as_u32(sums)), hn::IfThenElseZero(hn::FirstN(du64, 1), hn::Set(du64, rest)));
}

template <class Sample>
HWY_INLINE const Sample *row_of(const XpsnrSamples<Sample> &plane, int y) {
    return plane.first + plane.stride * HWY_MIN(y, plane.height - 1);
}

/// Squares of differences take all 32 bits, so their sums get lanes of 64.
template <class Sample>
HWY_INLINE VU64 add_large_squares(VU64 sum, const Sample *o, const Sample *d, int count, std::uint32_t *out) {
    int i = 0;
    for (; i + lanes_32 <= count; i += lanes_32) {
        const VI32 difference = hn::Sub(load_32(o + i), load_32(d + i));
        const VU32 square = as_u32(hn::Mul(difference, difference));
        sum = widen(sum, square);
        if (out)
            hn::StoreU(square, du32, out + i);
    }
    std::uint64_t rest = 0;
    for (; i < count; i++) {
        const std::uint32_t square = xpsnr_squared_error(o[i], d[i]);
        rest += square;
        if (out)
            out[i] = square;
    }
    return hn::Add(sum, hn::IfThenElseZero(hn::FirstN(du64, 1), hn::Set(du64, rest)));
}

/// Squares of differences of up to 14 bits: pairs of them are added in 32-bit lanes, four vectors at a time. Samples
/// above the bit depth, which the last column of chroma may have, give larger ones.
template <class Sample>
HWY_INLINE VU64 add_squares(VU64 sum, const Sample *o, const Sample *d, int x, int count) {
    constexpr int group = 4;
    const auto fits = [](VI16 a, VI16 b) HWY_ATTR {
        return hn::AllTrue(di16, hn::Eq(hn::ShiftRight<14>(hn::Or(a, b)), hn::Zero(di16)));
    };
    int i = 0;
    while (i + lanes_16 <= count) {
        VI32 squares = hn::Zero(di32);
        VI16 bits = hn::Zero(di16);
        const int begin = i;
        for (int k = 0; k < group && i + lanes_16 <= count; k++, i += lanes_16) {
            const VI16 r = load(o + i), s = load(d + i), difference = hn::Sub(r, s);
            squares = dot(squares, difference, difference);
            bits = hn::Or(bits, hn::Or(r, s));
        }
        if (HWY_LIKELY(fits(bits, bits)))
            sum = widen(sum, as_u32(squares));
        else
            sum = add_large_squares(sum, o + begin, d + begin, i - begin, nullptr);
    }
    if (i < count && x + count >= lanes_16) { // a vector that ends with the row
        const int begin = count - lanes_16;
        const VI16 r = load(o + begin), s = load(d + begin);
        const VI16 difference = without_first(di16, hn::Sub(r, s), 0, i - begin);
        if (HWY_LIKELY(fits(r, s)))
            return widen(sum, as_u32(dot(hn::Zero(di32), difference, difference)));
    }
    return add_large_squares(sum, o + i, d + i, count - i, nullptr);
}

template <class Sample>
std::uint64_t error(const XpsnrSamples<Sample> &reference, const XpsnrSamples<Sample> &distorted, const XpsnrSpan &span,
                    int bit_depth, std::uint32_t *terms) {
    const int count = span.right - span.left;
    VU64 sum = hn::Zero(du64);
    for (int y = span.top; y < span.bottom; y++) {
        const Sample *const o = row_of(reference, y) + span.left, *const d = row_of(distorted, y) + span.left;
        if (terms || bit_depth > 14) {
            sum = add_large_squares(sum, o, d, count, terms);
            terms = terms ? terms + count : nullptr;
        } else {
            sum = add_squares(sum, o, d, span.left, count);
        }
    }
    return static_cast<std::uint64_t>(total(sum));
}

template <class Sample>
std::uint64_t spatial(const XpsnrSamples<Sample> &reference, const XpsnrSpan &span, int bit_depth,
                      std::uint32_t *terms) {
    const int count = span.right - span.left;
    VU64 sum = hn::Zero(du64);
    for (int y = span.top; y < span.bottom; y++) {
        const Sample *const a = row_of(reference, y - 1) + span.left, *const o = row_of(reference, y) + span.left,
                            *const b = row_of(reference, y + 1) + span.left;
        const auto one = [&](int x) HWY_ATTR {
            return xpsnr_spatial(o[x], a[x] + b[x] + o[x - 1] + o[x + 1], a[x - 1] + a[x + 1] + b[x - 1] + b[x + 1]);
        };
        const auto term = [&](auto load_at, auto d, int x) HWY_ATTR {
            const auto sides =
                hn::Add(hn::Add(load_at(a + x), load_at(b + x)), hn::Add(load_at(o + x - 1), load_at(o + x + 1)));
            const auto corners = hn::Add(hn::Add(load_at(a + x - 1), load_at(a + x + 1)),
                                         hn::Add(load_at(b + x - 1), load_at(b + x + 1)));
            const auto sample = load_at(o + x);
            const auto three = hn::Add(hn::Add(sample, sample), sample);
            const auto twelve = hn::ShiftLeft<2>(three);
            (void)d;
            return hn::Abs(hn::Sub(twelve, hn::Add(hn::Add(sides, sides), corners)));
        };
        const auto load_16_at = [](const Sample *at) HWY_ATTR { return load(at); };
        const auto load_32_at = [](const Sample *at) HWY_ATTR { return load_32(at); };
        if (bit_depth <= most_depth_of_16_bit_terms)
            sum = add_row(
                sum, count, 1 - span.left, count, [&](int x) HWY_ATTR { return Terms16{term(load_16_at, di16, x)}; },
                one, terms);
        else
            sum = add_row(
                sum, count, 1 - span.left, count,
                [&](int x) HWY_ATTR {
                    return Terms32{term(load_32_at, di32, x), term(load_32_at, di32, x + lanes_32)};
                },
                one, terms);
        terms = terms ? terms + count : nullptr;
    }
    return static_cast<std::uint64_t>(total(sum));
}

/// The rows of a history at one height.
template <class Sample>
struct HistoryRows {
    const Sample *now, *before, *before_that;
    bool second_order;

    HWY_INLINE HistoryRows(const XpsnrHistory<Sample> &history, int y, int left)
        : now(row_of(history.now, y) + left), before(row_of(history.before, y) + left),
          before_that(row_of(history.before_that, y) + left), second_order(history.second_order) {}

    HWY_INLINE std::int32_t change(int x) const {
        return second_order ? now[x] - 2 * before[x] + before_that[x] : now[x] - before[x];
    }
    HWY_INLINE VI16 changes_16(int x) const {
        const VI16 first = hn::Sub(load(now + x), load(before + x));
        if (second_order)
            return hn::Add(first, hn::Sub(load(before_that + x), load(before + x)));
        return first;
    }
    HWY_INLINE VI32 changes_32(int x) const {
        const VI32 first = hn::Sub(load_32(now + x), load_32(before + x));
        if (second_order)
            return hn::Add(first, hn::Sub(load_32(before_that + x), load_32(before + x)));
        return first;
    }
};

HWY_INLINE std::uint32_t magnitude(std::int32_t v) { return static_cast<std::uint32_t>(v < 0 ? -v : v); }

template <class Sample>
std::uint64_t temporal(const XpsnrHistory<Sample> &history, const XpsnrSpan &span, int bit_depth,
                       std::uint32_t *terms) {
    const int count = span.right - span.left;
    VU64 sum = hn::Zero(du64);
    for (int y = span.top; y < span.bottom; y++) {
        const HistoryRows<Sample> rows(history, y, span.left);
        const auto one = [&](int x) HWY_ATTR { return magnitude(rows.change(x)); };
        if (bit_depth <= most_depth_of_16_bit_terms)
            sum = add_row(
                sum, count, -span.left, count, [&](int x) HWY_ATTR { return Terms16{hn::Abs(rows.changes_16(x))}; },
                one, terms);
        else
            sum = add_row(
                sum, count, -span.left, count,
                [&](int x) HWY_ATTR {
                    return Terms32{hn::Abs(rows.changes_32(x)), hn::Abs(rows.changes_32(x + lanes_32))};
                },
                one, terms);
        terms = terms ? terms + count : nullptr;
    }
    return static_cast<std::uint64_t>(total(sum));
}

/// The six rows around a group of two by two samples.
template <class Sample>
struct GroupRows {
    const Sample *outer[2], *next[2], *own[2];
    int last; ///< column of the plane

    HWY_INLINE GroupRows(const XpsnrSamples<Sample> &plane, int y)
        : outer{row_of(plane, y - 2), row_of(plane, y + 3)}, next{row_of(plane, y - 1), row_of(plane, y + 2)},
          own{row_of(plane, y), row_of(plane, y + 1)}, last(plane.width - 1) {}

    static HWY_INLINE VI16 both(const Sample *const (&rows)[2], int x) {
        return hn::Add(load(rows[0] + x), load(rows[1] + x));
    }

    /// The factors of the six columns around a group in pairs: for the sums of its own two rows, of the rows next to
    /// these, and of the outer ones.
    HWY_INLINE VI32 terms(int x) const {
        VI32 sum = hn::Zero(di32);
        sum = dot(sum, both(own, x - 2), set_pair(-1, -3));
        sum = dot(sum, both(next, x - 2), set_pair(-1, -2));
        sum = dot(sum, both(outer, x - 2), set_pair(0, -1));
        sum = dot(sum, both(own, x), set_pair(12, 12));
        sum = dot(sum, both(next, x), set_pair(-3, -3));
        sum = dot(sum, both(outer, x), set_pair(-1, -1));
        sum = dot(sum, both(own, x + 2), set_pair(-3, -1));
        sum = dot(sum, both(next, x + 2), set_pair(-2, -1));
        sum = dot(sum, both(outer, x + 2), set_pair(-1, 0));
        return hn::Abs(sum);
    }

    static HWY_INLINE std::int32_t both_at(const Sample *const (&rows)[2], int x) { return rows[0][x] + rows[1][x]; }

    HWY_INLINE std::uint32_t term(int x) const {
        const int end = HWY_MIN(x + 3, last);
        return xpsnr_spatial_halved(both_at(own, x) + both_at(own, x + 1),
                                    both_at(own, x - 1) + both_at(own, x + 2) + both_at(next, x) + both_at(next, x + 1),
                                    both_at(next, x - 1) + both_at(next, x + 2),
                                    both_at(own, x - 2) + both_at(next, x - 2) + both_at(own, end) +
                                        both_at(next, end) + both_at(outer, x - 1) + both_at(outer, x) +
                                        both_at(outer, x + 1) + both_at(outer, x + 2));
    }
};

template <class Sample>
std::uint64_t spatial_halved(const XpsnrSamples<Sample> &reference, const XpsnrSpan &span, int bit_depth,
                             std::uint32_t *terms) {
    const int count = (span.right - span.left + 1) / 2;
    // Groups that have three columns behind their first one.
    const int whole = bit_depth <= most_depth_of_16_bit_groups ? (reference.width - 2 - span.left) / 2 : 0;
    VU64 sum = hn::Zero(du64);
    for (int y = span.top; y < span.bottom; y += 2) {
        const GroupRows<Sample> rows(reference, y);
        sum = add_row(
            sum, count, (2 - span.left) / 2, whole,
            [&](int i) HWY_ATTR { return GroupTerms{rows.terms(span.left + 2 * i)}; },
            [&](int i) HWY_ATTR { return rows.term(span.left + 2 * i); }, terms);
        terms = terms ? terms + count : nullptr;
    }
    return static_cast<std::uint64_t>(total(sum));
}

template <class Sample>
std::uint64_t temporal_halved(const XpsnrHistory<Sample> &history, const XpsnrSpan &span, int bit_depth,
                              std::uint32_t *terms) {
    const int count = (span.right - span.left + 1) / 2, last = history.now.width - 1 - span.left;
    const int whole = bit_depth <= most_depth_of_16_bit_groups ? (last + 1) / 2 : 0; // groups of two columns
    VU64 sum = hn::Zero(du64);
    for (int y = span.top; y < span.bottom; y += 2) {
        const HistoryRows<Sample> upper(history, y, span.left);
        const HistoryRows<Sample> lower(history, HWY_MIN(y + 1, history.now.height - 1), span.left);
        sum = add_row(
            sum, count, -span.left / 2, whole,
            [&](int i) HWY_ATTR {
                const VI16 changes = hn::Add(upper.changes_16(2 * i), lower.changes_16(2 * i));
                return GroupTerms{hn::Abs(dot(hn::Zero(di32), changes, hn::Set(di16, 1)))};
            },
            [&](int i) HWY_ATTR {
                const int x = 2 * i, next = HWY_MIN(x + 1, last);
                return magnitude(upper.change(x) + upper.change(next) + lower.change(x) + lower.change(next));
            },
            terms);
        terms = terms ? terms + count : nullptr;
    }
    return static_cast<std::uint64_t>(total(sum));
}

template <class Sample>
constexpr XpsnrSums<Sample> sums = {error<Sample>, spatial<Sample>, temporal<Sample>, spatial_halved<Sample>,
                                    temporal_halved<Sample>};

} // namespace

extern const XpsnrFunctions ISOVMAF_AT_LEVEL(xpsnr_functions);
const XpsnrFunctions ISOVMAF_AT_LEVEL(xpsnr_functions) = {sums<std::uint8_t>, sums<std::uint16_t>};

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// Counts of values in windows, and c-values: cambi.md §6 and §7.
#include "simd/lanes.hpp"

#include "features/cambi/cambi_functions.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

constexpr hn::Rebind<std::uint16_t, DU32> half_u16; ///< as many 16-bit integers as there are lanes of 32 bits

HWY_INLINE int cambi_first_bit(std::uint64_t bits) { return __builtin_ctzll(bits); }

/// Bits of the columns of a word where two rows are equal.
HWY_INLINE std::uint64_t cambi_equal(const std::uint16_t *a, const std::uint16_t *b) {
    HWY_ALIGN std::uint8_t bytes[cambi_word_bits / 8 + 8]; // StoreMaskBits needs 8 bytes at each place
    for (int x = 0; x < cambi_word_bits; x += lanes_16)
        hn::StoreMaskBits(du16, hn::Eq(hn::LoadU(du16, a + x), hn::LoadU(du16, b + x)), bytes + x / 8);
    std::uint64_t bits;
    __builtin_memcpy(&bits, bytes, sizeof bits);
    return bits;
}

/// Calls `visit(column, length)` for each run of equal samples of a word's columns whose bits are set.
template <class Visit>
HWY_INLINE void cambi_for_each_run(const std::uint16_t *row, std::uint64_t bits, const Visit &visit) {
    if (bits == 0)
        return;
    const std::uint64_t joined = bits & (bits << 1) & cambi_equal(row, row - 1); // with the column on the left
    std::uint64_t starts = bits & ~joined, ends = bits & ~(joined >> 1);
    for (; starts != 0; starts &= starts - 1, ends &= ends - 1)
        visit(cambi_first_bit(starts), cambi_first_bit(ends) - cambi_first_bit(starts) + 1);
}

void cambi_mark_values(const std::uint16_t *row, const std::uint64_t *bits, int width, std::uint8_t *present) {
    for (int word = 0; word * cambi_word_bits < width; word++) {
        const std::uint16_t *const samples = row + word * cambi_word_bits;
        cambi_for_each_run(samples, bits[word], [&](int x, int) HWY_ATTR { present[samples[x]] = 1; });
    }
}

/// Adds the pixels of runs to the counts of windows in their reach, or takes them away. Over the columns the number of
/// a run's pixels in a window goes up by ones, stays, and goes down.
template <bool add>
HWY_INLINE void cambi_count_runs(const std::uint16_t *row, std::uint64_t bits, int first_column,
                                 const CambiHistogram &histogram) {
    const int radius = histogram.radius;
    const VI16 columns = hn::Iota(di16, 0), step = hn::Set(di16, lanes_16);
    cambi_for_each_run(row + first_column, bits, [&](int x, int length) HWY_ATTR {
        const int reach = length + 2 * radius;
        const VI16 most = hn::Set(di16, static_cast<std::int16_t>(HWY_MIN(length, 2 * radius + 1)));
        VI16 up = hn::Add(columns, hn::Set(di16, 1));
        VI16 down = hn::Sub(hn::Set(di16, static_cast<std::int16_t>(reach)), columns);
        const int column = first_column + x;
        std::uint16_t *at = histogram.counts + histogram.rows[CAMBI_LARGEST_STEP + row[column]] + column - radius;
        for (int i = 0; i < reach; i += lanes_16, at += lanes_16) {
            const VU16 pixels = hn::BitCast(du16, hn::Max(hn::Min(hn::Min(up, down), most), hn::Zero(di16)));
            const VU16 counts = hn::LoadU(du16, at);
            hn::StoreU(add ? hn::Add(counts, pixels) : hn::Sub(counts, pixels), du16, at);
            up = hn::Add(up, step);
            down = hn::Sub(down, step);
        }
    });
}

void cambi_move_windows(const std::uint16_t *entering, const std::uint64_t *entering_bits, const std::uint16_t *leaving,
                        const std::uint64_t *leaving_bits, int width, const CambiHistogram &histogram) {
    for (int word = 0; word * cambi_word_bits < width; word++) {
        const int column = word * cambi_word_bits;
        std::uint64_t enters = entering_bits[word], leaves = leaving_bits[word];
        if (const std::uint64_t both = enters & leaves; both != 0) {
            const std::uint64_t changed = ~(both & cambi_equal(entering + column, leaving + column));
            enters &= changed;
            leaves &= changed;
        }
        cambi_count_runs<true>(entering, enters, column, histogram);
        cambi_count_runs<false>(leaving, leaves, column, histogram);
    }
}

/// How often `value` stands in the windows around lanes_32 neighbours.
HWY_INLINE VU32 cambi_counts(const CambiHistogram &histogram, int value, int column) {
    const std::uint32_t row = histogram.rows[CAMBI_LARGEST_STEP + value];
    return hn::PromoteTo(du32, hn::LoadU(half_u16, histogram.counts + row + column));
}

/// The c-values that lanes_32 neighbours have if their value is `value`.
HWY_INLINE VF32 cambi_c_values_of(const CambiHistogram &histogram, int value, int column) {
    VF32 largest = hn::Zero(df32);
    std::uint32_t steps = histogram.steps[value];
    if (steps == 0)
        return largest;
    const VU32 same = cambi_counts(histogram, value, column);
    for (; steps != 0; steps &= steps - 1) {
        const int d = cambi_first_bit(steps) + 1;
        const VU32 other =
            hn::Max(cambi_counts(histogram, value + d, column), cambi_counts(histogram, value - d, column));
        if (hn::AllTrue(du32, hn::Eq(other, hn::Zero(du32))))
            continue;
        const VU32 product = hn::Mul(hn::Mul(same, other), hn::Set(du32, cambi_weights[d - 1]));
        const VF32 reciprocal = hn::GatherIndex(df32, histogram.reciprocals, hn::BitCast(di32, hn::Add(same, other)));
        const VF32 contrast = hn::Mul(hn::ConvertTo(df32, hn::BitCast(di32, product)), reciprocal);
        largest = hn::Max(largest, contrast);
    }
    return largest;
}

/// The c-values of a group of neighbours, of which `wanted` says which count.
HWY_INLINE VF32 cambi_group(const std::uint16_t *row, int column, std::uint64_t wanted,
                            const CambiHistogram &histogram) {
    const VU32 samples = hn::PromoteTo(du32, hn::LoadU(half_u16, row + column));
    VF32 result = hn::Zero(df32);
    HWY_ALIGN std::uint8_t bytes[8];
    for (std::uint64_t rest = wanted; rest != 0;) { // value by value
        const int value = row[column + cambi_first_bit(rest)];
        const auto equal = hn::Eq(samples, hn::Set(du32, static_cast<std::uint32_t>(value)));
        result = hn::IfThenElse(hn::RebindMask(df32, equal), cambi_c_values_of(histogram, value, column), result);
        std::uint64_t bits = 0;
        __builtin_memcpy(bytes, &bits, sizeof bits);
        hn::StoreMaskBits(du32, equal, bytes);
        __builtin_memcpy(&bits, bytes, sizeof bits);
        rest &= ~bits;
    }
    __builtin_memcpy(bytes, &wanted, sizeof wanted);
    return hn::IfThenElseZero(hn::LoadMaskBits(df32, bytes), result);
}

std::ptrdiff_t cambi_c_values(const std::uint16_t *row, const std::uint64_t *bits, int width,
                              const CambiHistogram &histogram, bool in_place, float *out) {
    constexpr std::uint64_t group = (std::uint64_t{1} << lanes_32) - 1;
    std::ptrdiff_t count = 0;
    for (int word = 0; word * cambi_word_bits < width; word++) {
        if (bits[word] == 0)
            continue;
        for (int x = 0; x < cambi_word_bits; x += lanes_32) {
            const std::uint64_t wanted = bits[word] >> x & group;
            if (wanted == 0)
                continue;
            const int column = word * cambi_word_bits + x;
            hn::StoreU(cambi_group(row, column, wanted, histogram), df32, out + (in_place ? column : count));
            count += lanes_32;
        }
    }
    return count;
}

CambiTotal cambi_total(const float *values, std::ptrdiff_t count, float limit) {
    VF64 sum = hn::Zero(df64);
    std::size_t above = 0;
    std::ptrdiff_t i = 0;
    for (; i + lanes_64 <= count; i += lanes_64) {
        const VF64 value = hn::PromoteTo(df64, hn::LoadU(dhalf, values + i));
        const auto is_above = hn::Gt(value, hn::Set(df64, double{limit}));
        sum = hn::Add(sum, hn::IfThenElseZero(is_above, value));
        above += hn::CountTrue(df64, is_above);
    }
    HWY_ALIGN double lanes[lanes_64];
    hn::Store(sum, df64, lanes);
    CambiTotal total{0, static_cast<std::int64_t>(above)};
    for (const double lane : lanes)
        total.sum += lane;
    for (; i < count; i++)
        if (values[i] > limit) {
            total.sum += double{values[i]};
            total.count++;
        }
    return total;
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

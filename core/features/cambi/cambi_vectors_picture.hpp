// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// From samples to masks and filtered pictures: cambi.md §3 to §5. Rows have cambi_row_room at both ends.
#include "simd/lanes.hpp"

#include "features/cambi/cambi_functions.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

constexpr hn::ScalableTag<std::int8_t> di8;
constexpr int lanes_8 = 2 * lanes_16;
constexpr hn::Rebind<std::uint8_t, DI16> half_8; ///< as many bytes as there are lanes of 16 bits

HWY_INLINE VU16 cambi_to_10_bits(const std::uint8_t *at, int) {
    return hn::ShiftLeft<CAMBI_SAMPLE_BITS - 8>(hn::BitCast(du16, load_bytes(at)));
}
HWY_INLINE VU16 cambi_to_10_bits(const std::uint16_t *at, int bit_depth) {
    const int shift = bit_depth - CAMBI_SAMPLE_BITS;
    const VU16 samples = hn::LoadU(du16, at), largest = hn::Set(du16, CAMBI_LARGEST_SAMPLE);
    if (shift <= 0) // of samples in range: what is shifted out would be lost
        return hn::Min(shift_left(du16, hn::Min(samples, largest), -shift), largest);
    const VU16 halves = hn::AverageRound(shift_right(du16, samples, shift - 1), hn::Zero(du16));
    return hn::Min(halves, largest);
}

template <class Sample>
HWY_INLINE void cambi_convert(const Sample *samples, int width, int bit_depth, std::uint16_t *out) {
    int x = 0;
    for (; x + lanes_16 <= width; x += lanes_16)
        hn::StoreU(cambi_to_10_bits(samples + x, bit_depth), du16, out + x);
    if (x < width) {
        Tail<Sample> tail;
        tail.fill(samples + x, width - x);
        hn::StoreU(cambi_to_10_bits(tail.samples, bit_depth), du16, out + x);
    }
}
void cambi_convert_8(const std::uint8_t *samples, int width, std::uint16_t *out) {
    cambi_convert(samples, width, 8, out);
}
void cambi_convert_16(const std::uint16_t *samples, int width, int bit_depth, std::uint16_t *out) {
    cambi_convert(samples, width, bit_depth, out);
}

void cambi_average(const std::uint16_t *row, const std::uint16_t *below, int width, std::uint16_t *out) {
    const auto pair = [](const std::uint16_t *at)
                          HWY_ATTR { return hn::Add(hn::LoadU(du16, at), hn::LoadU(du16, at + 1)); };
    for (int x = 0; x < width; x += lanes_16) {
        const VU16 sum =
            below ? hn::ShiftRight<2>(hn::Add(pair(row + x), pair(below + x))) : hn::ShiftRight<1>(pair(row + x));
        hn::StoreU(sum, du16, out + x);
    }
    const int last = width - 1;
    out[last] = static_cast<std::uint16_t>(below ? (row[last] + below[last]) >> 1 : row[last]);
}

void cambi_flat_columns(const std::uint16_t *row, const std::uint16_t *below, int width, std::uint8_t *flat,
                        std::uint8_t *sums) {
    const VI16 one = hn::Set(di16, 1);
    for (int x = 0; x < width; x += lanes_16) {
        const VU16 sample = hn::LoadU(du16, row + x);
        const auto equal =
            hn::And(hn::Eq(sample, hn::LoadU(du16, row + x + 1)), hn::Eq(sample, hn::LoadU(du16, below + x)));
        const auto now = hn::DemoteTo(half_8, hn::And(hn::BitCast(di16, hn::VecFromMask(du16, equal)), one));
        const auto before = hn::LoadU(half_8, flat + x);
        hn::StoreU(now, half_8, flat + x);
        hn::StoreU(hn::Sub(hn::Add(hn::LoadU(half_8, sums + x), now), before), half_8, sums + x);
    }
    // The last column has no neighbour on the right.
    const int last = width - 1;
    const int right_edge = row[last] == below[last] ? 1 : 0;
    sums[last] = static_cast<std::uint8_t>(sums[last] + right_edge - flat[last]);
    flat[last] = static_cast<std::uint8_t>(right_edge);
    for (int x = width; x < width + lanes_16; x++)
        flat[x] = sums[x] = 0;
}

void cambi_mask(const std::uint8_t *sums, int width, int threshold, std::uint64_t *bits) {
    const auto limit = hn::Set(di8, static_cast<std::int8_t>(threshold));
    for (int word = 0; word * cambi_word_bits < width; word++) {
        HWY_ALIGN std::uint8_t bytes[cambi_word_bits / 8 + 8]; // StoreMaskBits needs 8 bytes at each place
        for (int x = 0; x < cambi_word_bits; x += lanes_8) {
            const auto *const at = reinterpret_cast<const std::int8_t *>(sums) + word * cambi_word_bits + x;
            auto sum = hn::LoadU(di8, at);
            for (int i = 1; i <= CAMBI_MASK_RADIUS; i++)
                sum = hn::Add(sum, hn::Add(hn::LoadU(di8, at - i), hn::LoadU(di8, at + i)));
            hn::StoreMaskBits(di8, hn::Gt(sum, limit), bytes + x / 8);
        }
        __builtin_memcpy(&bits[word], bytes, sizeof bits[word]);
    }
    if (const int used = width % cambi_word_bits; used > 0)
        bits[width / cambi_word_bits] &= (std::uint64_t{1} << used) - 1;
}

void cambi_decimate(const std::uint16_t *row, int width, std::uint16_t *out) {
    const hn::Rebind<std::uint16_t, DI32> half_16;
    const VI32 low = hn::Set(di32, 0xffff);
    for (int x = 0; x < width; x += lanes_32)
        hn::StoreU(hn::DemoteTo(half_16, hn::And(hn::BitCast(di32, hn::LoadU(du16, row + 2 * x)), low)), half_16,
                   out + x);
}

/// cambi_mode of each lane.
HWY_INLINE VU16 cambi_modes(VU16 a, VU16 b, VU16 c) {
    const VU16 smallest = hn::Min(hn::Min(a, b), c);
    const VU16 b_or_less = hn::IfThenElse(hn::Eq(b, c), b, smallest);
    return hn::IfThenElse(hn::Or(hn::Eq(a, b), hn::Eq(a, c)), a, b_or_less);
}

void cambi_mode_along(const std::uint16_t *row, int width, std::uint16_t *out) {
    for (int x = 0; x < width; x += lanes_16)
        hn::StoreU(cambi_modes(hn::LoadU(du16, row + x - 1), hn::LoadU(du16, row + x), hn::LoadU(du16, row + x + 1)),
                   du16, out + x);
    out[0] = row[0];
    out[width - 1] = row[width - 1];
}

void cambi_mode_down(const std::uint16_t *above, const std::uint16_t *row, const std::uint16_t *below, int width,
                     std::uint16_t *out) {
    for (int x = 0; x < width; x += lanes_16)
        hn::StoreU(cambi_modes(hn::LoadU(du16, above + x), hn::LoadU(du16, row + x), hn::LoadU(du16, below + x)), du16,
                   out + x);
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

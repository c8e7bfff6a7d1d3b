// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "simd/vectors.hpp"

#include "features/vif/vif_vectors_rows.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

/// The next scale's picture (features.md §3.1) from pairs of rows in segments. `F` is this scale's filter.
template <class Sample, class F>
class Decimator {
    using Next = Filter<F::scale + 1>;

  public:
    static constexpr int rows = group / 2; ///< that a group of rows makes

    HWY_INLINE Decimator(int width, int bit_depth, Memory &memory)
        : segment_(segment_of(width)), shifts_(bit_depth),
          means_(memory.take<std::int16_t>(2 * lanes_32 * rows * mean_pairs(width))),
          columns_(memory.take<std::uint32_t>(lanes_32 * column_pairs(width))) {}

    static HWY_INLINE std::size_t memory_bytes(int width) {
        return bytes_of<std::int16_t>(2 * lanes_32 * rows * mean_pairs(width)) +
               bytes_of<std::uint32_t>(lanes_32 * column_pairs(width));
    }

    /// Makes the rows at places 0 and 2 of a group, which `pairs` of rows reach; those that `to` has a place for.
    HWY_INLINE void add(const Sample *const *pairs, std::uint16_t *const *to) {
        const int count = segment_ / 2 + Next::margin;
        for (int c = 0; c < count; c++)
            filter_columns(pairs + (F::margin - Next::margin) / 2, c, count);
        for (int q = 0; q < rows; q++)
            if (to[q]) {
                filter_rows(means_ + 2 * lanes_32 * count * q);
                put_row(to[q]);
            }
    }

  private:
    static HWY_INLINE int mean_pairs(int width) { return segment_of(width) / 2 + Next::margin; }
    static HWY_INLINE int column_pairs(int width) { return segment_of(width) / 4; }

    /// Vertical means, less 32768, of pair `c` of columns.
    HWY_INLINE void filter_columns(const Sample *const *pairs, int c, int count) {
        const std::size_t at = static_cast<std::size_t>((F::margin - Next::margin + 2 * c) * lanes_32 * 2);
        VU32 even[rows], odd[rows];
        filter_means<Next, 2, rows>(pairs, at, shifts_.mean, even);
        filter_means<Next, 2, rows>(pairs, at + lanes_32 * 2, shifts_.mean, odd);
#pragma GCC unroll 2
        for (int q = 0; q < rows; q++)
            hn::Store(hn::Xor(pairs_of(shifts_.mean_high(odd[q]), shifts_.mean_low(even[q])), sign_bits()), di16,
                      means_ + 2 * lanes_32 * (count * q + c));
    }

    /// Every second sample of a row, in pairs.
    HWY_INLINE void filter_rows(const std::int16_t *means) {
        for (int x = 0; x < segment_ / 4; x++) {
            VI32 sum[2];
#pragma GCC unroll 2
            for (int i = 0; i < 2; i++) {
                sum[i] = Next::start(lack + 32768);
#pragma GCC unroll 17
                for (int p = 0; p < Next::pairs; p++)
                    if (Next::has(p, 0))
                        sum[i] = dot(sum[i], hn::Load(di16, means + 2 * lanes_32 * (2 * x + i + p)), Next::taps(p, 0));
            }
            const VI16 pair = pairs_of(Next::finish(sum[1]), hn::ShiftRight<16>(Next::finish(sum[0])));
            hn::Store(hn::BitCast(du32, pair), du32, columns_ + x * lanes_32);
        }
    }

    /// Segments to a row: to[lane * segment / 2 + 2 * column] gets a pair of samples.
    HWY_INLINE void put_row(std::uint16_t *to) const {
        const hn::FixedTag<std::uint32_t, 4> d;
        const hn::FixedTag<std::uint64_t, 2> d2;
        const hn::FixedTag<std::uint16_t, 8> d16;
        const int columns = segment_ / 4;
        for (int lane = 0; lane < lanes_32; lane += 4) {
            std::uint16_t *const out = to + lane * (segment_ / 2);
            const auto put = [&](int x) HWY_ATTR { // four columns of four lanes
                const auto load = [&](int i) HWY_ATTR { return hn::Load(d, columns_ + (x + i) * lanes_32 + lane); };
                const auto store = [&](int i, auto v) HWY_ATTR {
                    hn::StoreU(hn::BitCast(d16, v), d16, out + i * (segment_ / 2) + 2 * x);
                };
                const auto a = hn::BitCast(d2, hn::InterleaveLower(d, load(0), load(1)));
                const auto b = hn::BitCast(d2, hn::InterleaveLower(d, load(2), load(3)));
                const auto e = hn::BitCast(d2, hn::InterleaveUpper(d, load(0), load(1)));
                const auto f = hn::BitCast(d2, hn::InterleaveUpper(d, load(2), load(3)));
                store(0, hn::InterleaveLower(d2, a, b));
                store(1, hn::InterleaveUpper(d2, a, b));
                store(2, hn::InterleaveLower(d2, e, f));
                store(3, hn::InterleaveUpper(d2, e, f));
            };
            int x = 0;
            for (; x + 4 <= columns; x += 4)
                put(x);
            if (x < columns && columns >= 4)
                put(columns - 4);
            for (; x < columns && columns < 4; x++)
                for (int i = 0; i < 4; i++) {
                    const std::uint32_t pair = columns_[x * lanes_32 + lane + i];
                    out[i * (segment_ / 2) + 2 * x] = static_cast<std::uint16_t>(pair & 0xffff);
                    out[i * (segment_ / 2) + 2 * x + 1] = static_cast<std::uint16_t>(pair >> 16);
                }
        }
    }

    int segment_;
    Shifts<Sample, F> shifts_;
    std::int16_t *means_;
    std::uint32_t *columns_;
};

/// Nothing follows the last scale.
template <class Sample>
class Decimator<Sample, Filter<VIF_LAST_SCALE>> {
  public:
    static constexpr int rows = group / 2;

    HWY_INLINE Decimator(int, int, Memory &) {}
    HWY_INLINE void add(const Sample *const *, std::uint16_t *const *) {}
};

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

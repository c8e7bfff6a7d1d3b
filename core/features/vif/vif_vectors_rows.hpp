// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "simd/vectors.hpp"

#include <type_traits>

#include "features/vif/vif_vectors_filter.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

// Part of vif_vectors.cpp: rows of samples in segments. A picture is cut into as many upright segments as a vector has
// 32-bit lanes: lane l of column i has sample l * segment + i of a row. Neighbours in a row are then neighbouring
// vectors, and a horizontal filter needs no shuffles, only a margin at both ends of the segments.

HWY_INLINE int limited(int i, int least, int most) { return i < least ? least : i > most ? most : i; }

/// The place of sample i of n; what lies further out than a filter's radius is never used, and gets a place that
/// exists.
HWY_INLINE int source(int i, int n) { return limited(mirror_101(limited(i, 1 - n, 2 * n - 2), n), 0, n - 1); }

/// Row y, mirrored at the picture's edges. Rows that are not there are never used, either.
template <class Sample>
HWY_INLINE const Sample *row_of(const VifRows &rows, int y) {
    const int at = limited(source(y, rows.height), rows.top, rows.bottom - 1) - rows.top;
    return reinterpret_cast<const Sample *>(rows.samples + at * rows.stride_bytes);
}

/// Bytes of `count` elements in a block of memory, whose parts are aligned to 64 bytes.
template <class T>
HWY_INLINE std::size_t bytes_of(int count) {
    return (static_cast<std::size_t>(count) * sizeof(T) + 63) / 64 * 64;
}

/// Takes the parts of a block of memory one after the other.
struct Memory {
    std::byte *next;

    template <class T>
    HWY_INLINE T *take(int count) {
        std::byte *const start = next;
        next += bytes_of<T>(count);
        return reinterpret_cast<T *>(start);
    }
};

/// Columns of a segment, in whole batches.
HWY_INLINE int segment_of(int width) { return ((width + lanes_32 - 1) / lanes_32 + batch - 1) / batch * batch; }

using D8x16 = hn::FixedTag<std::uint16_t, 8>;
using D4x32 = hn::FixedTag<std::uint32_t, 4>;
using D2x64 = hn::FixedTag<std::uint64_t, 2>;

/// Eight columns of four lanes; each vector gets two columns.
HWY_INLINE void load_four_lanes(const std::uint16_t *in, int segment, hn::Vec<D2x64> &columns01,
                                hn::Vec<D2x64> &columns23, hn::Vec<D2x64> &columns45, hn::Vec<D2x64> &columns67) {
    const D8x16 d;
    const D4x32 d2;
    const D2x64 d4;
    const auto l0 = hn::LoadU(d, in), l1 = hn::LoadU(d, in + segment), l2 = hn::LoadU(d, in + 2 * segment),
               l3 = hn::LoadU(d, in + 3 * segment);
    const auto a = hn::BitCast(d2, hn::InterleaveLower(d, l0, l1)), b = hn::BitCast(d2, hn::InterleaveLower(d, l2, l3));
    columns01 = hn::BitCast(d4, hn::InterleaveLower(d2, a, b));
    columns23 = hn::BitCast(d4, hn::InterleaveUpper(d2, a, b));
    const auto e = hn::BitCast(d2, hn::InterleaveUpper(d, l0, l1)), f = hn::BitCast(d2, hn::InterleaveUpper(d, l2, l3));
    columns45 = hn::BitCast(d4, hn::InterleaveLower(d2, e, f));
    columns67 = hn::BitCast(d4, hn::InterleaveUpper(d2, e, f));
}

/// out[column][lane] = in[lane * segment + column], for eight columns.
HWY_INLINE void transpose_columns(const std::uint16_t *in, int segment, std::uint16_t *out) {
    const D8x16 d;
    const D2x64 d4;
    auto a01 = hn::Zero(d4), a23 = a01, a45 = a01, a67 = a01;
    if constexpr (lanes_32 == 4) {
        load_four_lanes(in, segment, a01, a23, a45, a67);
        hn::StoreU(hn::BitCast(d, a01), d, out);
        hn::StoreU(hn::BitCast(d, a23), d, out + 8);
        hn::StoreU(hn::BitCast(d, a45), d, out + 16);
        hn::StoreU(hn::BitCast(d, a67), d, out + 24);
    } else {
        for (int lane = 0; lane < lanes_32; lane += 8) {
            auto b01 = a01, b23 = a01, b45 = a01, b67 = a01;
            load_four_lanes(in + lane * segment, segment, a01, a23, a45, a67);
            load_four_lanes(in + (lane + 4) * segment, segment, b01, b23, b45, b67);
            const auto store = [&](int column, auto a, auto b) HWY_ATTR {
                std::uint16_t *const at = out + column * lanes_32 + lane;
                hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d4, a, b)), d, at);
                hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d4, a, b)), d, at + lanes_32);
            };
            store(0, a01, b01);
            store(2, a23, b23);
            store(4, a45, b45);
            store(6, a67, b67);
        }
    }
}

/// The same for four columns of u32.
HWY_INLINE void transpose_columns(const std::uint32_t *in, int segment, std::uint32_t *out) {
    const D4x32 d;
    const D2x64 d2;
    for (int lane = 0; lane < lanes_32; lane += 4) {
        const auto load = [&](int i) HWY_ATTR { return hn::LoadU(d, in + (lane + i) * segment); };
        const auto l0 = load(0), l1 = load(1), l2 = load(2), l3 = load(3);
        const auto store = [&](int column, auto columns)
                               HWY_ATTR { hn::StoreU(hn::BitCast(d, columns), d, out + column * lanes_32 + lane); };
        const auto a = hn::BitCast(d2, hn::InterleaveLower(d, l0, l1));
        const auto b = hn::BitCast(d2, hn::InterleaveLower(d, l2, l3));
        const auto e = hn::BitCast(d2, hn::InterleaveUpper(d, l0, l1));
        const auto f = hn::BitCast(d2, hn::InterleaveUpper(d, l2, l3));
        store(0, hn::InterleaveLower(d2, a, b));
        store(1, hn::InterleaveUpper(d2, a, b));
        store(2, hn::InterleaveLower(d2, e, f));
        store(3, hn::InterleaveUpper(d2, e, f));
    }
}

/// Pairs of rows of a picture in segments, for the last few pairs. A 32-bit lane, or 16-bit lane of bytes, has the
/// first row's sample in its low half and the second row's in its high half.
template <class Sample, class F>
class PairRows {
    using Pair = std::conditional_t<sizeof(Sample) == 1, std::uint16_t, std::uint32_t>;

  public:
    HWY_INLINE PairRows(const VifRows &rows, Memory &memory)
        : rows_(rows), segment_(segment_of(rows.width)), columns_(segment_ + 2 * F::margin),
          line_(memory.take<Pair>(line_size(rows.width))), ring_(memory.take<Sample>(pair_size(rows.width) * slots)) {
        for (int i = 0; i < line_size(rows.width); i++) // what lies behind a row stays 0
            line_[i] = 0;
    }

    static HWY_INLINE std::size_t memory_bytes(int width) {
        return bytes_of<Pair>(line_size(width)) + bytes_of<Sample>(pair_size(width) * slots);
    }

    /// Keeps rows `y` and y + 1 as pair number `pair`.
    HWY_INLINE void fill(int pair, int y) {
        interleave(row_of<Sample>(rows_, y), row_of<Sample>(rows_, y + 1), line_ + F::margin);
        constexpr int step = 16 / sizeof(Pair);
        for (int at = 0;; at = at + 2 * step > columns_ ? columns_ - step : at + step) {
            transpose_columns(line_ + at, segment_, reinterpret_cast<Pair *>(ring_ + slot(pair)) + at * lanes_32);
            if (at == columns_ - step)
                break;
        }
    }

    /// Fetches `count` columns of each segment, from column x on, of rows y and behind it into the cache.
    HWY_INLINE void prefetch(int y, int x) const {
        const std::ptrdiff_t at = std::ptrdiff_t{x} * lanes_32 * static_cast<std::ptrdiff_t>(sizeof(Sample));
        for (int q = 0; q < group; q++)
            for (int i = 0; i < batch * lanes_32 * static_cast<int>(sizeof(Sample)); i += 64)
                __builtin_prefetch(reinterpret_cast<const std::byte *>(row_of<Sample>(rows_, y + q)) + at + i);
    }

    [[nodiscard]] HWY_INLINE const Sample *pair(int number) const { return ring_ + slot(number); }

  private:
    static constexpr int slots = 16;
    static_assert(group_pairs<F> <= slots);

    static HWY_INLINE int line_size(int width) { return lanes_32 * segment_of(width) + 2 * F::margin; }
    static HWY_INLINE int pair_size(int width) { return 2 * lanes_32 * (segment_of(width) + 2 * F::margin); }
    [[nodiscard]] HWY_INLINE std::ptrdiff_t slot(int pair) const {
        return std::ptrdiff_t{pair & (slots - 1)} * 2 * lanes_32 * columns_;
    }

    /// A row of pairs, with the filter's margins.
    HWY_INLINE void interleave(const Sample *even, const Sample *odd, Pair *line) const {
        const hn::FixedTag<Sample, 16 / sizeof(Sample)> d;
        constexpr int step = 16 / sizeof(Sample);
        const int width = rows_.width;
        for (int x = 0; x + step <= width; x += step) {
            const auto a = hn::LoadU(d, even + x), b = hn::LoadU(d, odd + x);
            hn::StoreU(hn::InterleaveLower(d, a, b), d, reinterpret_cast<Sample *>(line + x));
            hn::StoreU(hn::InterleaveUpper(d, a, b), d, reinterpret_cast<Sample *>(line + x + step / 2));
        }
        for (int x = width / step * step; x < width; x++)
            line[x] = static_cast<Pair>(even[x] | static_cast<Pair>(odd[x]) << 8 * sizeof(Sample));
        for (int i = 1; i <= F::margin; i++) {
            line[-i] = line[source(-i, width)];
            line[width - 1 + i] = line[source(width - 1 + i, width)];
        }
    }

    VifRows rows_;
    int segment_, columns_;
    Pair *line_;
    Sample *ring_;
};

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

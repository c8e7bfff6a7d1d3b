// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "simd/vectors.hpp"

#include "features/vif/vif_vectors_rows.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

// Part of vif_vectors.cpp: the next scale's picture (features.md §3.1). Its filter is that of the next scale. Rows lie
// as they are here, since only every second row and column is needed.

/// A row of vertical means, less 32768, with space for the filter's reach.
template <class Sample, class F>
class MeanRow {
  public:
    HWY_INLINE MeanRow(const VifRows &from, int bit_depth, Memory &memory)
        : from_(from), shift_(vif_mean_shift(F::scale - 1, bit_depth)),
          row_(memory.take<std::int16_t>(from.width + 2 * space) + space),
          narrow_(memory.take<Sample>(2 * F::pairs * step)) {
        for (int i = -space; i < from.width + space; i++)
            row_[i] = 0;
    }

    static HWY_INLINE std::size_t memory_bytes(int width) {
        return bytes_of<std::int16_t>(width + 2 * space) + bytes_of<Sample>(2 * F::pairs * step);
    }

    /// The means around row y.
    HWY_INLINE const std::int16_t *fill(int y) {
        const Sample *rows[2 * F::pairs];
        for (int k = 0; k < 2 * F::pairs; k++)
            rows[k] = row_of<Sample>(from_, y - F::margin + k);
        const int width = from_.width;
        if (width < step) {
            for (int k = 0; k < 2 * F::pairs; k++)
                rows[k] = copy(rows[k], narrow_ + k * step);
            add(rows, 0);
        } else {
            for (int x = 0; x + step <= width; x += step)
                add(rows, x);
            add(rows, width - step);
        }
        for (int i = 1; i <= F::margin; i++) {
            row_[-i] = row_[source(-i, width)];
            row_[width - 1 + i] = row_[source(width - 1 + i, width)];
        }
        return row_;
    }

  private:
    static constexpr int step = 2 * lanes_32; ///< samples at a time
    static constexpr int space = 64;          ///< that a row has at both ends, at least
    static_assert(space >= F::margin + step);

    HWY_INLINE const Sample *copy(const Sample *row, Sample *to) const {
        for (int i = 0; i < step; i++)
            to[i] = i < from_.width ? row[i] : Sample{0};
        return to;
    }

    static HWY_INLINE VI16 load(const std::uint8_t *at) {
        return hn::BitCast(di16, hn::PromoteTo(du16, hn::LoadU(hn::Rebind<std::uint8_t, DU16>(), at)));
    }
    static HWY_INLINE VI16 load(const std::uint16_t *at) {
        return hn::Xor(hn::BitCast(di16, hn::LoadU(du16, at)), sign_bits());
    }

    /// A sum's mean less 32768.
    HWY_INLINE VI32 mean(VI32 sum) const {
        const VU32 v = F::finish(sum);
        const VU32 shifted = F::scale == 1 ? hn::ShiftLeftSame(v, 16 - shift_) : v; // drops what a u16 does not hold
        return hn::ShiftRight<16>(hn::BitCast(di32, hn::Xor(shifted, hn::Set(du32, lack))));
    }

    HWY_INLINE void add(const Sample *const *rows, int x) {
        VI32 low = F::start((sizeof(Sample) == 1 ? 0 : lack) + (1u << (shift_ - 1))), high = low;
#pragma GCC unroll 17
        for (int p = 0; p < F::pairs; p++) {
            if (!F::has(p, 0))
                continue;
            const VI16 a = load(rows[2 * p] + x), b = load(rows[2 * p + 1] + x);
            low = dot(low, hn::InterleaveLower(di16, a, b), F::taps(p, 0));
            high = dot(high, hn::InterleaveUpper(di16, a, b), F::taps(p, 0));
        }
        hn::StoreU(hn::ReorderDemote2To(di16, mean(low), mean(high)), di16, row_ + x); // undoes the interleaving
    }

    VifRows from_;
    int shift_;
    std::int16_t *row_;
    Sample *narrow_;
};

template <class Sample, class F>
void decimate(const VifDecimation &task) {
    Memory memory{task.memory};
    MeanRow<Sample, F> means(task.from, task.bit_depth, memory);
    const hn::Rebind<std::uint16_t, DI32> narrow;
    for (int y = task.begin; y < task.end; y++) {
        const std::int16_t *const row = means.fill(2 * y) - F::margin;
        std::uint16_t *const to = task.to + (y - task.begin) * task.to_stride;
        for (int x = 0; x < task.from.width / 2; x += lanes_32) {
            VI32 sum = F::start(lack + 32768);
#pragma GCC unroll 17
            for (int p = 0; p < F::pairs; p++)
                if (F::has(p, 0))
                    sum = dot(sum, hn::LoadU(di16, row + 2 * x + 2 * p), F::taps(p, 0));
            const VI32 rounded = hn::BitCast(di32, hn::ShiftRight<16>(F::finish(sum)));
            hn::StoreU(hn::DemoteTo(narrow, rounded), narrow, to + x);
        }
    }
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

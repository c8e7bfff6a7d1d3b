// SPDX-License-Identifier: BSD-2-Clause-Patent
// VIF's sums in vectors of 32-bit lanes (features.md §3), once per level.
#include "simd/vectors.hpp"

#include "features/vif/vif_functions.hpp"
#include "features/vif/vif_vectors_decimate.hpp"
#include "features/vif/vif_vectors_filter.hpp"
#include "features/vif/vif_vectors_rows.hpp"
#include "features/vif/vif_vectors_statistic.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

/// u * v / 2^32, rounded.
HWY_INLINE VU32 mean_product(VU32 u, VU32 v) {
    const VU64 half = hn::Set(du64, std::uint64_t{1} << 31);
    return upper_halves(hn::Add(hn::MulEven(u, v), half), hn::Add(hn::MulEven(odd_lanes(u), odd_lanes(v)), half));
}

/// Moments of a batch of columns (§3.2), from pairs of filtered columns.
template <class F>
HWY_INLINE void take_moments(const Parts *const *at, Moments &m) {
    VU32 a[batch], b[batch], high[batch], low[batch];
    horizontal<F>(at, 0, lack, lack, a, b);
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++) {
        horizontal<F>(at, 2 + 2 * k, lack, lack + 32768, high, low);
#pragma GCC unroll 4
        for (int i = 0; i < batch; i++) {
            const VU32 product = hn::Add(high[i], hn::ShiftRight<16>(low[i]));
            const VU32 means = k == 0 ? mean_product(a[i], a[i]) : mean_product(b[i], k == 1 ? b[i] : a[i]);
            VI32 sigma = hn::BitCast(di32, hn::Sub(product, means));
            if (k == 1)
                sigma = hn::Max(sigma, hn::Zero(di32));
            hn::Store(sigma, di32, (k == 0 ? m.s1 : k == 1 ? m.s2 : m.s12) + i * lanes_32);
        }
    }
}

/// Writes the values of pixels to the stages.
class Tapper {
  public:
    HWY_INLINE Tapper(const VifTaps *taps, int limit_count, int width, Memory &memory)
        : taps_(taps), limit_count_(limit_count), width_(width), segment_(segment_of(width)) {
        values_.num_log = memory.take<std::int32_t>(limit_count * batch_size);
    }

    /// Where the statistic puts logarithms; null without taps.
    HWY_INLINE LogValues *values() {
        if (!taps_)
            return nullptr;
        for (int i = 0; i < batch_size; i++)
            values_.den_log[i / lanes_32][i % lanes_32] = 0;
        for (int i = 0; i < limit_count_ * batch_size; i++)
            values_.num_log[i] = 0;
        return &values_;
    }

    /// Puts the values of a batch of columns, from column x on of each segment.
    HWY_NOINLINE void put(const Moments &m, int x, int y) const {
        for (int i = 0; i < batch; i++) {
            put(taps_->reference_variance, m.s1 + i * lanes_32, x + i, y);
            put(taps_->distorted_variance, m.s2 + i * lanes_32, x + i, y);
            put(taps_->covariance, m.s12 + i * lanes_32, x + i, y);
            put(taps_->den_log, values_.den_log[i], x + i, y);
            for (int l = 0; l < limit_count_; l++)
                put(taps_->num_log[l], values_.num_log + (l * batch + i) * lanes_32, x + i, y);
        }
    }

  private:
    void put(const VifTap &tap, const std::int32_t *lanes, int x, int y) const {
        for (int lane = 0; lane < lanes_32 && lane * segment_ + x < width_ && x < segment_; lane++)
            tap.values[y * tap.stride + lane * segment_ + x] = lanes[lane];
    }

    const VifTaps *taps_;
    int limit_count_, width_, segment_;
    LogValues values_;
};

/// Pairs of filtered columns of a group of rows, the last few of a ring.
struct ColumnRing {
    static constexpr int slots = 16;

    Parts *rows[group];

    HWY_INLINE explicit ColumnRing(Memory &memory) {
        for (auto &row : rows)
            row = memory.take<Parts>(slots);
    }
    [[nodiscard]] HWY_INLINE Parts *at(int row, int pair) const { return rows[row] + (pair & (slots - 1)); }
};

/// One scale: counts its pixels and makes the next scale's pictures, a group of rows after the other.
template <class Sample, class F>
class Scale {
  public:
    HWY_INLINE Scale(const VifTask &task, Memory &memory)
        : task_(task), width_(task.reference.width), segment_(segment_of(width_)), shifts_(task.bit_depth),
          reference_(task.reference, memory), distorted_(task.distorted, memory), ring_(memory),
          statistic_(task.gain_limits, task.limit_count, memory.take<std::int32_t>(task.limit_count * lanes_32)),
          tapper_(task.taps, task.limit_count, width_, memory), decimator_(width_, task.bit_depth, memory) {
        HWY_ALIGN std::int32_t ends[lanes_32];
        shortest_ = segment_;
        for (int lane = 0; lane < lanes_32; lane++) {
            ends[lane] = limited(width_ - lane * segment_, 0, segment_);
            shortest_ = ends[lane] < shortest_ ? ends[lane] : shortest_;
        }
        ends_ = hn::Load(di32, ends);
    }

    HWY_INLINE void run(VifSums &sums) {
        const bool counts = task_.begin < task_.end, makes = task_.next_begin < task_.next_end;
        if (!counts && !makes)
            return;
        const int next_begin = 2 * task_.next_begin, next_end = 2 * task_.next_end - 1;
        const int begin = (!makes || (counts && task_.begin < next_begin) ? task_.begin : next_begin) / 2 * 2;
        const int end = !makes || (counts && task_.end > next_end) ? task_.end : next_end;
        int filled = 0;
        for (int y = begin; y < end; y += group) {
            const int first = (y - begin) / 2; // pair 0 is `margin` rows above row `begin`
            for (; filled < first + group_pairs<F>; filled++) {
                reference_.fill(filled, begin - F::margin + 2 * filled);
                distorted_.fill(filled, begin - F::margin + 2 * filled);
            }
            add_group(first, y, sums);
        }
        // Pixels behind the end of a row were counted as flat ones without noise.
        if (counts)
            sums.den_non -= (task_.end - task_.begin) * (std::int64_t{segment_} * lanes_32 - width_);
    }

  private:
    HWY_INLINE void add_group(int first, int y, VifSums &sums) {
        const Sample *r[group_pairs<F>], *d[group_pairs<F>];
        for (int p = 0; p < group_pairs<F>; p++) {
            r[p] = reference_.pair(first + p);
            d[p] = distorted_.pair(first + p);
        }
        if (F::scale < VIF_LAST_SCALE)
            decimate(r, d, y / 2);
        const int row_begin = limited(task_.begin - y, 0, group), row_end = limited(task_.end - y, 0, group);
        if (row_begin >= row_end)
            return;
        int filtered = 0;
        for (int x = 0; x < segment_; x += batch) {
            for (; filtered < x / 2 + group_pairs<F>; filtered++) {
                Parts *const out[group] = {ring_.at(0, filtered), ring_.at(1, filtered), ring_.at(2, filtered),
                                           ring_.at(3, filtered)};
                vertical<F>(r, d, static_cast<std::size_t>(2 * filtered), shifts_, out);
            }
            reference_.prefetch(y + F::margin + group, x);
            distorted_.prefetch(y + F::margin + group, x);
            for (int q = row_begin; q < row_end; q++)
                add_batch(x, q, y + q);
        }
        statistic_.flush(sums);
    }

    /// Makes the next scale's rows from row y on.
    HWY_INLINE void decimate(const Sample *const *r, const Sample *const *d, int y) {
        std::uint16_t *to_r[group / 2], *to_d[group / 2];
        bool any = false;
        for (int q = 0; q < group / 2; q++) {
            const bool made = y + q >= task_.next_begin && y + q < task_.next_end;
            const std::ptrdiff_t at = (y + q - task_.next_begin) * task_.next_stride;
            to_r[q] = made ? task_.next_reference + at : nullptr;
            to_d[q] = made ? task_.next_distorted + at : nullptr;
            any = any || made;
        }
        if (any) {
            decimator_.add(r, to_r);
            decimator_.add(d, to_d);
        }
    }

    HWY_INLINE void add_batch(int x, int row, int y) {
        const Parts *at[group_pairs<F>];
        for (int p = 0; p < group_pairs<F>; p++)
            at[p] = ring_.at(row, x / 2 + p);
        Moments m;
        take_moments<F>(at, m);
        if (x + batch > shortest_)
            clear_ends(m, x);
        asm("" : "+m"(m)); // its halves are loaded from memory: see Statistic
        LogValues *const values = tapper_.values();
        statistic_.add(m, values);
        if (HWY_UNLIKELY(values))
            tapper_.put(m, x, y);
    }

    /// Makes pixels behind the end of a row flat.
    HWY_INLINE void clear_ends(Moments &m, int x) const {
        for (int i = 0; i < batch; i++) {
            const auto valid = hn::Lt(hn::Set(di32, x + i), ends_);
            const auto clear = [&](std::int32_t *values) HWY_ATTR {
                std::int32_t *const at = values + i * lanes_32;
                hn::Store(hn::IfThenElseZero(valid, hn::Load(di32, at)), di32, at);
            };
            clear(m.s1);
            clear(m.s2);
            clear(m.s12);
        }
    }

    const VifTask &task_;
    int width_, segment_, shortest_; ///< shortest_: columns that all segments have
    VI32 ends_;                      ///< columns of each segment
    Shifts<Sample, F> shifts_;
    PairRows<Sample, F> reference_, distorted_;
    ColumnRing ring_;
    Statistic statistic_;
    Tapper tapper_;
    Decimator<Sample, F> decimator_;
};

template <class Sample, class F>
void run(const VifTask &task, VifSums &sums) {
    Memory memory{task.memory};
    Scale<Sample, F>(task, memory).run(sums);
}

/// Enough for every scale and depth.
std::size_t memory_bytes(int width, int limit_count) {
    using Largest = Filter<0>;
    return 2 * PairRows<std::uint16_t, Largest>::memory_bytes(width) + group * bytes_of<Parts>(ColumnRing::slots) +
           bytes_of<std::int32_t>(limit_count * lanes_32) + bytes_of<std::int32_t>(limit_count * batch_size) +
           Decimator<std::uint16_t, Largest>::memory_bytes(width);
}

void logarithms(const std::int32_t *sigma, int count, double gain_limit, std::int32_t *den_log, std::int32_t *num_log) {
    HWY_ALIGN std::int32_t sum[lanes_32], nums[batch_size];
    LogValues values;
    values.num_log = nums;
    Statistic statistic(&gain_limit, 1, sum);
    for (int start = 0; start < count; start += batch_size) {
        const int some = count - start < batch_size ? count - start : batch_size;
        Moments m;
        for (int i = 0; i < batch_size; i++) {
            m.s1[i] = i < some ? sigma[3 * (start + i)] : 0;
            m.s2[i] = i < some ? sigma[3 * (start + i) + 1] : 0;
            m.s12[i] = i < some ? sigma[3 * (start + i) + 2] : 0;
            values.den_log[i / lanes_32][i % lanes_32] = nums[i] = 0;
        }
        statistic.add(m, &values);
        for (int i = 0; i < some; i++) {
            den_log[start + i] = values.den_log[i / lanes_32][i % lanes_32];
            num_log[start + i] = nums[i];
        }
    }
}

} // namespace

extern const VifFunctions ISOVMAF_AT_LEVEL(vif_functions);
const VifFunctions ISOVMAF_AT_LEVEL(vif_functions) = {
    memory_bytes,
    {{run<std::uint8_t, Filter<0>>, run<std::uint16_t, Filter<1>>, run<std::uint16_t, Filter<2>>,
      run<std::uint16_t, Filter<3>>},
     {run<std::uint16_t, Filter<0>>, run<std::uint16_t, Filter<1>>, run<std::uint16_t, Filter<2>>,
      run<std::uint16_t, Filter<3>>}},
    logarithms,
};

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

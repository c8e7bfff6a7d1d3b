// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "simd/vectors.hpp"

#include "features/vif/vif_functions.hpp"
#include "features/vif/vif_vectors_log.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

// Part of vif_vectors.cpp: variances and covariances to sums (features.md §3.4).

/// Vectors of pixels that are counted together: single ones would wait for divisions and logarithms, and for branches
/// that are not predictable.
constexpr int batch = 4;

/// Pixels of a batch.
constexpr int batch_size = batch * lanes_32;

/// Variances, those of the distorted picture not negative, and covariances.
struct Moments {
    HWY_ALIGN std::int32_t s1[batch_size], s2[batch_size], s12[batch_size];
};

/// Where a batch's logarithms are put.
struct LogValues {
    HWY_ALIGN std::int32_t den_log[batch][lanes_32];
    std::int32_t *num_log; ///< [limit][batch][lanes_32], aligned
};

#if HWY_TARGET == HWY_AVX3
constexpr double integer_origin = 0x1p52; ///< f64 integers are held with this added to them

/// Adds the integer part of v >= 0.
HWY_INLINE VF64 add_truncated(VF64 v, VF64 integer) {
    return VF64{_mm512_add_round_pd(v.raw, integer.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)};
}
HWY_INLINE VF64 integer_value(VF64 integer) { return hn::Sub(integer, hn::Set(df64, integer_origin)); }
#else
constexpr double integer_origin = 0;

HWY_INLINE VF64 add_truncated(VF64 v, VF64 integer) { return hn::Add(hn::Trunc(v), integer); }
HWY_INLINE VF64 integer_value(VF64 integer) { return integer; }
#endif

/// Pixels of the reference whose variance is below the noise have no logarithms.
HWY_INLINE auto is_flat(VI32 s1) { return hn::Lt(s1, hn::Set(di32, VIF_NOISE)); }

class Statistic {
  public:
    /// `num_log` has a vector for each limit, which is aligned.
    HWY_INLINE Statistic(const double *limits, int limit_count, std::int32_t *num_log)
        : limits_(limits), limit_count_(limit_count), num_log_(num_log) {
        clear();
    }

    /// `values`, unless null, gets the logarithms.
    HWY_INLINE void add(const Moments &m, LogValues *values) {
        auto any_logarithm = hn::MaskFromVec(hn::Zero(di32));
#pragma GCC unroll 4
        for (int i = 0; i < batch; i++) {
            const auto flat = is_flat(hn::Load(di32, m.s1 + i * lanes_32));
            const VI32 alone = hn::IfThenElseZero(flat, hn::Load(di32, m.s2 + i * lanes_32));
            non_ = hn::Add(non_, alone);
            non_upper_ = hn::Add(non_upper_, hn::ShiftRight<16>(alone));
            non_count_ = hn::Sub(non_count_, hn::VecFromMask(di32, flat));
            any_logarithm = hn::Or(any_logarithm, hn::Not(flat));
        }
        if (hn::AllFalse(di32, any_logarithm))
            return;
        add_den(m, values);
        add_num(m, values);
    }

    /// Adds the totals of all lanes to `sums`. A lane has space for 2^15 pixels: their logarithms are below 57344, and
    /// halves of their variances have 16 bits.
    HWY_INLINE void flush(VifSums &sums) {
        sums.den_log += total(den_steps_) * log_step + total(den_rest_) + den_vectors_ * (lanes_32 * den_origin);
        // what the sum of upper halves lacks is less than 2^31 in each lane
        sums.num_non += total(hn::Sub(non_, hn::ShiftLeft<16>(non_upper_))) + total(non_upper_) * 65536;
        sums.den_non += total(non_count_);
        for (int l = 0; l < limit_count_; l++)
            sums.num_log[l] += total(hn::Load(di32, num_log_ + l * lanes_32));
        clear();
    }

  private:
    static constexpr int den_origin = log_origin - VIF_LOG_NOISE;

    /// For half a vector of pixels.
    struct Gain {
        VF64 gain, s1, noise; ///< noise: n1

        HWY_INLINE Gain() {} // implicit members are not compiled for this level
    };

    HWY_INLINE void clear() {
        den_steps_ = den_rest_ = non_ = non_upper_ = non_count_ = hn::Zero(di32);
        den_vectors_ = 0;
        for (int l = 0; l < limit_count_; l++)
            hn::Store(hn::Zero(di32), di32, num_log_ + l * lanes_32);
    }

    /// Each operation is rounded by itself: a compiler that fuses a product and a sum changes results.
    static HWY_INLINE Gain gain(VF64 s1, VF64 s2, VF64 s12) {
        Gain g;
        g.gain = hn::Div(s12, hn::Add(s1, hn::Set(df64, VIF_GAIN_EPSILON)));
        g.s1 = s1;
        const VF64 rest = hn::Max(hn::Sub(s2, hn::Mul(g.gain, s12)), hn::Zero(df64));
        g.noise = add_truncated(rest, hn::Set(df64, VIF_NOISE + integer_origin));
        return g;
    }

    /// n2
    static HWY_INLINE VF64 signal(const Gain &g, VF64 limit) {
        const VF64 limited = hn::Min(g.gain, limit);
        return add_truncated(hn::Mul(hn::Mul(limited, limited), g.s1), g.noise);
    }

    /// Flat pixels get a variance of 0, whose logarithm is 0.
    HWY_INLINE void add_den(const Moments &m, LogValues *values) {
#pragma GCC unroll 4
        for (int i = 0; i < batch; i++) {
            const VI32 s1 = hn::Load(di32, m.s1 + i * lanes_32);
            const Log log = log_of(hn::Add(hn::IfThenZeroElse(is_flat(s1), s1), hn::Set(di32, VIF_NOISE)));
            den_steps_ = hn::Add(den_steps_, log.steps);
            den_rest_ = hn::Add(den_rest_, log.rest);
            if (HWY_UNLIKELY(values))
                hn::Store(hn::Add(value_of(log), hn::Set(di32, den_origin)), di32, values->den_log[i]);
        }
        den_vectors_ += batch;
    }

    /// Pixels that do not count get a covariance of 0: signal and noise are then equal.
    static HWY_INLINE void clear_covariances(const Moments &m, std::int32_t *s12) {
#pragma GCC unroll 4
        for (int i = 0; i < batch_size; i += lanes_32) {
            const VI32 covariance = hn::Load(di32, m.s12 + i);
            const auto tied = hn::AndNot(is_flat(hn::Load(di32, m.s1 + i)),
                                         hn::Gt(hn::Min(covariance, hn::Load(di32, m.s2 + i)), hn::Zero(di32)));
            hn::Store(hn::IfThenElseZero(tied, covariance), di32, s12 + i);
        }
    }

    HWY_INLINE void add_num(const Moments &m, LogValues *values) {
        struct {
            HWY_ALIGN std::int32_t s12[batch_size];
        } cleared;
        clear_covariances(m, cleared.s12);
        asm("" : "+m"(cleared)); // or the compiler takes halves out of registers, which costs more than loading them
        constexpr int half = lanes_32 / 2;
        Gain upper[batch], lower[batch];
        VI32 noise_steps[batch], noise_rest[batch];
#pragma GCC unroll 4
        for (int i = 0; i < batch; i++) {
            const auto gain_at = [&](int at) HWY_ATTR {
                const auto load = [&](const std::int32_t *from)
                                      HWY_ATTR { return hn::PromoteTo(df64, hn::Load(hn::Half<DI32>(), from + at)); };
                return gain(load(m.s1), load(m.s2), load(cleared.s12));
            };
            lower[i] = gain_at(i * lanes_32);
            upper[i] = gain_at(i * lanes_32 + half);
            const Log log = log_of(integer_value(upper[i].noise), integer_value(lower[i].noise));
            noise_steps[i] = log.steps;
            noise_rest[i] = log.rest;
        }
        for (int l = 0; l < limit_count_; l++) {
            const VF64 limit = hn::Set(df64, limits_[l]);
            VI32 steps = hn::Zero(di32), rest = hn::Zero(di32);
#pragma GCC unroll 4
            for (int i = 0; i < batch; i++) {
                const Log log = log_of(integer_value(signal(upper[i], limit)), integer_value(signal(lower[i], limit)));
                const Log num{hn::Sub(log.steps, noise_steps[i]), hn::Sub(log.rest, noise_rest[i])};
                steps = hn::Add(steps, num.steps);
                rest = hn::Add(rest, num.rest);
                if (HWY_UNLIKELY(values))
                    hn::Store(value_of(num), di32, values->num_log + (l * batch + i) * lanes_32);
            }
            std::int32_t *const sum = num_log_ + l * lanes_32;
            hn::Store(hn::Add(hn::Load(di32, sum), value_of({steps, rest})), di32, sum);
        }
    }

    const double *limits_;
    int limit_count_;
    std::int32_t *num_log_;
    VI32 den_steps_, den_rest_, non_, non_upper_, non_count_;
    std::int64_t den_vectors_;
};

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

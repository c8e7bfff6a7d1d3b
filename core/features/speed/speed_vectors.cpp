// SPDX-License-Identifier: BSD-2-Clause-Patent
// SpEED in vectors (speed.md §3 to §5), and logarithms, once per level: filters, and the table of functions. Every
// value is computed by the operations of the definition in their order; lanes hold different values.
#include "features/speed/speed_vectors_algebra.hpp"
#include "features/speed/speed_vectors_log2.hpp"
#include "features/speed/speed_vectors_statistics.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

HWY_INLINE VF32 load_samples(const std::uint8_t *at) {
    return hn::ConvertTo(df32, hn::PromoteTo(di32, hn::LoadU(hn::Rebind<std::uint8_t, DI32>(), at)));
}
HWY_INLINE VF32 load_samples(const std::uint16_t *at) {
    return hn::ConvertTo(df32, hn::PromoteTo(di32, hn::LoadU(hn::Rebind<std::uint16_t, DI32>(), at)));
}

/// The last vector starts before the end of the others if need be: rows have more samples than a vector.
template <class Sample>
void convert(const Sample *samples, const Sample *subtracted, int width, float unit, float *values) {
    const VF32 scale = hn::Set(df32, unit), offset = hn::Set(df32, SPEED_SAMPLE_OFFSET);
    const auto value = [&](const Sample *at) HWY_ATTR { return hn::Add(hn::Mul(load_samples(at), scale), offset); };
    for (int i = 0; i < width; i += lanes_32) {
        const int x = i + lanes_32 <= width ? i : width - lanes_32;
        VF32 v = value(samples + x);
        if (subtracted)
            v = hn::Sub(v, value(subtracted + x));
        hn::StoreU(v, df32, values + x);
    }
}

/// Elements of a row at the places in `index`.
HWY_INLINE VF32 look_up(const float *row, const std::int32_t *index) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
    return hn::GatherIndex(df32, row, hn::LoadU(di32, index));
#else
    HWY_ALIGN float lanes[lanes_32];
    for (int i = 0; i < lanes_32; i++)
        lanes[i] = row[index[i]];
    return hn::Load(df32, lanes);
#endif
}

void resample(const SpeedResampling &how, float *values) {
    for (int x = 0; x < how.width; x += lanes_32) {
        VF32 sum = hn::Zero(df32), weights = hn::Zero(df32);
        for (int j = 0; j < how.row_taps; j++)
            for (int i = 0; i < how.column_taps; i++) {
                const VF32 weight = hn::Mul(hn::LoadU(df32, how.column_weights + i * how.stride + x),
                                            hn::Set(df32, how.row_weights[j]));
                sum = hn::Add(sum, hn::Mul(look_up(how.rows[j], how.columns + i * how.stride + x), weight));
                weights = hn::Add(weights, weight);
            }
        if (how.divided)
            sum = hn::Div(sum, weights);
        hn::StoreU(sum, df32, values + x);
    }
}

void filter_rows(const float *const *rows, const float *taps, int count, int width, float *values) {
    for (int x = 0; x < width; x += 2 * lanes_32) {
        VF32 a = hn::Zero(df32), b = hn::Zero(df32);
        for (int k = 0; k < count; k++) {
            const VF32 tap = hn::Set(df32, taps[k]);
            a = hn::Add(a, hn::Mul(tap, hn::Load(df32, rows[k] + x)));
            b = hn::Add(b, hn::Mul(tap, hn::Load(df32, rows[k] + x + lanes_32)));
        }
        hn::Store(a, df32, values + x);
        hn::Store(b, df32, values + x + lanes_32);
    }
}

/// Four sums at once: each waits for its own additions alone.
void decimate(const float *values, int step, const float *taps, int count, int width, float *kept) {
    int x = 0;
    for (; x + 4 <= width; x += 4) {
        const float *const a = values + x * step, *const b = a + step, *const c = b + step, *const d = c + step;
        float sums[4] = {};
        for (int k = 0; k < count; k++) {
            sums[0] += taps[k] * a[k];
            sums[1] += taps[k] * b[k];
            sums[2] += taps[k] * c[k];
            sums[3] += taps[k] * d[k];
        }
        for (int i = 0; i < 4; i++)
            kept[x + i] = sums[i];
    }
    for (; x < width; x++) {
        float sum = 0;
        for (int k = 0; k < count; k++)
            sum += taps[k] * values[x * step + k];
        kept[x] = sum;
    }
}

void remove_mean(const float *values, const float *taps, int count, const float *kept, int width, float *local) {
    for (int x = 0; x < width; x += lanes_32) {
        VF32 sum = hn::Zero(df32);
        for (int k = 0; k < count; k++)
            sum = hn::Add(sum, hn::Mul(hn::Set(df32, taps[k]), hn::LoadU(df32, values + x + k)));
        hn::Store(hn::Sub(hn::Load(df32, kept + x), sum), df32, local + x);
    }
}

} // namespace

extern const SpeedFunctions ISOVMAF_AT_LEVEL(speed_functions);
const SpeedFunctions ISOVMAF_AT_LEVEL(speed_functions) = {convert<std::uint8_t>,
                                                          convert<std::uint16_t>,
                                                          resample,
                                                          filter_rows,
                                                          decimate,
                                                          remove_mean,
                                                          means,
                                                          covariances,
                                                          tridiagonal,
                                                          solve,
                                                          variances,
                                                          log2_of_all};

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

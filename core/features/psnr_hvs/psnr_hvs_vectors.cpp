// SPDX-License-Identifier: BSD-2-Clause-Patent
// The errors of PSNR-HVS in vectors (features.md §9), once per level. A lane holds a block, so that each block's sums
// are made in the order of the definition.
#include "features/psnr_hvs/psnr_hvs_vectors_transform.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

constexpr int psnr_hvs_halves = 2; // vectors of 32-bit lanes for one of 16-bit lanes

HWY_INLINE VF32 widen(hn::Vec<hn::Half<DI16>> v) { return hn::ConvertTo(df32, hn::PromoteTo(di32, v)); }

/// The lanes of one half.
HWY_INLINE VF32 load_widened(const std::int16_t *at) { return widen(hn::Load(hn::Half<DI16>(), at)); }
HWY_INLINE VF32 load_widened(const std::uint16_t *at) {
    return hn::ConvertTo(df32, hn::PromoteTo(di32, hn::Load(hn::Half<DU16>(), at)));
}

HWY_INLINE VF32 add_square(VF32 sum, VF32 v) { return hn::Add(sum, hn::Mul(v, v)); }

/// How much of each block's variance lies within quadrants (§9.1), for the lanes of one half. `sums` are those of
/// quadrants.
HWY_INLINE VF32 variance_ratios(const std::int16_t *samples, const std::uint16_t *sums) {
    VF32 means[4], quadrants[4];
    for (int q = 0; q < 4; q++) {
        means[q] = load_widened(sums + q * lanes_16); // sums so far: all of these are exact
        quadrants[q] = hn::Zero(df32);
    }
    const VF32 mean = hn::Mul(hn::Add(hn::Add(means[0], means[1]), hn::Add(means[2], means[3])),
                              hn::Set(df32, 1.0f / PSNR_HVS_COEFFICIENTS));
    for (VF32 &quadrant_mean : means)
        quadrant_mean = hn::Mul(quadrant_mean, hn::Set(df32, 4.0f / PSNR_HVS_COEFFICIENTS));
    VF32 variance = hn::Zero(df32);
    for (int lower = 0; lower < 2; lower++) {
        VF32 left = hn::Zero(df32), right = hn::Zero(df32);
#pragma GCC unroll 1 // or g++ keeps the differences of many samples, on the stack
        for (int i = 0; i < psnr_hvs_row / 2; i++, samples += psnr_hvs_row * lanes_16) {
            for (int j = 0; j < psnr_hvs_row / 2; j++) {
                const VF32 sample = load_widened(samples + j * lanes_16);
                variance = add_square(variance, hn::Sub(sample, mean));
                left = add_square(left, hn::Sub(sample, means[lower]));
            }
            for (int j = psnr_hvs_row / 2; j < psnr_hvs_row; j++) {
                const VF32 sample = load_widened(samples + j * lanes_16);
                variance = add_square(variance, hn::Sub(sample, mean));
                right = add_square(right, hn::Sub(sample, means[2 + lower]));
            }
        }
        quadrants[lower] = left;
        quadrants[2 + lower] = right;
    }
    const VF32 scale = hn::Set(df32, PSNR_HVS_QUADRANT_SCALE);
    VF32 within = hn::Mul(quadrants[0], scale);
    for (int q = 1; q < 4; q++)
        within = hn::Add(within, hn::Mul(quadrants[q], scale));
    variance = hn::Mul(variance, hn::Set(df32, PSNR_HVS_VARIANCE_SCALE));
    return hn::IfThenElseZero(hn::Gt(variance, hn::Zero(df32)), hn::Div(within, variance));
}

/// Variance ratios or masking strengths of the blocks of a group.
struct BlockScales {
    VF32 halves[psnr_hvs_halves];
};

/// Loads one picture's blocks and leaves their coefficients in `values`. Returns their variance ratios.
template <class Sample>
HWY_INLINE BlockScales transformed_blocks(const PsnrHvsPlaces &places, std::int16_t *values) {
    HWY_ALIGN std::uint16_t sums[4 * lanes_16];
    load_blocks<Sample>(places, values, sums);
    BlockScales ratios;
    for (int h = 0; h < psnr_hvs_halves; h++)
        ratios.halves[h] = variance_ratios(values + h * lanes_32, sums + h * lanes_32);
    transform_blocks(values);
    return ratios;
}

HWY_INLINE VF32 strength(VF32 sum, VF32 ratio) {
    return hn::Mul(hn::Sqrt(hn::Mul(sum, ratio)), hn::Set(df32, 1.0f / 32));
}

/// The masking strengths of a group's blocks (§9.3), from the variance ratios of both pictures.
HWY_INLINE BlockScales masking_strengths(const PsnrHvsValues &values, const PsnrHvsTables &tables,
                                         const BlockScales &r_ratios, const BlockScales &d_ratios) {
    VF32 r_sums[psnr_hvs_halves], d_sums[psnr_hvs_halves];
    for (int h = 0; h < psnr_hvs_halves; h++)
        r_sums[h] = d_sums[h] = hn::Zero(df32);
    for (int k = 1; k < PSNR_HVS_COEFFICIENTS; k++) {
        const VF32 mask = hn::Set(df32, tables.masks[k]);
        for (int h = 0; h < psnr_hvs_halves; h++) {
            const int at = k * lanes_16 + h * lanes_32;
            const VF32 r = load_widened(values.reference + at), d = load_widened(values.distorted + at);
            r_sums[h] = hn::Add(r_sums[h], hn::Mul(hn::Mul(r, r), mask));
            d_sums[h] = hn::Add(d_sums[h], hn::Mul(hn::Mul(d, d), mask));
        }
    }
    BlockScales strengths;
    for (int h = 0; h < psnr_hvs_halves; h++)
        strengths.halves[h] = hn::Max(strength(r_sums[h], r_ratios.halves[h]), strength(d_sums[h], d_ratios.halves[h]));
    return strengths;
}

/// Adds values that are not negative to an f32 number, with the result of adding them one after the other. As long as
/// the sum stays between two powers of two, each addition adds a multiple of the sum's last place, which does not
/// depend on the sum: these multiples may be added in any order (§9.6).
class OrderedSum {
  public:
    HWY_INLINE explicit OrderedSum(float sum) : sum_(sum) {
        const std::uint32_t power = __builtin_bit_cast(std::uint32_t, sum) & 0x7f800000u;
        if (power > last_place) {
            power_ = __builtin_bit_cast(float, power);
            end_ = 2 * power_;
            half_place_ = __builtin_bit_cast(float, power - last_place);
        }
        for (int h = 0; h < psnr_hvs_halves; h++)
            multiples_[h] = losses_[h] = hn::Zero(df32);
    }

    HWY_INLINE void add(int half, VF32 v) {
        const VF32 power = hn::Set(df32, power_);
        const VF32 multiple = hn::Sub(hn::Add(v, power), power);
        multiples_[half] = hn::Add(multiples_[half], multiple);
        losses_[half] = hn::Max(losses_[half], hn::Abs(hn::Sub(v, multiple)));
    }

    /// The sum of everything added; none if the order has to be kept: the sum would leave its powers of two, or a value
    /// lies in the middle between two multiples.
    HWY_INLINE bool total(float &sum) const {
        const float more = hn::GetLane(hn::SumOfLanes(df32, hn::Add(multiples_[0], multiples_[1])));
        const float loss = hn::GetLane(hn::MaxOfLanes(df32, hn::Max(losses_[0], losses_[1])));
        sum = sum_ + more;
        return more + loss == 0 || (sum < end_ && loss < half_place_);
    }

  private:
    static constexpr std::uint32_t last_place = 24u << 23; // exponent of the last place's half, below the power

    float sum_;
    float power_ = 0, end_ = 0; ///< powers of two around the sum; 0 when it is too small
    float half_place_ = 0;
    VF32 multiples_[psnr_hvs_halves];
    VF32 losses_[psnr_hvs_halves]; ///< largest distance of a value from its multiple
};

/// Adds the errors of a group in order.
float add_in_order(const float *errors, float sum) {
    for (int b = 0; b < lanes_16; b++)
        for (int k = 0; k < PSNR_HVS_COEFFICIENTS; k++)
            sum += errors[k * lanes_16 + b];
    return sum;
}

/// Computes and adds the errors of a group (§9.4).
HWY_INLINE float add_errors(int count, const PsnrHvsTables &tables, const BlockScales &strengths, float sum,
                            PsnrHvsValues &values) {
    const VI16 counted = hn::VecFromMask(di16, hn::FirstN(di16, static_cast<std::size_t>(count)));
    OrderedSum ordered(sum);
    const auto add = [&](int k, int half, VF32 error) HWY_ATTR {
        const VF32 weighted = hn::Mul(error, hn::Set(df32, tables.weights[k]));
        const VF32 squared = hn::Mul(weighted, weighted);
        hn::Store(squared, df32, values.errors + k * lanes_16 + half * lanes_32);
        ordered.add(half, squared);
    };
    const auto difference = [&](int k) HWY_ATTR {
        const VI16 r = hn::Load(di16, values.reference + k * lanes_16);
        const VI16 d = hn::Load(di16, values.distorted + k * lanes_16);
        return hn::And(counted, hn::Abs(hn::Sub(r, d)));
    };
    const VI16 first = difference(0);
    add(0, 0, widen(hn::LowerHalf(first)));
    add(0, 1, widen(hn::UpperHalf(hn::Half<DI16>(), first)));
    for (int k = 1; k < PSNR_HVS_COEFFICIENTS; k++) {
        const VI16 both = difference(k);
        const VF32 mask = hn::Set(df32, tables.masks[k]);
        const auto beyond = [&](VF32 error, VF32 strength)
                                HWY_ATTR { return hn::Max(hn::Sub(error, hn::Div(strength, mask)), hn::Zero(df32)); };
        add(k, 0, beyond(widen(hn::LowerHalf(both)), strengths.halves[0]));
        add(k, 1, beyond(widen(hn::UpperHalf(hn::Half<DI16>(), both)), strengths.halves[1]));
    }
    float total;
    return HWY_LIKELY(ordered.total(total)) ? total : add_in_order(values.errors, sum);
}

template <class Sample>
float add(const PsnrHvsGroup &group, const PsnrHvsTables &tables, float sum, PsnrHvsValues &values) {
    const BlockScales r_ratios = transformed_blocks<Sample>(group.reference, values.reference);
    const BlockScales d_ratios = transformed_blocks<Sample>(group.distorted, values.distorted);
    const BlockScales strengths = masking_strengths(values, tables, r_ratios, d_ratios);
    for (int h = 0; h < psnr_hvs_halves; h++)
        hn::Store(strengths.halves[h], df32, values.strengths + h * lanes_32);
    return add_errors(group.count, tables, strengths, sum, values);
}

} // namespace

extern const PsnrHvsFunctions ISOVMAF_AT_LEVEL(psnr_hvs_functions);
const PsnrHvsFunctions ISOVMAF_AT_LEVEL(psnr_hvs_functions) = {lanes_16, add<std::uint8_t>, add<std::uint16_t>};

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

// SPDX-License-Identifier: BSD-2-Clause-Patent
// PSNR's squared errors in vectors (features.md §5), once per level.
#include "simd/lanes.hpp"

#include "features/psnr/psnr_functions.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

HWY_INLINE VU64 add_errors(VU64 sum, VU32 errors) {
    const VU64 both = hn::BitCast(du64, errors);
    return hn::Add(hn::Add(sum, hn::And(both, hn::Set(du64, 0xffffffffu))), hn::ShiftRight<32>(both));
}

/// The squared differences of lanes_16 samples.
struct Errors {
    VU32 even, odd;
};

HWY_INLINE VI16 differences(const std::uint8_t *r, const std::uint8_t *d) {
    return hn::Sub(load_bytes(r), load_bytes(d));
}
HWY_INLINE VU16 absolute_differences(const std::uint16_t *r, const std::uint16_t *d) {
    const VU16 a = hn::LoadU(du16, r), b = hn::LoadU(du16, d);
    return hn::Sub(hn::Max(a, b), hn::Min(a, b));
}

HWY_INLINE Errors squared_differences(const std::uint8_t *r, const std::uint8_t *d) {
    const VI16 difference = differences(r, d);
    const VI16 even = hn::BitCast(di16, hn::And(hn::BitCast(di32, difference), hn::Set(di32, 0xffff)));
    const VI16 odd = hn::BitCast(di16, hn::ShiftRight<16>(hn::BitCast(du32, difference)));
    const VI32 zero = hn::Zero(di32);
    return {hn::BitCast(du32, dot(zero, even, even)), hn::BitCast(du32, dot(zero, odd, odd))};
}

HWY_INLINE Errors squared_differences(const std::uint16_t *r, const std::uint16_t *d) {
    const VU32 difference = hn::BitCast(du32, absolute_differences(r, d));
    const VU32 even = hn::And(difference, hn::Set(du32, 0xffff)), odd = hn::ShiftRight<16>(difference);
    return {hn::Mul(even, even), hn::Mul(odd, odd)};
}

/// Vectors that are summed up without a look at each error.
constexpr int group = 4;

/// Adds the errors of all whole groups of a row to `sum`; returns how many samples that are. The squares of 8-bit
/// samples fit i32 lanes: a lane gets two squares below 2^16 of each vector, and a row has at most 2^15 samples.
HWY_INLINE int add_groups(const std::uint8_t *r, const std::uint8_t *d, int width, VU64 &sum) {
    VI32 sums[group] = {hn::Zero(di32), hn::Zero(di32), hn::Zero(di32), hn::Zero(di32)};
    int x = 0;
    for (; x + group * lanes_16 <= width; x += group * lanes_16)
        for (int i = 0; i < group; i++) {
            const VI16 difference = differences(r + x + i * lanes_16, d + x + i * lanes_16);
            sums[i] = dot(sums[i], difference, difference);
        }
    for (const VI32 &lanes : sums)
        sum = add_errors(sum, hn::BitCast(du32, lanes));
    return x;
}

/// Differences below 2^14 are signed numbers, and a lane of 32 bits has room for the 2 * group squares of a group.
HWY_INLINE int add_groups(const std::uint16_t *r, const std::uint16_t *d, int width, VU64 &sum) {
    int x = 0;
    for (; x + group * lanes_16 <= width; x += group * lanes_16) {
        VU16 bits = hn::Zero(du16);
        VI32 squares = hn::Zero(di32);
        for (int i = 0; i < group; i++) {
            const VU16 difference = absolute_differences(r + x + i * lanes_16, d + x + i * lanes_16);
            bits = hn::Or(bits, difference);
            squares = dot(squares, hn::BitCast(di16, difference), hn::BitCast(di16, difference));
        }
        if (HWY_LIKELY(hn::AllTrue(du16, hn::Eq(hn::ShiftRight<14>(bits), hn::Zero(du16))))) {
            sum = add_errors(sum, hn::BitCast(du32, squares));
            continue;
        }
        for (int i = 0; i < group; i++) {
            const Errors errors = squared_differences(r + x + i * lanes_16, d + x + i * lanes_16);
            sum = add_errors(add_errors(sum, errors.even), errors.odd);
        }
    }
    return x;
}

template <class Sample>
std::int64_t row(const Sample *r, const Sample *d, int width, std::uint32_t *out) {
    VU64 sum = hn::Zero(du64);
    const auto add = [&](const Sample *r_at, const Sample *d_at, int x, int count) HWY_ATTR {
        const Errors errors = squared_differences(r_at, d_at);
        sum = add_errors(add_errors(sum, errors.even), errors.odd);
        if (out)
            put_interleaved(du32, errors.even, errors.odd, count, out + x);
    };
    int x = out ? 0 : add_groups(r, d, width, sum);
    for (; x + lanes_16 <= width; x += lanes_16)
        add(r + x, d + x, x, lanes_16);
    if (x < width) {
        Tail<Sample> r_tail, d_tail;
        r_tail.fill(r + x, width - x);
        d_tail.fill(d + x, width - x);
        add(r_tail.samples, d_tail.samples, x, width - x);
    }
    return total(sum);
}

} // namespace

extern const PsnrFunctions ISOVMAF_AT_LEVEL(psnr_functions);
const PsnrFunctions ISOVMAF_AT_LEVEL(psnr_functions) = {row<std::uint8_t>, row<std::uint16_t>};

} // namespace isovmaf

HWY_AFTER_NAMESPACE();

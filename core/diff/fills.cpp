// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/fills.hpp"

#include <algorithm>

#include "content/patterns.hpp"

namespace isovmaf::diff {

namespace {

constexpr std::uint32_t golden_ratio = 0x9e3779b9; ///< 2^32 / 1.618..., odd: neighbouring seeds end up far apart

/// The position of a sample.
struct Spot {
    int x, y;
    int width, height; ///< of the plane
    int phase;         ///< grows by one with every frame and every plane, so that pictures move and planes differ
};

/// The phase of frame 0. It is so small that sums with positions do not overflow.
int first_phase(const FrameSpec &spec) { return static_cast<int>(spec.seed & 0xffff); }

/// The seed of random picture `number`: 0 is the reference, 1 the distorted picture.
std::uint32_t noise_seed(const FrameSpec &spec, std::uint32_t number) {
    return spec.seed * golden_ratio + 2 * static_cast<std::uint32_t>(spec.index) + number;
}

/// A picture whose samples are `sample(spot)`.
template <class Sampler>
Frame paint(const FrameSpec &spec, Sampler sample) {
    const int phase = first_phase(spec) + spec.index % 0x10000;
    return painted_frame(spec.format, default_poison, [&](int plane, int x, int y) -> std::uint32_t {
        return sample(Spot{x, y, spec.format.plane_width(plane), spec.format.plane_height(plane), phase + plane});
    });
}

/// A picture that is white where `white(spot)` is true, and black elsewhere.
template <class Predicate>
Frame paint_white(const FrameSpec &spec, Predicate white) {
    const std::uint32_t peak = largest_sample(spec.format);
    return paint(spec, [&](const Spot &spot) { return white(spot) ? peak : 0; });
}

/// A picture whose samples are `value(word)` of random words; `number` as in noise_seed.
template <class Value>
Frame random(const FrameSpec &spec, std::uint32_t number, Value value) {
    return random_frame(spec.format, noise_seed(spec, number), default_poison, value);
}

Frame black(const FrameSpec &spec) { return constant_frame(spec.format, 0); }
Frame white(const FrameSpec &spec) { return constant_frame(spec.format, largest_sample(spec.format)); }
Frame grey(const FrameSpec &spec) { return constant_frame(spec.format, (largest_sample(spec.format) + 1) / 2); }
Frame noise(const FrameSpec &spec, std::uint32_t number) { return noise_frame(spec.format, noise_seed(spec, number)); }

FramePair clip(const FrameSpec &spec) {
    return GeneratedClip(spec.format).frame(spec.seed + static_cast<std::uint32_t>(spec.index));
}

FramePair zero(const FrameSpec &spec) { return {black(spec), black(spec)}; }
FramePair max(const FrameSpec &spec) { return {white(spec), white(spec)}; }
FramePair zero_max(const FrameSpec &spec) { return black_and_white(spec.format); }
FramePair max_zero(const FrameSpec &spec) { return {white(spec), black(spec)}; }

FramePair flat(const FrameSpec &spec) {
    const auto level = [&](std::uint32_t number) {
        return constant_frame(spec.format, noise_seed(spec, number) * golden_ratio >> (32 - spec.format.bit_depth));
    };
    return {level(0), level(1)};
}

FramePair alternating_frames(const FrameSpec &spec) {
    return (static_cast<std::uint32_t>(spec.index) + spec.seed) % 2 ? max_zero(spec) : zero_max(spec);
}

template <bool columns>
FramePair stripes(const FrameSpec &spec) {
    const auto stripe = [](const Spot &spot) { return ((columns ? spot.x : spot.y) + spot.phase) % 2 != 0; };
    return {paint_white(spec, stripe), paint_white(spec, [&](const Spot &spot) { return !stripe(spot); })};
}

FramePair checkerboard(const FrameSpec &spec) {
    const int pitch = spec.pitch;
    const bool inverted = spec.index % 2 != 0;
    const auto board = [&](int shift, bool colour) {
        return paint_white(spec, [=](const Spot &spot) {
            return ((spot.x + spot.phase + shift) / pitch + spot.y / pitch) % 2 == static_cast<int>(colour);
        });
    };
    return {board(0, true), inverted ? board(0, false) : board(1, true)};
}

/// A ramp from black to white along the given axes. The distorted ramp is shifted by one sample.
template <bool across, bool down>
FramePair ramp(const FrameSpec &spec) {
    const std::uint64_t peak = largest_sample(spec.format);
    const auto ramp = [&](int ahead) {
        return paint(spec, [&](const Spot &spot) {
            const int steps = std::max((across ? spot.width - 1 : 0) + (down ? spot.height - 1 : 0), 1);
            const int position = (across ? spot.x : 0) + (down ? spot.y : 0) + spot.phase + ahead;
            return static_cast<std::uint32_t>(static_cast<std::uint64_t>(position % (steps + 1)) * peak /
                                              static_cast<std::uint64_t>(steps));
        });
    };
    return {ramp(0), ramp(1)};
}

FramePair ramp_wrapping(const FrameSpec &spec) {
    const std::uint32_t peak = largest_sample(spec.format);
    const auto ramp = [&](std::uint32_t ahead) {
        return paint(spec, [&](const Spot &spot) {
            return (static_cast<std::uint32_t>(spot.y * spot.width + spot.x + spot.phase) + ahead) & peak;
        });
    };
    return {ramp(0), ramp(1)};
}

/// Impulses on a flat ground where `here(spot)` is true. Frames take turns: in the reference alone, in the distorted
/// picture alone, in both but weaker in the distorted one. An odd seed draws white on black, an even one black on
/// white.
template <class Predicate>
FramePair impulses(const FrameSpec &spec, Predicate here) {
    const std::uint32_t peak = largest_sample(spec.format), ground = spec.seed % 2 ? 0 : peak;
    const auto picture = [&](std::uint32_t impulse) {
        return paint(spec, [&](const Spot &spot) { return here(spot) ? impulse : ground; });
    };
    switch (spec.index % 3) {
    case 0:
        return {picture(peak - ground), picture(ground)};
    case 1:
        return {picture(ground), picture(peak - ground)};
    default:
        return {picture(peak - ground), picture(peak / 2)};
    }
}

FramePair impulse_single(const FrameSpec &spec) {
    return impulses(spec, [](const Spot &spot) {
        const std::uint32_t place = static_cast<std::uint32_t>(spot.phase) * golden_ratio;
        return static_cast<int>(place % static_cast<std::uint32_t>(spot.width)) == spot.x &&
               static_cast<int>((place >> 8) % static_cast<std::uint32_t>(spot.height)) == spot.y;
    });
}

bool at_end(int position, int size) { return position == 0 || position == size - 1; }

FramePair impulse_corners(const FrameSpec &spec) {
    return impulses(spec, [](const Spot &spot) { return at_end(spot.x, spot.width) && at_end(spot.y, spot.height); });
}

FramePair impulse_borders(const FrameSpec &spec) {
    return impulses(spec, [](const Spot &spot) {
        return (at_end(spot.x, spot.width) || at_end(spot.y, spot.height)) && (spot.x + spot.y + spot.phase) % 5 == 0;
    });
}

FramePair impulse_seams(const FrameSpec &spec) {
    const int pitch = spec.pitch;
    return impulses(spec, [pitch](const Spot &spot) {
        const int beside =
            spot.phase % 3 - 1; // the last sample before the seam, the first after it, the second after it
        const auto seam = [&](int position) { return position > 1 && (position - beside) % pitch == 0; };
        return (seam(spot.x) && spot.y % 3 == 0) || (seam(spot.y) && spot.x % 3 == 0);
    });
}

FramePair noise_noise(const FrameSpec &spec) { return {noise(spec, 0), noise(spec, 1)}; }
FramePair noise_constant(const FrameSpec &spec) { return {noise(spec, 0), grey(spec)}; }
FramePair constant_noise(const FrameSpec &spec) { return {grey(spec), noise(spec, 0)}; }
FramePair identical(const FrameSpec &spec) { return identical_pair(spec.format, noise_seed(spec, 0)); }

FramePair noise_saturated(const FrameSpec &spec) {
    const std::uint32_t peak = largest_sample(spec.format);
    const auto saturated = [&](std::uint32_t word) { return word & 1u ? peak : 0; };
    return {random(spec, 0, saturated), random(spec, 1, saturated)};
}

FramePair off_by_one(const FrameSpec &spec) {
    const std::uint32_t peak = largest_sample(spec.format);
    return {noise(spec, 0), random(spec, 0, [&](std::uint32_t word) { return (word & peak) ^ 1u; })};
}

FramePair grain(const FrameSpec &spec) {
    return {grain_frame(spec.format, noise_seed(spec, 0)), grain_frame(spec.format, noise_seed(spec, 1))};
}

FramePair grain_flat(const FrameSpec &spec) { return {grain_frame(spec.format, noise_seed(spec, 0)), grey(spec)}; }

FramePair grain_black(const FrameSpec &spec) {
    const auto dark = [](std::uint32_t word) { return word & 1u; };
    return {random(spec, 0, dark), random(spec, 1, dark)};
}

FramePair grain_white(const FrameSpec &spec) {
    const auto bright = [peak = largest_sample(spec.format)](std::uint32_t word) { return peak - (word & 1u); };
    return {random(spec, 0, bright), random(spec, 1, bright)};
}

FramePair sparse(const FrameSpec &spec) {
    const auto bits = static_cast<std::uint32_t>(spec.format.bit_depth);
    const auto bit = [&](std::uint32_t word) { return word % 61 == 0 ? 1u << ((word >> 8) % bits) : 0u; };
    return {random(spec, 0, bit), random(spec, 1, bit)};
}

/// How many bits the lower part of a sample has: the low byte, or half of an 8-bit sample.
int low_bits(const FrameSpec &spec) { return spec.format.bytes_per_sample() == 1 ? 4 : 8; }

FramePair bytes_swapped(const FrameSpec &spec) {
    const std::uint32_t high = 1u << low_bits(spec), low = 1;
    const auto picture = [&](int turn) {
        return paint(spec, [&](const Spot &spot) { return (spot.x + spot.y + spot.phase + turn) % 2 ? high : low; });
    };
    return {picture(0), picture(1)};
}

FramePair bytes_carry(const FrameSpec &spec) {
    const std::uint32_t carry = 1u << low_bits(spec);
    const auto value = [&](std::uint32_t word) { return carry - (word & 1u); };
    return {random(spec, 0, value), random(spec, 1, value)};
}

FramePair bytes_apart(const FrameSpec &spec) {
    const std::uint32_t peak = largest_sample(spec.format), low = (1u << low_bits(spec)) - 1;
    const bool swapped = spec.index % 2 != 0;
    const auto part = [&](std::uint32_t mask) {
        return random(spec, 0, [=](std::uint32_t word) { return word & mask; });
    };
    return {part(swapped ? low : peak & ~low), part(swapped ? peak & ~low : low)};
}

constexpr Fill table[] = {
    {"clip", "A moving ramp with textured squares and its blurred, quantised version, in aligned rows.", clip},
    {"zero", "Both pictures are black.", zero},
    {"max", "Both pictures are white.", max},
    {"zero-max", "A black picture and a white distorted one.", zero_max},
    {"max-zero", "A white picture and a black distorted one.", max_zero},
    {"flat", "Two constant levels, others in every frame.", flat},
    {"alternating-frames", "Black and white by turns, the distorted picture the other way round.", alternating_frames},
    {"alternating-columns", "Columns black and white by turns, inverted in the distorted picture.", stripes<true>},
    {"alternating-rows", "Rows black and white by turns, inverted in the distorted picture.", stripes<false>},
    {"checkerboard-1", "Squares of 1 sample, shifted by a sample or inverted.", checkerboard, 1},
    {"checkerboard-2", "Squares of 2 samples, shifted by a sample or inverted.", checkerboard, 2},
    {"checkerboard-3", "Squares of 3 samples, shifted by a sample or inverted.", checkerboard, 3},
    {"checkerboard-7", "Squares of 7 samples, shifted by a sample or inverted.", checkerboard, 7},
    {"checkerboard-8", "Squares of 8 samples, shifted by a sample or inverted.", checkerboard, 8},
    {"checkerboard-16", "Squares of 16 samples, shifted by a sample or inverted.", checkerboard, 16},
    {"checkerboard-31", "Squares of 31 samples, shifted by a sample or inverted.", checkerboard, 31},
    {"checkerboard-64", "Squares of 64 samples, shifted by a sample or inverted.", checkerboard, 64},
    {"ramp-horizontal", "From black to white along rows; the distorted ramp is a sample ahead.", ramp<true, false>},
    {"ramp-vertical", "From black to white along columns; the distorted ramp is a sample ahead.", ramp<false, true>},
    {"ramp-diagonal", "From black to white across both; the distorted ramp is a sample ahead.", ramp<true, true>},
    {"ramp-wrapping", "One more with every sample, beginning again at 0 after the largest.", ramp_wrapping},
    {"impulse-single", "One impulse on a flat ground, elsewhere in every frame.", impulse_single},
    {"impulse-corners", "Impulses in the four corners of a flat ground.", impulse_corners},
    {"impulse-borders", "Every fifth sample of the outermost rows and columns is an impulse.", impulse_borders},
    {"impulse-seams-7", "Impulses around multiples of 7 samples.", impulse_seams, 7},
    {"impulse-seams-8", "Impulses around multiples of 8 samples.", impulse_seams, 8},
    {"impulse-seams-16", "Impulses around multiples of 16 samples.", impulse_seams, 16},
    {"impulse-seams-32", "Impulses around multiples of 32 samples.", impulse_seams, 32},
    {"impulse-seams-60", "Impulses around multiples of 60 samples.", impulse_seams, 60},
    {"impulse-seams-64", "Impulses around multiples of 64 samples.", impulse_seams, 64},
    {"impulse-seams-112", "Impulses around multiples of 112 samples.", impulse_seams, 112},
    {"noise", "Two unrelated noises over the full range.", noise_noise},
    {"noise-saturated", "Two unrelated noises of black and white.", noise_saturated},
    {"noise-constant", "Noise, and mid-grey as its distorted version.", noise_constant},
    {"constant-noise", "Mid-grey, and noise as its distorted version.", constant_noise},
    {"identical", "The same noise twice.", identical},
    {"off-by-one", "Noise, and the same with the lowest bit of every sample flipped.", off_by_one},
    {"grain", "Mid-grey with every second sample or so one higher: variances near a rounding threshold.", grain},
    {"grain-flat", "Grain on mid-grey, and mid-grey without it.", grain_flat},
    {"grain-black", "Samples of 0 and 1.", grain_black},
    {"grain-white", "The largest sample and the one below it.", grain_white},
    {"sparse", "Black but for one sample in 61, which has one bit set.", sparse},
    {"bytes-swapped", "Samples whose high or low byte is 1, by turns (halves of the byte at 8 bit).", bytes_swapped},
    {"bytes-carry", "The last value without a high byte and the first one with it (halves at 8 bit).", bytes_carry},
    {"bytes-apart", "The high bytes of a noise against its low bytes (halves at 8 bit).", bytes_apart},
};

} // namespace

std::span<const Fill> fills() { return table; }

const Fill *find_fill(std::string_view name) {
    const auto *const found =
        std::find_if(std::begin(table), std::end(table), [&](const Fill &fill) { return fill.name == name; });
    return found == std::end(table) ? nullptr : found;
}

} // namespace isovmaf::diff

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/fills.hpp"

#include <algorithm>

#include "frame/patterns.hpp"

namespace isovmaf::diff {

namespace {

constexpr std::uint32_t golden_ratio = 0x9e3779b9; ///< 2^32 / 1.618..., odd: neighbouring seeds end up far apart

/// Where a sample lies.
struct Spot {
    int x, y;
    int width, height; ///< of the plane
    int phase;         ///< one more with every frame and every plane: pictures move, and planes differ
};

/// Where the fill of this seed starts, small enough for any sum of positions.
int first_phase(const Shot &shot) { return static_cast<int>(shot.seed & 0xffff); }

/// Of random frame 0 (reference) or 1 (distorted) of a shot.
std::uint32_t noise_seed(const Shot &shot, std::uint32_t number) {
    return shot.seed * golden_ratio + 2 * static_cast<std::uint32_t>(shot.index) + number;
}

/// Asks `sample(spot)` for every sample.
template <class Sampler>
Frame paint(const Shot &shot, Sampler sample) {
    const int phase = first_phase(shot) + shot.index % 0x10000;
    return painted_frame(shot.format, default_poison, [&](int plane, int x, int y) -> std::uint32_t {
        return sample(Spot{x, y, shot.format.plane_width(plane), shot.format.plane_height(plane), phase + plane});
    });
}

/// White where `white(spot)`, else black.
template <class Predicate>
Frame paint_white(const Shot &shot, Predicate white) {
    const std::uint32_t peak = largest_sample(shot.format);
    return paint(shot, [&](const Spot &spot) { return white(spot) ? peak : 0; });
}

/// `value(word)` of random words; `number` as in noise_seed.
template <class Value>
Frame random(const Shot &shot, std::uint32_t number, Value value) {
    return random_frame(shot.format, noise_seed(shot, number), default_poison, value);
}

Frame black(const Shot &shot) { return constant_frame(shot.format, 0); }
Frame white(const Shot &shot) { return constant_frame(shot.format, largest_sample(shot.format)); }
Frame grey(const Shot &shot) { return constant_frame(shot.format, (largest_sample(shot.format) + 1) / 2); }
Frame noise(const Shot &shot, std::uint32_t number) { return noise_frame(shot.format, noise_seed(shot, number)); }

FramePair clip(const Shot &shot) {
    return GeneratedClip(shot.format).frame(shot.seed + static_cast<std::uint32_t>(shot.index));
}

FramePair zero(const Shot &shot) { return {black(shot), black(shot)}; }
FramePair max(const Shot &shot) { return {white(shot), white(shot)}; }
FramePair zero_max(const Shot &shot) { return black_and_white(shot.format); }
FramePair max_zero(const Shot &shot) { return {white(shot), black(shot)}; }

FramePair flat(const Shot &shot) {
    const auto level = [&](std::uint32_t number) {
        return constant_frame(shot.format, noise_seed(shot, number) * golden_ratio >> (32 - shot.format.bit_depth));
    };
    return {level(0), level(1)};
}

FramePair alternating_frames(const Shot &shot) {
    return (static_cast<std::uint32_t>(shot.index) + shot.seed) % 2 ? max_zero(shot) : zero_max(shot);
}

template <bool columns>
FramePair stripes(const Shot &shot) {
    const auto stripe = [](const Spot &spot) { return ((columns ? spot.x : spot.y) + spot.phase) % 2 != 0; };
    return {paint_white(shot, stripe), paint_white(shot, [&](const Spot &spot) { return !stripe(spot); })};
}

FramePair checkerboard(const Shot &shot) {
    const int pitch = shot.pitch;
    const bool inverted = shot.index % 2 != 0;
    const auto board = [&](int shift, bool colour) {
        return paint_white(shot, [=](const Spot &spot) {
            return ((spot.x + spot.phase + shift) / pitch + spot.y / pitch) % 2 == static_cast<int>(colour);
        });
    };
    return {board(0, true), inverted ? board(0, false) : board(1, true)};
}

/// From black to white once along the given axes; the distorted ramp is a sample ahead.
template <bool across, bool down>
FramePair ramp(const Shot &shot) {
    const std::uint64_t peak = largest_sample(shot.format);
    const auto ramp = [&](int ahead) {
        return paint(shot, [&](const Spot &spot) {
            const int steps = std::max((across ? spot.width - 1 : 0) + (down ? spot.height - 1 : 0), 1);
            const int position = (across ? spot.x : 0) + (down ? spot.y : 0) + spot.phase + ahead;
            return static_cast<std::uint32_t>(static_cast<std::uint64_t>(position % (steps + 1)) * peak /
                                              static_cast<std::uint64_t>(steps));
        });
    };
    return {ramp(0), ramp(1)};
}

FramePair ramp_wrapping(const Shot &shot) {
    const std::uint32_t peak = largest_sample(shot.format);
    const auto ramp = [&](std::uint32_t ahead) {
        return paint(shot, [&](const Spot &spot) {
            return (static_cast<std::uint32_t>(spot.y * spot.width + spot.x + spot.phase) + ahead) & peak;
        });
    };
    return {ramp(0), ramp(1)};
}

/// Impulses on a flat ground, in one picture or in both, then weaker in the distorted one. The seed says whether they
/// are white on black or the reverse.
template <class Predicate>
FramePair impulses(const Shot &shot, Predicate here) {
    const std::uint32_t peak = largest_sample(shot.format), ground = shot.seed % 2 ? 0 : peak;
    const auto picture = [&](std::uint32_t impulse) {
        return paint(shot, [&](const Spot &spot) { return here(spot) ? impulse : ground; });
    };
    switch (shot.index % 3) {
    case 0:
        return {picture(peak - ground), picture(ground)};
    case 1:
        return {picture(ground), picture(peak - ground)};
    default:
        return {picture(peak - ground), picture(peak / 2)};
    }
}

FramePair impulse_single(const Shot &shot) {
    return impulses(shot, [](const Spot &spot) {
        const std::uint32_t place = static_cast<std::uint32_t>(spot.phase) * golden_ratio;
        return static_cast<int>(place % static_cast<std::uint32_t>(spot.width)) == spot.x &&
               static_cast<int>((place >> 8) % static_cast<std::uint32_t>(spot.height)) == spot.y;
    });
}

bool at_end(int position, int size) { return position == 0 || position == size - 1; }

FramePair impulse_corners(const Shot &shot) {
    return impulses(shot, [](const Spot &spot) { return at_end(spot.x, spot.width) && at_end(spot.y, spot.height); });
}

FramePair impulse_borders(const Shot &shot) {
    return impulses(shot, [](const Spot &spot) {
        return (at_end(spot.x, spot.width) || at_end(spot.y, spot.height)) && (spot.x + spot.y + spot.phase) % 5 == 0;
    });
}

FramePair impulse_seams(const Shot &shot) {
    const int pitch = shot.pitch;
    return impulses(shot, [pitch](const Spot &spot) {
        const int beside = spot.phase % 3 - 1; // the sample before the seam, behind it, and the one after that
        const auto seam = [&](int position) { return position > 1 && (position - beside) % pitch == 0; };
        return (seam(spot.x) && spot.y % 3 == 0) || (seam(spot.y) && spot.x % 3 == 0);
    });
}

FramePair noise_noise(const Shot &shot) { return {noise(shot, 0), noise(shot, 1)}; }
FramePair noise_constant(const Shot &shot) { return {noise(shot, 0), grey(shot)}; }
FramePair constant_noise(const Shot &shot) { return {grey(shot), noise(shot, 0)}; }
FramePair identical(const Shot &shot) { return identical_pair(shot.format, noise_seed(shot, 0)); }

FramePair noise_saturated(const Shot &shot) {
    const std::uint32_t peak = largest_sample(shot.format);
    const auto saturated = [&](std::uint32_t word) { return word & 1u ? peak : 0; };
    return {random(shot, 0, saturated), random(shot, 1, saturated)};
}

FramePair off_by_one(const Shot &shot) {
    const std::uint32_t peak = largest_sample(shot.format);
    return {noise(shot, 0), random(shot, 0, [&](std::uint32_t word) { return (word & peak) ^ 1u; })};
}

FramePair grain(const Shot &shot) {
    return {grain_frame(shot.format, noise_seed(shot, 0)), grain_frame(shot.format, noise_seed(shot, 1))};
}

FramePair grain_flat(const Shot &shot) { return {grain_frame(shot.format, noise_seed(shot, 0)), grey(shot)}; }

FramePair grain_black(const Shot &shot) {
    const auto dark = [](std::uint32_t word) { return word & 1u; };
    return {random(shot, 0, dark), random(shot, 1, dark)};
}

FramePair grain_white(const Shot &shot) {
    const auto bright = [peak = largest_sample(shot.format)](std::uint32_t word) { return peak - (word & 1u); };
    return {random(shot, 0, bright), random(shot, 1, bright)};
}

FramePair sparse(const Shot &shot) {
    const auto bits = static_cast<std::uint32_t>(shot.format.bit_depth);
    const auto bit = [&](std::uint32_t word) { return word % 61 == 0 ? 1u << ((word >> 8) % bits) : 0u; };
    return {random(shot, 0, bit), random(shot, 1, bit)};
}

/// Bits in the lower part of a sample: its low byte, or half of the only byte.
int low_bits(const Shot &shot) { return shot.format.bytes_per_sample() == 1 ? 4 : 8; }

FramePair bytes_swapped(const Shot &shot) {
    const std::uint32_t high = 1u << low_bits(shot), low = 1;
    const auto picture = [&](int turn) {
        return paint(shot, [&](const Spot &spot) { return (spot.x + spot.y + spot.phase + turn) % 2 ? high : low; });
    };
    return {picture(0), picture(1)};
}

FramePair bytes_carry(const Shot &shot) {
    const std::uint32_t carry = 1u << low_bits(shot);
    const auto value = [&](std::uint32_t word) { return carry - (word & 1u); };
    return {random(shot, 0, value), random(shot, 1, value)};
}

FramePair bytes_apart(const Shot &shot) {
    const std::uint32_t peak = largest_sample(shot.format), low = (1u << low_bits(shot)) - 1;
    const bool swapped = shot.index % 2 != 0;
    const auto part = [&](std::uint32_t mask) {
        return random(shot, 0, [=](std::uint32_t word) { return word & mask; });
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

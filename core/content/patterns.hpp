// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <random>

#include "frame/frame_pair.hpp"
#include "frame/frame_pool.hpp"

/// Pathological pictures. Their rows are not aligned, and the bytes around each row are poison: a feature that reads
/// them gives another score for another poison.
namespace isovmaf {

inline constexpr std::uint8_t default_poison = 0xa5;

/// 255 at 8 bit.
[[nodiscard]] constexpr std::uint32_t largest_sample(const VideoFormat &format) { return (1u << format.bit_depth) - 1; }

/// A frame of nothing but poison.
[[nodiscard]] WritableFrame poisoned_frame(const VideoFormat &format, std::uint8_t poison);

/// Asks `sample(plane, x, y)` for every sample in raster order, plane after plane.
template <class Sampler>
[[nodiscard]] Frame painted_frame(const VideoFormat &format, std::uint8_t poison, Sampler sample) {
    static_assert(std::endian::native == std::endian::little, "the low bytes of a sample come first");
    const auto bytes = static_cast<std::size_t>(format.bytes_per_sample());
    const WritableFrame frame = poisoned_frame(format, poison);
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        for (int y = 0; y < format.plane_height(p); y++) {
            std::byte *next = frame.data[i] + y * frame.stride_bytes[i];
            for (int x = 0; x < format.plane_width(p); x++, next += bytes) {
                const auto value = static_cast<std::uint16_t>(sample(p, x, y));
                std::memcpy(next, &value, bytes);
            }
        }
    }
    return frame.frame;
}

/// Independent samples, each `value(word)` of a random word of 32 bits; the same words for the same seed.
template <class Value>
[[nodiscard]] Frame random_frame(const VideoFormat &format, std::uint32_t seed, std::uint8_t poison, Value value) {
    std::mt19937 random(seed);
    return painted_frame(format, poison, [&](int, int, int) { return value(static_cast<std::uint32_t>(random())); });
}

/// Every sample of every plane is `level`.
[[nodiscard]] Frame constant_frame(const VideoFormat &format, std::uint32_t level,
                                   std::uint8_t poison = default_poison);

/// Independent samples over the full range; the same for the same seed.
[[nodiscard]] Frame noise_frame(const VideoFormat &format, std::uint32_t seed, std::uint8_t poison = default_poison);

/// Mid-grey, every second sample or so one higher: variances vanish in rounding errors.
[[nodiscard]] Frame grain_frame(const VideoFormat &format, std::uint32_t seed);

/// Two unrelated noises.
[[nodiscard]] FramePair noise_pair(const VideoFormat &format, std::uint32_t seed, std::uint8_t poison = default_poison);

/// The same noise twice, in different memory.
[[nodiscard]] FramePair identical_pair(const VideoFormat &format, std::uint32_t seed);

[[nodiscard]] FramePair black_and_white(const VideoFormat &format);

} // namespace isovmaf

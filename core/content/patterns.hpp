// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <random>

#include "frame/frame_pool.hpp"
#include "isovmaf/frame.hpp"

/// A generated clip, and pictures that are hard on features. The rows of these are not aligned, and the bytes around
/// each row are poison: a feature that reads those bytes gives another score for another poison.
namespace isovmaf {

inline constexpr std::uint8_t default_poison = 0xa5;

/// 255 at 8 bit.
[[nodiscard]] constexpr std::uint32_t largest_sample(const VideoFormat &format) { return (1u << format.bit_depth) - 1; }

/// A frame to fill: all its bytes, samples included, are `poison`.
[[nodiscard]] WritableFrame poisoned_frame(const VideoFormat &format, std::uint8_t poison,
                                           ChromaEdge edge = ChromaEdge::absent);

/// Makes a frame of the samples that `sample(plane, x, y)` returns; it is called in raster order, plane after plane.
template <class Sampler>
[[nodiscard]] Frame painted_frame(const VideoFormat &format, std::uint8_t poison, Sampler sample,
                                  ChromaEdge edge = ChromaEdge::absent) {
    static_assert(std::endian::native == std::endian::little, "the low bytes of a sample come first");
    const auto bytes = static_cast<std::size_t>(format.bytes_per_sample());
    const WritableFrame frame = poisoned_frame(format, poison, edge);
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const Plane plane = frame.frame.stored_plane(p);
        for (int y = 0; y < plane.height; y++) {
            std::byte *next = frame.data[i] + y * frame.stride_bytes[i];
            for (int x = 0; x < plane.width; x++, next += bytes) {
                const auto value = static_cast<std::uint16_t>(sample(p, x, y));
                std::memcpy(next, &value, bytes);
            }
        }
    }
    return frame.frame;
}

/// Makes a frame of independent samples: `value(bits)` of 32 random bits each. The same seed gives the same bits.
template <class Value>
[[nodiscard]] Frame random_frame(const VideoFormat &format, std::uint32_t seed, std::uint8_t poison, Value value,
                                 ChromaEdge edge = ChromaEdge::absent) {
    std::mt19937 random(seed);
    return painted_frame(
        format, poison, [&](int, int, int) { return value(static_cast<std::uint32_t>(random())); }, edge);
}

/// Every sample of every plane is `level`.
[[nodiscard]] Frame constant_frame(const VideoFormat &format, std::uint32_t level,
                                   std::uint8_t poison = default_poison);

/// Independent samples over the full range. The same seed gives the same frame.
[[nodiscard]] Frame noise_frame(const VideoFormat &format, std::uint32_t seed, std::uint8_t poison = default_poison,
                                ChromaEdge edge = ChromaEdge::absent);

/// Mid-grey, with about half of the samples one higher: the variances are as small as rounding errors.
[[nodiscard]] Frame grain_frame(const VideoFormat &format, std::uint32_t seed);

/// Two frames of noise that have nothing in common.
[[nodiscard]] FramePair noise_pair(const VideoFormat &format, std::uint32_t seed, std::uint8_t poison = default_poison,
                                   ChromaEdge edge = ChromaEdge::absent);

/// The same noise in both frames, each in memory of its own.
[[nodiscard]] FramePair identical_pair(const VideoFormat &format, std::uint32_t seed);

[[nodiscard]] FramePair black_and_white(const VideoFormat &format);

/// Generates test content with integer arithmetic alone, so that it is the same on every machine: a moving ramp with
/// textured squares, and the same picture after a box blur and quantisation (features.md §12). Used by golden tests,
/// benchmarks and fuzzing.
class GeneratedClip {
  public:
    /// `edge`: whether chroma of odd sizes has its last column and row.
    explicit GeneratedClip(const VideoFormat &format, ChromaEdge edge = ChromaEdge::absent)
        : pool_(format, edge), format_(format) {}

    [[nodiscard]] FramePair frame(std::uint32_t index);

  private:
    FramePool pool_;
    VideoFormat format_;
};

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "frame/generated_clip.hpp"

/// Pathological pictures. Their rows are not aligned, and the bytes around each row are poison: a feature that reads
/// them gives another score for another poison.
namespace isovmaf::testing {

inline constexpr std::uint8_t default_poison = 0xa5;

/// Largest sample of a format: 255 at 8 bit.
[[nodiscard]] std::uint32_t peak(const VideoFormat &format);

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

} // namespace isovmaf::testing

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "isovmaf/frame.hpp"
#include "isovmaf/result.hpp"

/// Samples above the bit depth. Features rely on there being none.
namespace isovmaf {

/// A row that has a sample above the largest of the bit depth.
struct LargeSample {
    int plane = 0;
    int row = 0;
};

/// Whether the memory of a frame can hold samples above the bit depth, and nobody has looked at them yet.
[[nodiscard]] bool may_have_large_samples(const Frame &frame);

/// Whether a sample of the row needs more than `bit_depth` bits.
[[nodiscard]] bool is_above_depth(const std::uint16_t *row, int width, int bit_depth);

/// The first of some rows of a plane that has a sample above the bit depth: from row `begin` to before row `end`, those
/// of them that the plane has. For a plain frame in host memory of more than 8 bits.
[[nodiscard]] std::optional<LargeSample> find_large_sample(const Frame &frame, int plane, int begin, int end);

/// The error of frame number `index` of the video `name`.
[[nodiscard]] tl::unexpected<Error> samples_too_large(const VideoFormat &format, const LargeSample &large,
                                                      std::string_view name, std::int64_t index);

/// Fails when the first `plane_count` planes of a plain frame in host memory, number `index` of `name`, have a sample
/// that needs more bits than the format says. The usual cause is a wrong bit depth for raw video.
[[nodiscard]] Result<void> check_samples(const Frame &frame, std::string_view name, std::int64_t index,
                                         int plane_count = 3);

} // namespace isovmaf

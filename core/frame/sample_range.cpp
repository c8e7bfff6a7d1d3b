// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/sample_range.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace isovmaf {

bool may_have_large_samples(const Frame &frame) {
    const VideoFormat &format = frame.format();
    if (frame.samples_checked() || format.bytes_per_sample() == 1)
        return false;
    for (int p = 0; p < format.plane_count(); p++)
        if (16 - frame.samples(p).shift > format.bit_depth)
            return true;
    return false;
}

bool is_above_depth(const std::uint16_t *row, int width, int bit_depth) {
    std::uint16_t bits = 0; // every bit that any sample has set: a loop that compilers turn into vector code
    for (int x = 0; x < width; x++)
        bits = static_cast<std::uint16_t>(bits | row[x]);
    return bits >> bit_depth != 0;
}

std::optional<LargeSample> find_large_sample(const Frame &frame, int plane, int begin, int end) {
    const Plane rows = frame.plane(plane);
    for (int y = begin; y < std::min(end, rows.height); y++)
        if (is_above_depth(rows.row<std::uint16_t>(y), rows.width, frame.format().bit_depth))
            return LargeSample{plane, y};
    return std::nullopt;
}

tl::unexpected<Error> samples_too_large(const VideoFormat &format, const LargeSample &large, std::string_view name,
                                        std::int64_t index) {
    return fail(
        ErrorCode::corrupt_data,
        fmt::format("frame {} of {} has samples above {} in row {} of plane {}, too large for {} bit; check the "
                    "bit depth of the video",
                    index, name, (1 << format.bit_depth) - 1, large.row, large.plane, format.bit_depth));
}

Result<void> check_samples(const Frame &frame, std::string_view name, std::int64_t index, int plane_count) {
    if (!may_have_large_samples(frame))
        return {};
    const VideoFormat &format = frame.format();
    for (int p = 0; p < std::min(plane_count, format.plane_count()); p++)
        if (const auto large = find_large_sample(frame, p, 0, format.plane_height(p)))
            return samples_too_large(format, *large, name, index);
    return {};
}

} // namespace isovmaf

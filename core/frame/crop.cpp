// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/crop.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "frame/validate.hpp"

namespace isovmaf {

namespace {

/// Width, height, left and top with these three separators between them.
std::optional<Crop> parse_numbers(std::string_view text, std::string_view separators) {
    std::array<int, 4> numbers{};
    std::size_t begin = 0;
    for (std::size_t i = 0; i < numbers.size(); i++) {
        const std::size_t end = i < separators.size() ? text.find(separators[i], begin) : text.size();
        if (end == std::string_view::npos)
            return std::nullopt;
        const auto number = parse_integer(text.substr(begin, end - begin));
        if (!number || *number < (i < 2 ? 1 : 0) || *number > max_frame_side)
            return std::nullopt;
        numbers[i] = static_cast<int>(*number);
        begin = end + 1;
    }
    return Crop{numbers[0], numbers[1], numbers[2], numbers[3]};
}

/// Whether the crop of a picture of odd size ends with its last column or row.
bool reaches_edge(const VideoFormat &format, const Crop &crop) {
    return has_chroma_edge(format) &&
           (crop.left + crop.width == format.width || crop.top + crop.height == format.height);
}

} // namespace

Result<Crop> parse_crop(const std::string &text) {
    for (const char *separators : {"x++", ":::"})
        if (const auto crop = parse_numbers(text, separators))
            return *crop;
    return fail(ErrorCode::invalid_argument,
                fmt::format("\"{}\" is no part of a picture: give WIDTHxHEIGHT+LEFT+TOP or, as for ffmpeg's crop, "
                            "WIDTH:HEIGHT:LEFT:TOP, for example 640x360+16+8",
                            text));
}

std::string crop_text(const Crop &crop) {
    return fmt::format("{}x{}+{}+{}", crop.width, crop.height, crop.left, crop.top);
}

Result<void> check_crop(const VideoFormat &format, const Crop &crop) {
    const int step_x = 1 << format.chroma_shift_x(), step_y = 1 << format.chroma_shift_y();
    if (crop.left < 0 || crop.top < 0 || crop.width < 1 || crop.height < 1 || crop.left > format.width - crop.width ||
        crop.top > format.height - crop.height)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("a crop of {}x{} at ({}, {}) does not lie in pictures of {}x{}", crop.width,
                                crop.height, crop.left, crop.top, format.width, format.height));
    if (crop.left % step_x != 0 || crop.top % step_y != 0)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("a crop starts at whole chroma samples: at multiples of ({}, {}), not at ({}, {})",
                                step_x, step_y, crop.left, crop.top));
    return {};
}

Result<void> check_crop_size(Chroma chroma, const Crop &crop) {
    const VideoFormat format{.chroma = chroma};
    const int step_x = 1 << format.chroma_shift_x(), step_y = 1 << format.chroma_shift_y();
    if (crop.width % step_x == 0 && crop.height % step_y == 0)
        return {};
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("{} cuts through chroma samples of {}: its width has to be a multiple of {}, its height of {}",
                    crop_text(crop), chroma_text(chroma), step_x, step_y));
}

VideoFormat cropped(VideoFormat format, const Crop &crop) {
    format.width = crop.width;
    format.height = crop.height;
    return format;
}

Frame cropped(const Frame &frame, const Crop &crop) {
    const VideoFormat &format = frame.format();
    std::array<const void *, 3> data{};
    std::array<std::ptrdiff_t, 3> stride_bytes{};
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const int left = p == 0 ? crop.left : crop.left >> format.chroma_shift_x();
        const int top = p == 0 ? crop.top : crop.top >> format.chroma_shift_y();
        data[i] = frame.plane(p).row<std::byte>(top) + std::ptrdiff_t{left} * format.bytes_per_sample();
        stride_bytes[i] = frame.plane(p).stride_bytes;
    }
    // What the crop ends with is there if the frame goes on, or has it.
    const bool whole = frame.chroma_edge() == ChromaEdge::present || !reaches_edge(format, crop);
    Frame part(cropped(format, crop), frame.owner(), data, stride_bytes,
               whole ? ChromaEdge::present : ChromaEdge::absent);
    part.set_seconds(frame.seconds());
    if (frame.samples_checked())
        part.set_samples_checked();
    return part;
}

} // namespace isovmaf

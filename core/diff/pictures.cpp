// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/pictures.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "base/number.hpp"
#include "base/try.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf::diff {

namespace {

VideoFormat cropped(VideoFormat format, const std::optional<Crop> &crop) {
    if (crop) {
        format.width = crop->width;
        format.height = crop->height;
    }
    return format;
}

template <class Sample>
void copy_plane(const Plane &from, int left, int top, std::uint32_t keep_bits, int width, int height, std::byte *to,
                std::ptrdiff_t stride_bytes) {
    for (int y = 0; y < height; y++) {
        const Sample *const source = from.row<Sample>(top + y) + left;
        auto *const row = reinterpret_cast<Sample *>(to + y * stride_bytes);
        for (int x = 0; x < width; x++)
            row[x] = static_cast<Sample>(source[x] & keep_bits);
    }
}

std::string describe(const Reduction &reduction) {
    std::string text;
    if (reduction.skip > 0 || reduction.count)
        text += fmt::format(", frames from {}{}", reduction.skip,
                            reduction.count ? fmt::format(" to {}", reduction.skip + *reduction.count - 1) : "");
    if (const auto &crop = reduction.crop)
        text += fmt::format(", {}x{} at ({}, {})", crop->width, crop->height, crop->left, crop->top);
    if (reduction.keep_bits != Reduction{}.keep_bits)
        text += fmt::format(", bits {:#x} of samples", reduction.keep_bits);
    return text;
}

} // namespace

Reduction combine(const Reduction &first, const Reduction &then) {
    Reduction both = then;
    both.skip += first.skip;
    both.keep_bits &= first.keep_bits;
    if (first.count)
        both.count = std::min(then.count.value_or(*first.count), std::max<std::int64_t>(*first.count - then.skip, 0));
    if (first.crop && !both.crop)
        both.crop = first.crop;
    else if (first.crop) {
        both.crop->left += first.crop->left;
        both.crop->top += first.crop->top;
    }
    return both;
}

Result<Crop> parse_crop(const std::string &text) {
    std::array<int, 4> numbers{};
    std::size_t begin = 0;
    const char *const separators = "x++";
    for (std::size_t i = 0; i < numbers.size(); i++) {
        const std::size_t end = i < 3 ? text.find(separators[i], begin) : text.size();
        const std::optional<std::int64_t> number =
            end == std::string::npos ? std::nullopt : parse_integer(std::string_view(text).substr(begin, end - begin));
        if (!number || *number < (i < 2 ? 1 : 0) || *number > max_frame_side)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("\"{}\" is no crop: give WIDTHxHEIGHT+LEFT+TOP, as 640x360+16+8", text));
        numbers[i] = static_cast<int>(*number);
        begin = end + 1;
    }
    return Crop{numbers[0], numbers[1], numbers[2], numbers[3]};
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

Frame reduce(const Frame &frame, const std::optional<Crop> &crop, std::uint32_t keep_bits) {
    const VideoFormat &format = frame.format();
    const WritableFrame to = FramePool(cropped(format, crop)).take();
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const int left = crop ? (p == 0 ? crop->left : crop->left >> format.chroma_shift_x()) : 0;
        const int top = crop ? (p == 0 ? crop->top : crop->top >> format.chroma_shift_y()) : 0;
        const Plane &out = to.frame.plane(p);
        const auto copy = format.bytes_per_sample() == 1 ? copy_plane<std::uint8_t> : copy_plane<std::uint16_t>;
        copy(frame.plane(p), left, top, keep_bits, out.width, out.height, to.data[i], to.stride_bytes[i]);
    }
    return to.frame;
}

FramePair reduce(const FramePair &pair, const Reduction &reduction) {
    if (!reduction.crop && reduction.keep_bits == Reduction{}.keep_bits)
        return pair;
    return {reduce(pair.reference, reduction.crop, reduction.keep_bits),
            reduce(pair.distorted, reduction.crop, reduction.keep_bits)};
}

Result<Pictures> reduce(Pictures pictures, const Reduction &reduction) {
    if (reduction == Reduction{})
        return pictures;
    if (reduction.crop)
        TRY(check_crop(pictures.format, *reduction.crop));
    pictures.reduction = combine(pictures.reduction, reduction);
    pictures.format = cropped(pictures.format, reduction.crop);
    pictures.open = [open = std::move(pictures.open), reduction]() -> Result<PairStream> {
        Result<PairStream> opened = open();
        if (!opened)
            return opened;
        return [source = *std::move(opened), reduction,
                index = std::int64_t{0}]() mutable -> Result<std::optional<FramePair>> {
            for (; index < reduction.skip; index++)
                if (Result<std::optional<FramePair>> skipped = source(); !skipped || !*skipped)
                    return skipped;
            if (reduction.count && index - reduction.skip >= *reduction.count)
                return std::nullopt;
            index++;
            Result<std::optional<FramePair>> pair = source();
            if (pair && *pair)
                return reduce(**pair, reduction);
            return pair;
        };
    };
    return pictures;
}

std::string describe(const Pictures &pictures) { return pictures.title + describe(pictures.reduction); }

std::string options_of(const Pictures &pictures) {
    const Reduction &reduction = pictures.reduction;
    std::string options = pictures.command;
    if (reduction.skip > 0)
        options += fmt::format(" --skip {}", reduction.skip);
    if (reduction.count)
        options += fmt::format(" --frame_cnt {}", *reduction.count);
    if (const auto &crop = reduction.crop)
        options += fmt::format(" --crop {}x{}+{}+{}", crop->width, crop->height, crop->left, crop->top);
    if (reduction.keep_bits != Reduction{}.keep_bits)
        options += fmt::format(" --keep_bits {:#x}", reduction.keep_bits);
    return options;
}

} // namespace isovmaf::diff

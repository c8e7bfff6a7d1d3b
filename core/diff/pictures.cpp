// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/pictures.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "base/try.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf::diff {

namespace {

template <class Sample>
void copy_plane(const Plane &from, std::uint32_t keep_bits, std::byte *to, std::ptrdiff_t stride_bytes) {
    for (int y = 0; y < from.height; y++) {
        const Sample *const source = from.row<Sample>(y);
        auto *const row = reinterpret_cast<Sample *>(to + y * stride_bytes);
        for (int x = 0; x < from.width; x++)
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

Frame reduce(const Frame &frame, const std::optional<Crop> &crop, std::uint32_t keep_bits) {
    const Frame from = crop ? cropped(frame, *crop) : frame;
    const VideoFormat &format = from.format();
    const WritableFrame to = FramePool(format, from.chroma_edge()).take();
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const auto copy = format.bytes_per_sample() == 1 ? copy_plane<std::uint8_t> : copy_plane<std::uint16_t>;
        copy(from.stored_plane(p), keep_bits, to.data[i], to.stride_bytes[i]);
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
    if (reduction.crop)
        pictures.format = cropped(pictures.format, *reduction.crop);
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
        options += " --crop " + crop_text(*crop);
    if (reduction.keep_bits != Reduction{}.keep_bits)
        options += fmt::format(" --keep_bits {:#x}", reduction.keep_bits);
    return options;
}

} // namespace isovmaf::diff

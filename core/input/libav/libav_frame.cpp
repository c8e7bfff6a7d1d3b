// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/libav_frame.hpp"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "frame/validate.hpp"

namespace isovmaf {

namespace {

AVPixelFormat format_of(const AVFrame &frame) { return static_cast<AVPixelFormat>(frame.format); }

/// Copies one component to a plane of its own. Samples are read with memcpy, because they may be unaligned.
template <class Sample>
void unpack_component(const AVFrame &frame, const ComponentLayout &from, int shift, const Plane &shape, std::byte *to) {
    for (int y = 0; y < shape.height; y++) {
        const std::uint8_t *in = frame.data[from.plane] + std::ptrdiff_t{y} * frame.linesize[from.plane];
        in += from.offset_bytes;
        auto *out = reinterpret_cast<Sample *>(to + y * shape.stride_bytes);
        for (int x = 0; x < shape.width; x++, in += from.step_bytes) {
            std::memcpy(&out[x], in, sizeof(Sample));
            out[x] = static_cast<Sample>(out[x] >> shift);
        }
    }
}

} // namespace

std::string shape_text(const AVFrame &frame) {
    return fmt::format("{}x{} {}", frame.width, frame.height, pixel_format_name(format_of(frame)));
}

Result<LibavFrameConverter> LibavFrameConverter::create(const AVFrame &first, const std::string &name) {
    const auto layout = pixel_layout(format_of(first));
    if (!layout)
        return fail(ErrorCode::unsupported,
                    fmt::format("{} has pixel format {}, which has no one conversion to Y'CbCr of 8 to 16 bit; "
                                "convert it first as it should look, for example with ffmpeg -pix_fmt yuv444p12",
                                name, pixel_format_name(format_of(first))));
    const VideoFormat format{first.width, first.height, layout->chroma, layout->bit_depth};
    if (const auto valid = validate_format(format); !valid)
        return fail(valid.error().code, fmt::format("cannot score {}: {}", name, valid.error().message));
    return LibavFrameConverter(format, *layout);
}

bool LibavFrameConverter::accepts(const AVFrame &frame) const {
    // Formats such as yuv420p and yuvj420p differ only in what the values mean: they have the same layout.
    return frame.width == format_.width && frame.height == format_.height && pixel_layout(format_of(frame)) == layout_;
}

Frame LibavFrameConverter::convert(AvFrame frame) {
    return is_usable_in_place(*frame) ? share(std::move(frame)) : unpack(*frame);
}

bool LibavFrameConverter::is_usable_in_place(const AVFrame &frame) const {
    if (!layout_.is_planar())
        return false;
    for (int p = 0; p < format_.plane_count(); p++) {
        const auto address = reinterpret_cast<std::uintptr_t>(frame.data[p]);
        if (format_.bytes_per_sample() == 2 && (address % 2 != 0 || frame.linesize[p] % 2 != 0))
            return false;
    }
    return true;
}

Frame LibavFrameConverter::share(AvFrame frame) const {
    std::array<const void *, 3> data{};
    std::array<std::ptrdiff_t, 3> stride_bytes{};
    for (int p = 0; p < format_.plane_count(); p++) {
        data[static_cast<std::size_t>(p)] = reinterpret_cast<const std::byte *>(frame->data[p]);
        stride_bytes[static_cast<std::size_t>(p)] = frame->linesize[p];
    }
    return {format_, std::shared_ptr<const AVFrame>(std::move(frame)), data, stride_bytes, ChromaEdge::present};
}

Frame LibavFrameConverter::unpack(const AVFrame &frame) {
    if (!pool_)
        pool_.emplace(format_, ChromaEdge::present);
    const WritableFrame copy = pool_->take();
    for (int p = 0; p < format_.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const ComponentLayout &from = layout_.components[i];
        const Plane shape = copy.frame.stored_plane(p);
        if (format_.bytes_per_sample() == 1)
            unpack_component<std::uint8_t>(frame, from, layout_.shift, shape, copy.data[i]);
        else
            unpack_component<std::uint16_t>(frame, from, layout_.shift, shape, copy.data[i]);
    }
    return copy.frame;
}

} // namespace isovmaf

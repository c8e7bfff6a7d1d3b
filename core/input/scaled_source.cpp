// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/scaled_source.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "frame/validate.hpp"
#include "input/pixel_format.hpp"
#include "input/swscale.hpp"

namespace isovmaf {

namespace {

int sws_filter(ScaleFilter filter) {
    switch (filter) {
    case ScaleFilter::bilinear:
        return SWS_BILINEAR;
    case ScaleFilter::bicubic:
        return SWS_BICUBIC;
    case ScaleFilter::lanczos:
        break;
    }
    return SWS_LANCZOS;
}

/// Copies a plane, and repeats its last column and row where `to` is larger by one.
void copy_extended(const Plane &from, std::size_t sample_bytes, std::byte *to, const Plane &shape) {
    const std::size_t row_bytes = static_cast<std::size_t>(from.width) * sample_bytes;
    for (int y = 0; y < shape.height; y++) {
        const std::byte *in = from.row<std::byte>(std::min(y, from.height - 1));
        std::byte *out = to + y * shape.stride_bytes;
        std::memcpy(out, in, row_bytes);
        if (shape.width > from.width)
            std::memcpy(out + row_bytes, in + row_bytes - sample_bytes, sample_bytes);
    }
}

class ScaledSource final : public FrameSource {
  public:
    ScaledSource(std::unique_ptr<FrameSource> source, const VideoFormat &format, SwsHandle scaler)
        : source_(std::move(source)), from_(source_->info().format), info_(source_->info()), scaler_(std::move(scaler)),
          staging_(padded(from_)), pool_(padded(format)) {
        info_.format = format;
    }

    const SourceInfo &info() const override { return info_; }

    Result<std::optional<Frame>> read() override try {
        auto frame = source_->read();
        if (!frame || !*frame)
            return frame;
        return scale(from_ == padded(from_) ? **frame : stage(**frame));
    } catch (const std::bad_alloc &) {
        return fail(ErrorCode::out_of_memory,
                    fmt::format("not enough memory to scale {} to {}", info_.name, format_text(info_.format)));
    }

    std::optional<double> seconds() const override { return source_->seconds(); }
    void cancel() override { source_->cancel(); }

  private:
    Frame stage(const Frame &frame) {
        const WritableFrame copy = staging_.take();
        for (int p = 0; p < from_.plane_count(); p++)
            copy_extended(frame.plane(p), static_cast<std::size_t>(from_.bytes_per_sample()),
                          copy.data[static_cast<std::size_t>(p)], copy.frame.plane(p));
        return copy.frame;
    }

    Result<std::optional<Frame>> scale(const Frame &frame) {
        SwsPicture picture{.height = from_.height};
        for (int p = 0; p < from_.plane_count(); p++) {
            const auto i = static_cast<std::size_t>(p);
            picture.data[i] = frame.plane(p).row<std::uint8_t>(0);
            picture.stride_bytes[i] = static_cast<int>(frame.plane(p).stride_bytes);
        }
        return TRY(run_swscale(*scaler_, picture, info_.format, pool_, info_.name));
    }

    std::unique_ptr<FrameSource> source_;
    VideoFormat from_;
    SourceInfo info_;
    SwsHandle scaler_;
    FramePool staging_, pool_;
};

} // namespace

std::string_view scale_filter_name(ScaleFilter filter) {
    switch (filter) {
    case ScaleFilter::bilinear:
        return "bilinear";
    case ScaleFilter::bicubic:
        return "bicubic";
    case ScaleFilter::lanczos:
        break;
    }
    return "lanczos";
}

Result<std::unique_ptr<FrameSource>> make_scaled_source(std::unique_ptr<FrameSource> source, int width, int height,
                                                        ScaleFilter filter) {
    const VideoFormat from = source->info().format;
    VideoFormat to = from;
    to.width = width;
    to.height = height;
    if (const auto valid = validate_format(to); !valid)
        return fail(valid.error().code, fmt::format("cannot scale {}: {}", source->info().name, valid.error().message));
    if (from.plane_count() > 1 &&
        std::min({from.plane_width(1), from.plane_height(1), to.plane_width(1), to.plane_height(1)}) < 1)
        return fail(ErrorCode::unsupported,
                    fmt::format("cannot scale {} from {} to {}x{}: one of them is too small to have chroma",
                                source->info().name, format_text(from), width, height));
    const AVPixelFormat pixels = pixel_format(from);
    const int flags = sws_filter(filter) | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_BITEXACT;
    SwsHandle scaler(pixels == AV_PIX_FMT_NONE ? nullptr
                                               : sws_getContext(from.width, from.height, pixels, width, height, pixels,
                                                                flags, nullptr, nullptr, nullptr));
    if (!scaler)
        return fail(ErrorCode::unsupported, fmt::format("libswscale cannot scale {} from {} to {}x{}",
                                                        source->info().name, format_text(from), width, height));
    return std::make_unique<ScaledSource>(std::move(source), to, std::move(scaler));
}

} // namespace isovmaf

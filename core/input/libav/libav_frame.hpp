// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>

#include "frame/frame_pool.hpp"
#include "input/convert/pixel_format.hpp"
#include "input/libav/libav_functions.hpp"
#include "input/source_info.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

struct AvFrameFree {
    void operator()(AVFrame *frame) const { av_frame_free(&frame); }
};
using AvFrame = std::unique_ptr<AVFrame, AvFrameFree>;

/// Turns decoded libav frames into Frames. Planar, aligned memory is shared without a copy. Otherwise the samples are
/// copied: interleaved samples are separated, and samples in the high bits of a 16-bit value are moved to its low bits.
/// All frames have to have the same size and pixel format.
class LibavFrameConverter {
  public:
    /// Fails when frames with the pixel format and size of `first`, a frame of the video `name`, cannot be scored.
    [[nodiscard]] static Result<LibavFrameConverter> create(const AVFrame &first, const std::string &name);

    [[nodiscard]] const VideoFormat &format() const { return format_; }

    /// Whether `frame` has the size and layout of the first frame.
    [[nodiscard]] bool accepts(const AVFrame &frame) const;

    /// Shares or copies the frame. Throws std::bad_alloc when memory is out.
    [[nodiscard]] Frame convert(AvFrame frame);

  private:
    LibavFrameConverter(const VideoFormat &format, const PixelLayout &layout) : format_(format), layout_(layout) {}

    [[nodiscard]] bool is_usable_in_place(const AVFrame &frame) const;
    [[nodiscard]] Frame share(AvFrame frame) const;
    [[nodiscard]] Frame unpack(const AVFrame &frame);

    VideoFormat format_;
    PixelLayout layout_;
    std::optional<FramePool> pool_; ///< made when the first frame has to be copied
};

/// Size and pixel format of a libav frame for sentences: "1280x720 yuv420p".
[[nodiscard]] std::string shape_text(const AVFrame &frame);

/// Whether a picture consists of two fields.
[[nodiscard]] bool is_interlaced(const AVFrame &frame);

/// What a stream's container and headers say, without a decoded frame.
[[nodiscard]] ColourDescription describe_colour(const AVStream &stream);

/// What a decoded frame of a stream says: the codec's data where they differ from the container's.
[[nodiscard]] ColourDescription describe_colour(const AVStream &stream, const AVFrame &frame);

/// The same for a later frame: where it says nothing, what the video `began` with counts.
[[nodiscard]] ColourDescription describe_colour(const AVStream &stream, const AVFrame &frame,
                                                const ColourDescription &began);

} // namespace isovmaf

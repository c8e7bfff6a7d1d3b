// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>

extern "C" {
#include <libavutil/frame.h>
}

#include "frame/frame_pool.hpp"
#include "input/pixel_format.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

struct AvFrameFree {
    void operator()(AVFrame *frame) const { av_frame_free(&frame); }
};
using AvFrame = std::unique_ptr<AVFrame, AvFrameFree>;

/// Turns decoded libav frames into Frames: in place where the memory is planar and aligned, else through a copy that
/// separates interleaved samples and moves those kept in high bits down. All frames have to share one shape.
class LibavFrameConverter {
  public:
    /// Fails when frames like `first`, out of the video called `name`, cannot be scored.
    [[nodiscard]] static Result<LibavFrameConverter> create(const AVFrame &first, const std::string &name);

    [[nodiscard]] const VideoFormat &format() const { return format_; }

    /// Whether `frame` has the shape of the first one.
    [[nodiscard]] bool accepts(const AVFrame &frame) const;

    /// Takes the frame over. Throws std::bad_alloc when memory is out.
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

/// Shape of a libav frame for sentences: "1280x720 yuv420p".
[[nodiscard]] std::string shape_text(const AVFrame &frame);

} // namespace isovmaf

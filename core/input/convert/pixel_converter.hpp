// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>
#include <string>

extern "C" {
#include <libavutil/frame.h>
}

#include "input/convert/swscale.hpp"
#include "input/source_info.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// Converts frames of a pixel format that features cannot read (R'G'B', palettes, 4:1:1, other byte orders) with
/// libswscale. Its exact rounding makes the samples the same on every processor.
class PixelConverter {
  public:
    /// The target of frames like `first` when no other target is chosen; nothing when libswscale cannot read
    /// them. R'G'B' becomes 4:4:4 of the matrix of BT.709 in limited range; other chroma becomes the next that features
    /// read (4:1:1: 4:2:2, 4:1:0: 4:2:0, 4:4:0: 4:4:4); bit depth and, but for R'G'B', range and matrix stay. `range`
    /// is that of the frames, "full", "limited" or empty.
    [[nodiscard]] static std::optional<ConversionTarget> default_target(const AVFrame &first, const std::string &range);

    /// Fails when libswscale cannot convert frames like `first`, of the video `name`, to the target.
    [[nodiscard]] static Result<PixelConverter> create(const AVFrame &first, const std::string &range,
                                                       const ConversionTarget &target, const std::string &name);

    [[nodiscard]] const ConversionTarget &target() const { return target_; }

    [[nodiscard]] const Conversion &conversion() const { return conversion_; }

    /// Throws std::bad_alloc when memory is out.
    [[nodiscard]] Result<Frame> convert(const AVFrame &frame);

  private:
    PixelConverter(const ConversionTarget &target, SwsHandle scaler, Conversion conversion, std::string name);

    ConversionTarget target_;
    SwsHandle scaler_;
    Conversion conversion_;
    std::string name_;
    FramePool pool_;
};

} // namespace isovmaf

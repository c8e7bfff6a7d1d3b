// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "frame/frame.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// A part of a picture in luma samples.
struct Crop {
    int width = 0, height = 0, left = 0, top = 0;

    friend bool operator==(const Crop &, const Crop &) = default;
};

/// From "640x360+16+8", width, height, left and top, or as ffmpeg's filter crop takes them: "640:360:16:8".
[[nodiscard]] Result<Crop> parse_crop(const std::string &text);

/// "640x360+16+8"
[[nodiscard]] std::string crop_text(const Crop &crop);

/// Fails unless the crop lies inside pictures of the format and starts at whole chroma samples.
[[nodiscard]] Result<void> check_crop(const VideoFormat &format, const Crop &crop);

/// Fails unless the crop is as large as whole chroma samples.
[[nodiscard]] Result<void> check_crop_size(Chroma chroma, const Crop &crop);

/// The format of the part.
[[nodiscard]] VideoFormat cropped(VideoFormat format, const Crop &crop);

/// The part of the frame, which shares its memory. The crop has to pass check_crop.
[[nodiscard]] Frame cropped(const Frame &frame, const Crop &crop);

} // namespace isovmaf

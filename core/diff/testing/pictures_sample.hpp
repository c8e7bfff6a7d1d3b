// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <utility>

#include "content/patterns.hpp"
#include "diff/pictures.hpp"

/// Pictures for tests.
namespace isovmaf::diff {

/// The moving squares of GeneratedClip; every stream of them begins at frame 0.
inline Pictures sample_pictures(const VideoFormat &format, std::int64_t frames) {
    Pictures pictures;
    pictures.title = "squares";
    pictures.command = "--squares";
    pictures.format = format;
    pictures.open = [format, frames]() -> Result<PairStream> {
        return [format, frames, index = std::int64_t{0}]() mutable -> Result<std::optional<FramePair>> {
            if (index == frames)
                return std::nullopt;
            return GeneratedClip(format).frame(static_cast<std::uint32_t>(index++));
        };
    };
    return pictures;
}

} // namespace isovmaf::diff

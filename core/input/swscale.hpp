// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

extern "C" {
#include <libswscale/swscale.h>
}

#include "frame/frame_pool.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

struct SwsFree {
    void operator()(SwsContext *context) const { sws_freeContext(context); }
};
using SwsHandle = std::unique_ptr<SwsContext, SwsFree>;

/// A picture as libswscale takes it: always four planes, of which those that a format lacks are null.
struct SwsPicture {
    std::array<const std::uint8_t *, 4> data{};
    std::array<int, 4> stride_bytes{};
    int height = 0;
};

/// Runs libswscale. The result is a frame of `format` in memory from `pool`, whose frames may be larger: libswscale
/// rounds the size of subsampled chroma up. The error names the video `name`. Throws std::bad_alloc when memory is out.
[[nodiscard]] Result<Frame> run_swscale(SwsContext &context, const SwsPicture &picture, const VideoFormat &format,
                                        FramePool &pool, const std::string &name);

} // namespace isovmaf

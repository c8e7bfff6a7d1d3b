// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frame/frame_pool.hpp"
#include "input/libav/libav_functions.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

struct SwsFree {
    void operator()(SwsContext *context) const { sws_freeContext(context); }
};
using SwsHandle = std::unique_ptr<SwsContext, SwsFree>;

/// How libswscale converts pictures.
struct SwsSettings {
    const char *flags;                                          ///< names of libswscale's flags, joined by '+'
    std::vector<std::pair<const char *, std::int64_t>> numbers; ///< its other options, by name
};

/// Null when libswscale cannot do what the settings say. Throws std::bad_alloc when memory is out.
[[nodiscard]] SwsHandle open_swscale(const SwsSettings &settings);

/// A picture as libswscale takes it: always four planes, of which those that a format lacks are null.
struct SwsPicture {
    std::array<const std::uint8_t *, 4> data{};
    std::array<int, 4> stride_bytes{};
    int height = 0;
};

/// Runs libswscale. The result is a frame from `pool`, whose frames have ChromaEdge::present: libswscale rounds the
/// size of subsampled chroma up. The error names the video `name`. Throws std::bad_alloc when memory is out.
[[nodiscard]] Result<Frame> run_swscale(SwsContext &context, const SwsPicture &picture, FramePool &pool,
                                        const std::string &name);

} // namespace isovmaf

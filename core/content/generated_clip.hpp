// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "frame/frame_pool.hpp"
#include "isovmaf/frame.hpp"

namespace isovmaf {

/// Generates test content with integer arithmetic alone, so that it is the same on every machine: a moving ramp with
/// textured squares, and the same picture after a box blur and quantisation (features.md §12). Used by golden tests,
/// benchmarks and fuzzing.
class GeneratedClip {
  public:
    explicit GeneratedClip(const VideoFormat &format) : pool_(format), format_(format) {}

    [[nodiscard]] FramePair frame(std::uint32_t index);

  private:
    FramePool pool_;
    VideoFormat format_;
};

} // namespace isovmaf

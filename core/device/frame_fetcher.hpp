// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>

#include "device/device.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf {

/// Copies frames of one format from memory of a device to host memory, one at a time. Used by one thread.
class FrameFetcher {
  public:
    /// `device` is not null.
    FrameFetcher(DeviceHandle device, const VideoFormat &format);

    /// The frame in host memory: `frame` itself if it lies there. Waits for the copy. Throws Failure.
    [[nodiscard]] Frame fetch(const Frame &frame);

    /// How many frames were copied.
    [[nodiscard]] std::int64_t count() const { return count_; }

  private:
    void open(std::uint64_t bytes);

    DeviceHandle device_; // outlives what it made
    VideoFormat format_;
    FramePool pool_;
    Buffer staging_; ///< made for the first frame, as is the queue
    std::uint64_t staging_bytes_ = 0;
    std::optional<Queue> queue_;
    std::int64_t count_ = 0;
};

} // namespace isovmaf

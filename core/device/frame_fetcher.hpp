// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "device/device.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf {

/// Copies frames of one format from memory of devices to host memory, one at a time. Used by one thread.
class FrameFetcher {
  public:
    /// `windows`: how many windows of frames that follow each other are fetched in any order.
    FrameFetcher(const std::vector<DeviceHandle> &devices, const VideoFormat &format, int windows = 1);

    /// The first `plane_count` planes of the frame in host memory: `frame` itself if it lies there, else a copy from
    /// one of the devices. Waits for the copy. The copies of the last frames are kept, as later frames read them again.
    /// Throws Failure.
    [[nodiscard]] Frame fetch(const Frame &frame, int plane_count);

    /// How many frames were copied.
    [[nodiscard]] std::int64_t count() const { return count_; }

  private:
    /// Where the planes of a frame lie, and how.
    struct Places {
        explicit Places(const Frame &frame);
        std::array<std::uint64_t, 3> address{};
        std::array<std::ptrdiff_t, 3> stride_bytes{};
        std::array<SampleLayout, 3> samples{};
        friend bool operator==(const Places &, const Places &) = default;
    };
    /// A frame that was copied. Its memory does not change while it has an owner.
    struct Fetched {
        std::weak_ptr<const void> owner;
        Places places;
        int plane_count = 0;
        Frame copy;
    };

    /// A device, and what copies from there.
    struct Source {
        DeviceHandle device; // outlives what it made
        Buffer staging = {}; ///< made for the first frame, as is the queue
        std::uint64_t staging_bytes = 0;
        std::optional<Queue> queue = {};

        void open(std::uint64_t bytes);
    };

    [[nodiscard]] const Fetched *find(const Frame &frame, int plane_count) const;
    [[nodiscard]] Source &source_of(const Frame &frame);
    [[nodiscard]] Frame copy(const Frame &frame, int plane_count);

    std::vector<Source> sources_;
    VideoFormat format_;
    FramePool pool_;
    std::size_t most_fetched_;
    std::deque<Fetched> fetched_; ///< oldest first
    std::int64_t count_ = 0;
};

} // namespace isovmaf

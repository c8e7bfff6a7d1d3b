// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "device/device.hpp"
#include "isovmaf/frame.hpp"

namespace isovmaf {

/// Copies some rows of luma from memory of a device to host memory. Used by one thread at a time.
class RowFetcher {
  public:
    explicit RowFetcher(DeviceHandle device) : device_(std::move(device)) {}

    /// The rows, which ascend, as a picture without chroma, plain. Waits for the copy.
    [[nodiscard]] Result<Frame> fetch(const Frame &frame, std::span<const int> rows);

  private:
    DeviceHandle device_; ///< outlives what it made
    std::optional<Queue> queue_;
    Buffer staging_; ///< made for the first frame, as is the queue
    std::uint64_t staging_bytes_ = 0;
};

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/device.hpp"
#include "isovmaf/frame.hpp"

namespace isovmaf {

/// A picture in memory of a device as decoders leave it, NV12 or P010: luma, then Cb and Cr in turns.
struct Surface {
    std::uint64_t luma = 0, chroma = 0; ///< addresses
    std::ptrdiff_t luma_stride_bytes = 0, chroma_stride_bytes = 0;
};

/// Copies pictures out of a decoder's memory, so that frames in flight do not take surfaces from the decoder. Used by
/// one thread.
class SurfaceCopier {
  public:
    [[nodiscard]] static Result<SurfaceCopier> create(DeviceHandle device);

    /// Of the queue that copies.
    [[nodiscard]] Result<isovmaf_native_queue> native() const { return queue_.native(); }

    /// The picture as a frame of its own: 4:2:0, of 8 or 10 bit. The copy is done when this returns.
    [[nodiscard]] Result<Frame> copy(const VideoFormat &format, const Surface &surface);

  private:
    SurfaceCopier(DeviceHandle device, Queue queue) : device_(std::move(device)), queue_(std::move(queue)) {}

    DeviceHandle device_; ///< outlives what it made
    Queue queue_;
};

} // namespace isovmaf

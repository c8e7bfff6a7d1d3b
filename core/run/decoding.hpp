// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "device/device.hpp"
#include "device/frame_fetcher.hpp"
#include "input/hardware.hpp"
#include "isovmaf/frame.hpp"

namespace isovmaf {

/// Who decodes coded video.
enum class HardwareDecoding : std::uint8_t {
    none,      ///< software
    automatic, ///< the device that computes, where it can; else software, and a line says why
    cuda,      ///< the decoder of the NVIDIA GPU that computes
};

/// The values of --hwaccel.
[[nodiscard]] std::vector<std::string> hardware_decoding_names();
/// `name` is one of hardware_decoding_names.
[[nodiscard]] HardwareDecoding hardware_decoding_named(std::string_view name);

/// What sources are told, for a session that computes on `device` (null: the CPU). Fails when the wish names a device
/// that the session does not compute on.
[[nodiscard]] Result<Decoding> decoding_for(HardwareDecoding wish, const DeviceHandle &device, const LogSink &log);

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

/// A device whose memory decoders write to: what does not depend on the decoder.
class FetchingDevice : public DecodingDevice {
  public:
    explicit FetchingDevice(DeviceHandle device) : device_(std::move(device)), rows_(device_) {}

    [[nodiscard]] Result<Frame> fetch(const Frame &frame, int planes) override;
    [[nodiscard]] Result<Thumbnail> thumbnail(const Frame &frame) final;
    [[nodiscard]] double fetch_seconds() const final { return fetching_.get(); }

  protected:
    [[nodiscard]] const DeviceHandle &device() const { return device_; }

  private:
    DeviceHandle device_;
    std::mutex mutex_;
    std::unique_ptr<FrameFetcher> fetcher_; ///< of the format of the last frame
    VideoFormat format_;
    RowFetcher rows_;
    SharedSeconds fetching_;
};

/// NVIDIA's decoder by libavcodec (NVDEC), in the context of the device. Fails when the backend is not CUDA, or
/// libavutil has no CUDA.
[[nodiscard]] Result<std::shared_ptr<DecodingDevice>> create_cuda_decoding(const DeviceHandle &device);

} // namespace isovmaf

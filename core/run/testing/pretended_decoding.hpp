// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "device/testing/kept_device.hpp"
#include "engine/testing/session_scores.hpp"
#include "frame/testing/packed_image.hpp"
#include "input/testing/clip_files.hpp"
#include "run/decoding.hpp"
#include "run/surface_copier.hpp"

/// A decoder for tests: software, whose pictures are put into memory of a device as NVIDIA's decoder leaves them.
namespace isovmaf::testing {

/// What the pretended decoder does wrong, and how often it was opened.
struct Pretence {
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    std::string name = "pretended decoder";
    std::int64_t wrong_from = never; ///< presentation time in 1/1000 s from which a sample is wrong
    int surfaces = -1;               ///< pictures that it gives before it has no memory left
    std::atomic<int> opened = 0;
    std::atomic<int> attached = 0;     ///< to decoders
    std::atomic<int> taken = 0;        ///< pictures
    std::atomic<int> fetched_luma = 0; ///< frames of which luma alone was fetched
};

class PretendedDecoder final : public HardwareDecoder {
  public:
    PretendedDecoder(const DeviceHandle &device, Pretence &pretence)
        : device_(device), pretence_(pretence), queue_(value_of(device->create_queue())),
          copier_(value_of(SurfaceCopier::create(device))) {}

    const AVCodec *find_codec(int codec_id) const override {
        return avcodec_find_decoder(static_cast<AVCodecID>(codec_id));
    }
    Result<void> attach(AVCodecContext &) override {
        pretence_.attached++;
        return {};
    }

    Result<Frame> take(const AVFrame &decoded, const VideoFormat &format) override {
        pretence_.taken++;
        if (pretence_.surfaces >= 0 && given_++ == pretence_.surfaces)
            return fail(ErrorCode::out_of_memory, "no decoder surfaces left");
        PackedImage image(
            value_of(LibavFrameConverter::create(decoded, "a video")).convert(AvFrame(av_frame_clone(&decoded))));
        if (decoded.pts >= pretence_.wrong_from)
            image.bytes[image.offset[2] + 1] ^= std::byte{0x40};
        Buffer surface = value_of(upload_bytes(*device_, queue_, image.bytes));
        Result<Frame> frame = copier_.copy(format, {.luma = surface.address() + image.offset[0],
                                                    .chroma = surface.address() + image.offset[1],
                                                    .luma_stride_bytes = image.stride_bytes[0],
                                                    .chroma_stride_bytes = image.stride_bytes[1]});
        Recorder recorder(*device_); // the decoder uses its surface again
        recorder.fill(surface.at(0), image.bytes.size() / 4 * 4, 0x5a5a5a5a);
        run(recorder, queue_);
        return frame;
    }

  private:
    DeviceHandle device_;
    Pretence &pretence_;
    Queue queue_;
    SurfaceCopier copier_;
    int given_ = 0;
};

class PretendedDevice final : public FetchingDevice {
  public:
    PretendedDevice(DeviceHandle device, Pretence &pretence) : FetchingDevice(std::move(device)), pretence_(pretence) {}

    std::string name() const override { return pretence_.name; }
    Result<std::unique_ptr<HardwareDecoder>> open() override {
        pretence_.opened++;
        return std::make_unique<PretendedDecoder>(device(), pretence_);
    }

    Result<Frame> fetch(const Frame &frame, int planes) override {
        pretence_.fetched_luma += planes == 1 ? 1 : 0;
        return FetchingDevice::fetch(frame, planes);
    }

  private:
    Pretence &pretence_;
};

} // namespace isovmaf::testing

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <string>

#include "base/log.hpp"
#include "frame/thumbnail.hpp"
#include "isovmaf/frame.hpp"
#include "isovmaf/result.hpp"

struct AVCodec;
struct AVCodecContext;
struct AVFrame;

/// Decoding by a device, which leaves the pictures in its memory. Sources of coded video use it; who knows the device
/// implements it.
namespace isovmaf {

/// What a device contributes to the decoding of one video. Used by one thread at a time.
class HardwareDecoder {
  public:
    virtual ~HardwareDecoder() = default;

    /// libavcodec's decoder of a codec (AVCodecID) that the device can be attached to; null when there is none.
    [[nodiscard]] virtual const AVCodec *find_codec(int codec_id) const = 0;

    /// Makes the device decode, before the decoder is opened.
    virtual Result<void> attach(AVCodecContext &context) = 0;

    /// The picture in memory of the device that is not the decoder's. It is complete, and `decoded` can be given back,
    /// when this returns. Fails when it does not have that format.
    [[nodiscard]] virtual Result<Frame> take(const AVFrame &decoded, const VideoFormat &format) = 0;
};

/// A device that decodes. Thread-safe.
class DecodingDevice {
  public:
    virtual ~DecodingDevice() = default;

    /// The device and its driver, for people, and for what is remembered about them: "NVIDIA H100, driver 570.86".
    [[nodiscard]] virtual std::string name() const = 0;

    /// For one video.
    [[nodiscard]] virtual Result<std::unique_ptr<HardwareDecoder>> open() = 0;

    /// The first `planes` planes of a frame, plain and in host memory: `frame` itself if it lies there.
    [[nodiscard]] virtual Result<Frame> fetch(const Frame &frame, int planes) = 0;

    /// See make_thumbnail. Fetches the rows that are read.
    [[nodiscard]] virtual Result<Thumbnail> thumbnail(const Frame &frame) = 0;

    /// How long `fetch` and `thumbnail` have taken so far, in seconds.
    [[nodiscard]] virtual double fetch_seconds() const = 0;
};

/// Who decodes coded video.
struct Decoding {
    std::shared_ptr<DecodingDevice> device = {}; ///< null: the CPU
    bool required = false; ///< a video that the device cannot decode is an error; else the CPU decodes it
    LogSink log = {};      ///< gets a line about each video that the CPU decodes instead
};

} // namespace isovmaf

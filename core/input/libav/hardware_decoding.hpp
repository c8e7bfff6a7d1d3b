// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "input/hardware.hpp"
#include "input/libav/libav_decoder.hpp"

namespace isovmaf {

/// A video that a device decodes.
struct HardwareVideo {
    std::unique_ptr<HardwareDecoder> hardware; ///< outlives the decoders that it is attached to
    std::string check;                         ///< for reports: how its pictures were compared with those of software
};

/// Prepares a device for the video of `software`, which has given its first picture. What software and the device
/// decode is compared first, unless both are known to give the same: see DecoderVerdicts. Fails with `mismatch` when
/// they differ, and with another code, and the reason, when the device cannot decode the video.
[[nodiscard]] Result<HardwareVideo> prepare_device(const LibavDecoder &software, const AVFrame &first,
                                                   const VideoFormat &format, const SourceOptions &options,
                                                   DecodingDevice &device);

/// A decoder of the file that begins at its start, or at the key frame before `time`; null when the file does not allow
/// to go there. The CPU decodes without `hardware`.
[[nodiscard]] Result<std::unique_ptr<LibavDecoder>> open_again(const LibavDemuxer &known, const SourceOptions &options,
                                                               HardwareDecoder *hardware,
                                                               std::optional<std::int64_t> time = {});

/// Fails when a picture that a device decoded may differ from what software gives: fields, film grain, or a cropping
/// that libav does not apply. `decoder` gave it as frame `number`.
[[nodiscard]] Result<void> check_device_picture(const LibavDecoder &decoder, const AVFrame &picture,
                                                std::int64_t number);

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <string>

#include "input/hardware.hpp"
#include "input/libav/libav_decoder.hpp"

namespace isovmaf {

/// A video that a device decodes.
struct HardwareVideo {
    std::unique_ptr<HardwareDecoder> hardware; ///< outlives the decoder
    std::unique_ptr<LibavDecoder> decoder;
    AvFrame picture;   ///< the first one
    std::string check; ///< for reports: how its pictures were compared with those of software
};

/// Opens the video of `software`, which has given its first picture, on a device. What software and the device decode
/// is compared first, unless both are known to give the same: see DecoderVerdicts. Fails with `mismatch` when they
/// differ, and with another code, and the reason, when the device cannot decode the video.
[[nodiscard]] Result<HardwareVideo> open_on_device(const LibavDecoder &software, const AVFrame &first,
                                                   const VideoFormat &format, const SourceOptions &options,
                                                   DecodingDevice &device);

/// Fails when a picture that a device decoded may differ from what software gives: fields, film grain, or a cropping
/// that libav does not apply. `decoder` gave it as frame `number`.
[[nodiscard]] Result<void> check_device_picture(const LibavDecoder &decoder, const AVFrame &picture,
                                                std::int64_t number);

} // namespace isovmaf

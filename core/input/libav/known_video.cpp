// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/known_video.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

#include "input/libav/libav_functions.hpp"

namespace isovmaf {

namespace {

/// Whether a demuxer is for the bare stream of an audio codec: libav gives it the codec's name. Such streams begin like
/// many other bytes; flat raw pictures of some values pass for gsm.
bool is_audio_stream(const AVInputFormat &format) {
    const AVCodecDescriptor *codec = avcodec_descriptor_get_by_name(format.name);
    return codec && codec->type == AVMEDIA_TYPE_AUDIO;
}

/// Whether a demuxer is for pictures, of which a file or a pipe has one or some. Their signatures have few bytes: raw
/// video may begin like them.
bool is_picture(const AVInputFormat &format) {
    const std::string_view name = format.name;
    return name.ends_with("_pipe") || name == "gif" || name == "apng" || name == "jpegxl_anim" || name == "ico";
}

} // namespace

bool begins_like_known_video(std::span<const std::byte> head) {
    std::vector<std::uint8_t> padded(head.size() + AVPROBE_PADDING_SIZE);
    for (std::size_t i = 0; i < head.size(); i++)
        padded[i] = static_cast<std::uint8_t>(head[i]);
    AVProbeData data{"", padded.data(), static_cast<int>(head.size()), nullptr};
    // Any bytes get a low score from some demuxer. A name without an extension scores nothing.
    int score = 0;
    const AVInputFormat *format = av_probe_input_format3(&data, 1, &score);
    return format && score > AVPROBE_SCORE_EXTENSION && !is_audio_stream(*format) && !is_picture(*format);
}

} // namespace isovmaf

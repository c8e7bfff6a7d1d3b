// SPDX-License-Identifier: BSD-2-Clause-Patent
// Any bytes as two packets of any codec, and as TIFF files: the first five choose the codec, the packets' form, and
// where they part.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "input/libav/libav_demuxer.hpp"
#include "input/libav/libav_functions.hpp"
#include "input/libav/libav_log.hpp"
#include "input/libav/packet_inspector.hpp"
#include "input/libav/tiff_tags.hpp"

namespace isovmaf {

namespace {

void inspect(const std::uint8_t *data, std::size_t size) {
    constexpr std::array codecs{AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG2VIDEO,
                                AV_CODEC_ID_VP9,  AV_CODEC_ID_AV1,  AV_CODEC_ID_MJPEG};
    constexpr std::size_t choices = 5;
    if (size < choices)
        return;
    const LibavLog quiet;
    AVCodecParameters stream{};
    stream.codec_id = codecs[data[0] % codecs.size()];
    std::array<std::uint8_t, 24> extra{data[1]}; // a 1 says that lengths stand before NAL units
    extra[4] = extra[21] = data[2];
    stream.extradata = extra.data();
    stream.extradata_size = static_cast<int>(extra.size());
    auto inspector = PacketInspector::create(stream);
    const std::size_t cut = std::min<std::size_t>(choices + data[3] + std::size_t{data[4]} * 256, size);
    for (const auto &[begin, end] : {std::pair{choices, cut}, std::pair{cut, size}}) {
        std::vector<std::uint8_t> bytes(end - begin + AV_INPUT_BUFFER_PADDING_SIZE);
        std::copy(data + begin, data + end, bytes.begin());
        const AvPacket packet(av_packet_alloc());
        packet->data = bytes.data();
        packet->size = static_cast<int>(end - begin);
        packet->flags = AV_PKT_FLAG_KEY;
        (void)inspector->starts(*packet);
        remove_harmless_tags({packet->data, static_cast<std::size_t>(packet->size)});
    }
}

} // namespace

} // namespace isovmaf

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    if (!isovmaf::load_libav())
        std::abort(); // nothing would be tested
    isovmaf::inspect(data, size);
    return 0;
}

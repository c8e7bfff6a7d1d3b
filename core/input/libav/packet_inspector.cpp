// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/packet_inspector.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "base/hashes.hpp"

namespace isovmaf {

namespace {

constexpr std::size_t start_code_bytes = 3; ///< 00 00 01

/// Where the next start code begins; the size of `bytes` when there is none.
std::size_t find_start_code(NalUnits::Bytes bytes) {
    std::size_t from = start_code_bytes - 1;
    while (from < bytes.size()) {
        const auto *one = static_cast<const std::uint8_t *>(std::memchr(&bytes[from], 1, bytes.size() - from));
        if (!one)
            break;
        const auto place = static_cast<std::size_t>(one - bytes.data());
        if (bytes[place - 1] == 0 && bytes[place - 2] == 0)
            return place - 2;
        from = place + 1;
    }
    return bytes.size();
}

} // namespace

NalUnits::NalUnits(const AVCodecParameters &stream) {
    const Bytes extra(stream.extradata, static_cast<std::size_t>(std::max(stream.extradata_size, 0)));
    // avcC and hvcC begin with their version, 1; the two low bits of one byte are lengthSizeMinusOne.
    const std::size_t length_place = stream.codec_id == AV_CODEC_ID_HEVC ? 21 : 4;
    if (extra.size() > length_place && extra[0] == 1)
        length_bytes_ = std::size_t{1} + (extra[length_place] & 3U);
}

std::optional<NalUnits::Bytes> NalUnits::take_counted(Bytes &packet) const {
    if (packet.size() < length_bytes_)
        return std::nullopt;
    std::size_t size = 0;
    for (const std::uint8_t byte : packet.first(length_bytes_))
        size = size << 8 | byte;
    if (size > packet.size() - length_bytes_)
        return std::nullopt;
    const Bytes unit = packet.subspan(length_bytes_, size);
    packet = packet.subspan(length_bytes_ + size);
    return unit;
}

std::optional<NalUnits::Bytes> NalUnits::take_delimited(Bytes &packet) {
    const std::size_t code = find_start_code(packet);
    if (code == packet.size() || std::ranges::any_of(packet.first(code), [](std::uint8_t byte) { return byte != 0; }))
        return std::nullopt;
    packet = packet.subspan(code + start_code_bytes);
    std::size_t size = find_start_code(packet);
    const std::size_t next = size;
    while (size > 0 && packet[size - 1] == 0) // zero bytes may follow a unit
        size--;
    const Bytes unit = packet.first(size);
    packet = packet.subspan(next);
    return unit;
}

namespace {

using Bytes = NalUnits::Bytes;

/// ISO/IEC 13818-2, 6.2: a sequence header, and then the header of an I picture.
bool starts_mpeg2(Bytes bytes) {
    constexpr std::uint8_t picture = 0x00, sequence = 0xB3;
    constexpr unsigned intra = 1;
    const auto has_code = [&](std::size_t at, std::uint8_t code) {
        return bytes[at] == 0 && bytes[at + 1] == 0 && bytes[at + 2] == 1 && bytes[at + 3] == code;
    };
    if (bytes.size() < 6 || !has_code(0, sequence))
        return false;
    for (std::size_t at = 4; at + 6 <= bytes.size(); at++)
        if (has_code(at, picture)) // 10 bits temporal_reference, 3 bits picture_coding_type
            return (bytes[at + 5] >> 3 & 7U) == intra;
    return false;
}

/// VP9 bitstream specification, 6.2: frame_marker, profile, show_existing_frame, frame_type, show_frame.
bool starts_vp9(Bytes bytes) {
    if (bytes.empty() || bytes[0] >> 6 != 2)
        return false;
    const bool profile_3 = (bytes[0] >> 4 & 3U) == 3;              // has a reserved bit
    const unsigned flags = (bytes[0] >> (profile_3 ? 0 : 1)) & 7U; // the three bits after it
    return flags == 0b001;                                         // no existing frame, key frame, shown
}

/// AV1 bitstream specification, 5.3.1: takes the first OBU off. Nothing when the bytes are no OBU with a size.
struct Obu {
    unsigned type;
    Bytes payload;
};
std::optional<Obu> take_obu(Bytes &bytes) {
    if (bytes.empty() || (bytes[0] & 0x80U) != 0 || (bytes[0] & 2U) == 0)
        return std::nullopt;
    const unsigned type = bytes[0] >> 3 & 15U;
    bytes = bytes.subspan((bytes[0] & 4U) != 0 ? std::min<std::size_t>(2, bytes.size()) : 1);
    std::uint64_t size = 0;
    for (unsigned i = 0; i < 8 && !bytes.empty(); i++) { // leb128
        const std::uint8_t byte = bytes[0];
        bytes = bytes.subspan(1);
        size |= std::uint64_t{byte & 0x7FU} << (7 * i);
        if ((byte & 0x80U) != 0)
            continue;
        if (size > bytes.size())
            return std::nullopt;
        const Obu obu{type, bytes.first(size)};
        bytes = bytes.subspan(size);
        return obu;
    }
    return std::nullopt;
}

/// A sequence header, and then a key frame that is shown.
bool starts_av1(Bytes bytes) {
    constexpr unsigned sequence_header = 1, frame_header = 3, frame = 6;
    bool has_sequence_header = false;
    while (const auto obu = take_obu(bytes)) {
        has_sequence_header |= obu->type == sequence_header;
        if (obu->type == frame_header || obu->type == frame) // show_existing_frame, 2 bits frame_type, show_frame
            return has_sequence_header && !obu->payload.empty() && obu->payload[0] >> 4 == 0b0001;
    }
    return false;
}

/// ITU-T T.81, B.2: quantization and Huffman tables before the first scan. Decoders keep those of earlier pictures.
bool starts_mjpeg(Bytes bytes) {
    constexpr std::uint8_t start_of_image = 0xD8, huffman = 0xC4, quantization = 0xDB, scan = 0xDA;
    if (bytes.size() < 2 || bytes[0] != 0xFF || bytes[1] != start_of_image)
        return false;
    bool has_huffman = false, has_quantization = false;
    for (std::size_t at = 2; at + 4 <= bytes.size() && bytes[at] == 0xFF;) {
        const std::uint8_t marker = bytes[at + 1];
        if (marker == scan)
            return has_huffman && has_quantization;
        has_huffman |= marker == huffman;
        has_quantization |= marker == quantization;
        at += 2 + (std::size_t{bytes[at + 2]} << 8 | bytes[at + 3]);
    }
    return false;
}

/// x264 before this build coded some pictures in its own way, which decoders know by a message in the first packet.
constexpr int first_regular_x264 = 151;

/// Whether a message of the first packet says that such an x264 made the video.
bool is_of_old_x264(Bytes message) {
    constexpr std::string_view name = "x264 - core ";
    const std::string_view text(reinterpret_cast<const char *>(message.data()), message.size());
    const std::size_t at = text.find(name);
    int build = 0;
    return at != std::string_view::npos &&
           std::from_chars(text.data() + at + name.size(), text.data() + text.size(), build).ec == std::errc() &&
           build < first_regular_x264;
}

} // namespace

std::optional<FieldParser> FieldParser::create(const AVCodecParameters &stream) {
    FieldParser parser;
    parser.context_.reset(avcodec_alloc_context3(nullptr));
    if (!parser.context_ || avcodec_parameters_to_context(parser.context_.get(), &stream) < 0)
        throw std::bad_alloc();
    parser.parser_.reset(av_parser_init(stream.codec_id));
    if (!parser.parser_)
        return std::nullopt;
    parser.parser_->flags |= PARSER_FLAG_COMPLETE_FRAMES;
    return parser;
}

bool FieldParser::is_field(const AVPacket &packet) {
    std::uint8_t *out = nullptr; // a part of the packet
    int bytes = 0;
    av_parser_parse2(parser_.get(), context_.get(), &out, &bytes, packet.data, packet.size, packet.pts, packet.dts,
                     packet.pos);
    return parser_->picture_structure == AV_PICTURE_STRUCTURE_TOP_FIELD ||
           parser_->picture_structure == AV_PICTURE_STRUCTURE_BOTTOM_FIELD;
}

std::optional<PacketInspector> PacketInspector::create(const AVCodecParameters &stream) {
    switch (stream.codec_id) {
    case AV_CODEC_ID_H264: {
        PacketInspector inspector(stream);
        inspector.fields_ = FieldParser::create(stream);
        return inspector.fields_ ? std::optional(std::move(inspector)) : std::nullopt;
    }
    case AV_CODEC_ID_HEVC:
    case AV_CODEC_ID_MPEG2VIDEO:
    case AV_CODEC_ID_VP9:
    case AV_CODEC_ID_AV1:
    case AV_CODEC_ID_MJPEG:
    case AV_CODEC_ID_PRORES:
    case AV_CODEC_ID_DNXHD:
    case AV_CODEC_ID_FFV1:
        return PacketInspector(stream);
    default:
        return std::nullopt;
    }
}

bool PacketInspector::starts(const AVPacket &packet) {
    const Bytes bytes(packet.data, static_cast<std::size_t>(packet.size));
    const bool key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
    bool starts = true;
    switch (codec_) {
    case AV_CODEC_ID_H264:
        starts = starts_h264(packet);
        break;
    case AV_CODEC_ID_HEVC:
        starts = starts_hevc(bytes);
        break;
    case AV_CODEC_ID_MPEG2VIDEO:
        starts = key && starts_mpeg2(bytes);
        break;
    case AV_CODEC_ID_VP9:
        starts = key && starts_vp9(bytes);
        break;
    case AV_CODEC_ID_AV1:
        starts = key && starts_av1(bytes);
        break;
    case AV_CODEC_ID_MJPEG:
        starts = key && starts_mjpeg(bytes);
        break;
    default: // packets that stand alone, or whose decoder refuses to start elsewhere
        break;
    }
    first_ = false;
    return starts && key;
}

/// An IDR picture (ITU-T H.264, table 7-1). After the pictures of recovery points decoders lack references of pictures
/// that are shown earlier, and report damage.
bool PacketInspector::starts_h264(const AVPacket &packet) {
    constexpr unsigned idr = 5, message = 6, sequence = 7, picture = 8, sequence_extension = 13, subset_sequence = 15;
    bool starts = false;
    std::uint64_t sets = 0;
    if (fields_->is_field(packet))
        obstacle_ = "a packet holds one field of a frame";
    const Bytes bytes(packet.data, static_cast<std::size_t>(packet.size));
    const bool sound = units_.for_each(bytes, [&](Bytes unit) {
        const unsigned type = unit[0] & 31U;
        starts |= type == idr;
        if (type == sequence || type == picture || type == sequence_extension || type == subset_sequence)
            sets = xxh64(std::as_bytes(unit), sets);
        if (first_ && type == message && is_of_old_x264(unit))
            obstacle_ = "it was made by an early x264";
    });
    return keep_parameter_sets(sets, starts) && sound && starts;
}

/// An IDR or CRA picture (ITU-T H.265, table 7-1). Decoders that start with a CRA picture leave out the pictures that
/// need earlier ones (RASL); those are shown before it.
bool PacketInspector::starts_hevc(Bytes bytes) {
    constexpr unsigned first_bla = 16, last_bla = 18, idr = 19, cra = 21, video = 32, picture = 34, sequence_end = 36,
                       stream_end = 37;
    bool starts = false;
    std::uint64_t sets = 0;
    const bool sound = units_.for_each(bytes, [&](Bytes unit) {
        const unsigned type = unit[0] >> 1 & 63U, layer = (unit[0] & 1U) << 5 | unit[1] >> 3;
        if (layer != 0)
            return;
        starts |= type >= idr && type <= cra;
        if (type >= video && type <= picture)
            sets = xxh64(std::as_bytes(unit), sets);
        if ((type >= first_bla && type <= last_bla) || type == sequence_end || type == stream_end)
            obstacle_ = "it was joined from several streams";
    });
    return keep_parameter_sets(sets, starts) && sound && starts;
}

/// Decoders keep parameter sets. They are the same wherever decoding starts when all packets that have some have those
/// of the first, and when each start has some if the first has. False when the packet is no start for that reason.
bool PacketInspector::keep_parameter_sets(std::uint64_t sets, bool starts) {
    if (first_)
        parameter_sets_ = sets;
    else if (sets != 0 && sets != parameter_sets_)
        obstacle_ = "its parameters change midway";
    return !starts || sets == parameter_sets_;
}

} // namespace isovmaf

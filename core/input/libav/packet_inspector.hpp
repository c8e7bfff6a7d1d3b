// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

extern "C" {
#include <libavcodec/avcodec.h>
}

#include "input/libav/nal_units.hpp"

namespace isovmaf {

/// Tells packets with a field from packets with a frame, by libav's parser of the codec.
class FieldParser {
  public:
    /// Nothing when libav has no parser for the codec.
    [[nodiscard]] static std::optional<FieldParser> create(const AVCodecParameters &stream);

    /// Packets have to come in the order of the stream. False for what the parser does not understand.
    [[nodiscard]] bool is_field(const AVPacket &packet);

  private:
    struct ParserFree {
        void operator()(AVCodecParserContext *parser) const { av_parser_close(parser); }
    };
    struct ContextFree {
        void operator()(AVCodecContext *context) const { avcodec_free_context(&context); }
    };

    FieldParser() = default;

    std::unique_ptr<AVCodecContext, ContextFree> context_;
    std::unique_ptr<AVCodecParserContext, ParserFree> parser_;
};

/// Tells from which packets of a stream a decoder can start, by the bytes of the packets and not by the container's
/// word alone. A decoder that starts there gives the packet's picture, and all pictures that are shown later, as one
/// that started with the first packet.
class PacketInspector {
  public:
    /// Nothing for codecs that are not known to allow that.
    [[nodiscard]] static std::optional<PacketInspector> create(const AVCodecParameters &stream);

    /// Whether a decoder can start with the packet. Packets have to come in the order of the stream, from the first on.
    [[nodiscard]] bool starts(const AVPacket &packet);

    /// Why no packet but the first is a start, whatever `starts` has said: an unfinished sentence about the video
    /// ("its parameters change midway"). Empty when there is no reason.
    [[nodiscard]] const std::string &obstacle() const { return obstacle_; }

  private:
    explicit PacketInspector(const AVCodecParameters &stream) : codec_(stream.codec_id), units_(stream) {}

    bool starts_h264(const AVPacket &packet);
    bool starts_hevc(NalUnits::Bytes bytes);
    bool keep_parameter_sets(std::uint64_t sets, bool starts);

    AVCodecID codec_;
    NalUnits units_;
    std::optional<FieldParser> fields_; ///< for codecs with packets of one field
    bool first_ = true;                 ///< the packet that is looked at is the first
    std::uint64_t parameter_sets_ = 0;  ///< a hash of those in the first packet; 0 when it has none
    std::string obstacle_;
};

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "input/libav/libav_functions.hpp"

namespace isovmaf {

/// Walks through the NAL units of H.264 and HEVC packets (ITU-T H.264 Annex B and ISO/IEC 14496-15).
class NalUnits {
  public:
    /// How the packets of a stream with these parameters hold their units.
    explicit NalUnits(const AVCodecParameters &stream);

    using Bytes = std::span<const std::uint8_t>;

    /// Calls `visit` for each unit, which begins with its header and has at least two bytes. False when the packet has
    /// no such form.
    template <class Visit>
    [[nodiscard]] bool for_each(Bytes packet, const Visit &visit) const {
        while (!packet.empty()) {
            const std::optional<Bytes> unit = length_bytes_ > 0 ? take_counted(packet) : take_delimited(packet);
            if (!unit)
                return false;
            if (unit->size() >= 2)
                visit(*unit);
        }
        return true;
    }

  private:
    std::optional<Bytes> take_counted(Bytes &packet) const;
    static std::optional<Bytes> take_delimited(Bytes &packet);

    std::size_t length_bytes_ = 0; ///< of the number in front of each unit; 0: start codes part them
};

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

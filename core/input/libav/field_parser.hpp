// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>

extern "C" {
#include <libavcodec/avcodec.h>
}

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

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/field_parser.hpp"

#include <new>

namespace isovmaf {

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

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/describe_json.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace isovmaf {

namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::string &text) { return text.empty() ? Json(nullptr) : Json(text); }

template <class Value>
Json or_null(const std::optional<Value> &value) {
    return value ? Json(*value) : Json(nullptr);
}

Json or_null(const std::optional<Rational> &ratio, char separator) {
    return ratio ? Json(fmt::format("{}{}{}", ratio->numerator, separator, ratio->denominator)) : Json(nullptr);
}

Json video_json(const StreamDescription &stream) {
    const ColourDescription &colour = stream.colour;
    const SourceTiming &timing = stream.timing;
    return {{"stream", fmt::format("v:{}", *stream.video)},
            {"chosen", stream.chosen},
            {"cover", stream.cover},
            {"width", stream.width},
            {"height", stream.height},
            {"pixel_format", stream.pixels},
            {"range", or_null(colour.range)},
            {"matrix", or_null(colour.matrix)},
            {"primaries", or_null(colour.primaries)},
            {"transfer", or_null(colour.transfer)},
            {"chroma_location", or_null(colour.chroma_location)},
            {"sample_aspect_ratio", or_null(colour.sample_aspect_ratio, ':')},
            {"rotation", colour.rotation},
            {"mirrored", colour.mirrored},
            {"field_order", or_null(colour.field_order)},
            {"dolby_vision", or_null(colour.dolby_vision)},
            {"film_grain", or_null(stream.film_grain)},
            {"average_rate", or_null(timing.average_rate, '/')},
            {"base_rate", or_null(timing.base_rate, '/')},
            {"time_base", or_null(timing.time_base, '/')},
            {"start_seconds", or_null(timing.start_seconds)},
            {"duration_seconds", or_null(timing.duration_seconds)},
            {"frame_count", or_null(stream.frame_count)}};
}

Json file_json(const FileDescription &file) {
    Json json{{"path", file.path}, {"container", file.container}, {"streams", Json::array()}};
    for (const StreamDescription &stream : file.streams) {
        Json entry{
            {"index", stream.number}, {"kind", stream.kind}, {"codec", stream.codec}, {"default", stream.is_default}};
        if (stream.video)
            entry.update(video_json(stream));
        json["streams"].push_back(std::move(entry));
    }
    return json;
}

} // namespace

std::string describe_json(const std::vector<FileDescription> &files, std::string_view version) {
    Json json{{"version", version}, {"files", Json::array()}};
    for (const FileDescription &file : files)
        json["files"].push_back(file_json(file));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/manifest/row.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace isovmaf::batch {

Result<std::string> encode_row(const Row &row) {
    nlohmann::ordered_json json{{"line", row.line}, {"reference", row.reference}, {"distorted", row.distorted}};
    if (!row.label.empty())
        json["label"] = row.label;
    if (row.bit_rate)
        json["bit_rate"] = *row.bit_rate;
    if (!row.options.empty())
        json["options"] = row.options;
    if (row.frames)
        json["frames"] = *row.frames;
    if (!row.segments.empty())
        json["segments"] = row.segments;
    if (!row.problem.empty())
        json["problem"] = row.problem;
    using ErrorHandler = nlohmann::json::error_handler_t;
    try {
        return json.dump(-1, ' ', false, row.problem.empty() ? ErrorHandler::strict : ErrorHandler::replace);
    } catch (const nlohmann::json::exception &) {
        return fail(ErrorCode::corrupt_data, "the row holds text that is no UTF-8");
    }
}

bool are_whole_numbers(const nlohmann::json &object, std::initializer_list<const char *> members) {
    return std::ranges::all_of(members, [&](const char *name) {
        const auto found = object.find(name);
        return found == object.end() || found->is_number_integer();
    });
}

Result<Row> decode_row(std::string_view text) {
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        if (!are_whole_numbers(json, {"line", "frames"}) ||
            !std::ranges::all_of(json.value("segments", nlohmann::json::array()),
                                 [](const nlohmann::json &segment) { return segment.is_number_integer(); }))
            return fail(ErrorCode::corrupt_data,
                        "a row of the run folder cannot be read: line, frames and segments have to be whole numbers");
        Row row{json.at("line"), json.at("reference"), json.at("distorted")};
        row.label = json.value("label", "");
        if (json.contains("bit_rate"))
            row.bit_rate = json.at("bit_rate").get<double>();
        if (json.contains("options"))
            row.options = json.at("options").get<Fields>();
        if (json.contains("frames"))
            row.frames = json.at("frames").get<std::int64_t>();
        if (json.contains("segments"))
            row.segments = json.at("segments").get<std::vector<std::int64_t>>();
        row.problem = json.value("problem", "");
        return row;
    } catch (const nlohmann::json::exception &error) {
        return fail(ErrorCode::corrupt_data, fmt::format("a row of the run folder cannot be read: {}", error.what()));
    }
}

namespace {

constexpr std::string_view reference_mark = "{reference}", distorted_mark = "{distorted}";

} // namespace

/// The longer path first: the other may be a part of it.
std::string hide_names(std::string message, const std::string &reference, const std::string &distorted) {
    return reference.size() > distorted.size()
               ? replace_all(replace_all(std::move(message), reference, reference_mark), distorted, distorted_mark)
               : replace_all(replace_all(std::move(message), distorted, distorted_mark), reference, reference_mark);
}

std::string show_names(std::string message, const Row &row) {
    return replace_all(replace_all(std::move(message), reference_mark, row.reference), distorted_mark, row.distorted);
}

} // namespace isovmaf::batch

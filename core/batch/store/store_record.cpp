// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/store_record.hpp"

#include <charconv>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/hashes.hpp"
#include "batch/manifest/row.hpp"

namespace isovmaf::batch {

namespace {

using Json = nlohmann::ordered_json;

std::uint64_t checksum(std::string_view text) { return xxh64(std::as_bytes(std::span(text))); }

Json to_json(const StageTimes &times) {
    return {{"decode", times.decode}, {"upload", times.upload}, {"kernels", times.kernels}, {"finish", times.finish}};
}

StageTimes stages_from(const nlohmann::json &json) {
    return {json.at("decode"), json.at("upload"), json.at("kernels"), json.at("finish")};
}

Json to_json(const PairWarning &warning) {
    Json json{{"kind", warning.kind}, {"text", warning.sentence}};
    if (!warning.about.empty())
        json["about"] = warning.about;
    if (warning.frames > 0)
        json["frames"] = warning.frames;
    return json;
}

Json to_json(const UnitRecord &record) {
    Json json{{"unit", record.unit}, {"key", record.key}};
    if (record.words) {
        json["offset"] = record.words->offset;
        json["bytes"] = record.words->bytes;
    } else {
        json["error"] = record.error;
        json["permanent"] = record.permanent;
        json["versions"] = record.versions;
        json["host"] = record.host;
    }
    json["frames"] = record.frames;
    json["seconds"] = record.seconds;
    json["stages"] = to_json(record.stages);
    for (const PairWarning &warning : record.warnings)
        json["warnings"].push_back(to_json(warning));
    if (record.rate > 0)
        json["rate"] = record.rate;
    if (record.bit_rate)
        json["bit_rate"] = *record.bit_rate;
    if (record.pictures)
        json["pictures"] = {{"offset", record.pictures->offset}, {"bytes", record.pictures->bytes}};
    if (!record.start_difference.empty())
        json["start_difference"] = record.start_difference;
    if (!record.settled.empty())
        json["settled"] = record.settled;
    return json;
}

Json to_json(const InputRecord &record) {
    return {{"input", record.path},
            {"inode", record.inode},
            {"bytes", record.bytes},
            {"modified_ns", record.modified_ns},
            {"changed_ns", record.changed_ns},
            {"digest", record.digest},
            {"sample", record.sample},
            {"self_contained", record.self_contained}};
}

Json to_json(const BegunRecord &record) { return {{"begun", record.units}, {"alone", record.alone}}; }

Json to_json(const StoppedRecord &) { return {{"stopped", true}}; }

UnitRecord unit_from(const nlohmann::json &json) {
    UnitRecord record{json.at("unit"), json.at("key")};
    if (json.contains("bytes"))
        record.words = WordsPlace{json.at("offset"), json.at("bytes")};
    record.error = json.value("error", "");
    record.permanent = json.value("permanent", false);
    record.versions = json.value("versions", "");
    record.host = json.value("host", ""); // stores of earlier builds have none
    record.frames = json.at("frames");
    record.seconds = json.at("seconds");
    record.stages = stages_from(json.at("stages"));
    if (json.contains("warnings")) // stores of earlier builds have none
        for (const nlohmann::json &warning : json.at("warnings"))
            record.warnings.push_back({warning.at("kind"), warning.at("text"), warning.value("about", ""),
                                       warning.value("frames", std::int64_t{0})});
    record.rate = json.value("rate", 0.0);
    if (const auto bit_rate = json.find("bit_rate"); bit_rate != json.end())
        record.bit_rate = bit_rate->get<std::int64_t>();
    if (const auto pictures = json.find("pictures");
        pictures != json.end() && are_whole_numbers(*pictures, {"offset", "bytes"}))
        record.pictures = WordsPlace{pictures->at("offset"), pictures->at("bytes")};
    record.start_difference = json.value("start_difference", "");
    record.settled = json.value("settled", record.settled);
    return record;
}

InputRecord input_from(const nlohmann::json &json) {
    return {json.at("input"),      json.at("inode"),
            json.at("bytes"),      json.at("modified_ns"),
            json.at("changed_ns"), json.at("digest"),
            json.at("sample"),     json.value("self_contained", false)}; // stores of earlier builds do not say
}

constexpr std::string_view line_start = "{\"check\":\"", record_start = "\",\"record\":";
constexpr std::size_t check_digits = 16;

} // namespace

std::string encode_record(const StoreRecord &record) {
    const std::string text = std::visit([](const auto &of) { return to_json(of); }, record)
                                 .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return seal_record(text) + '\n';
}

std::string seal_record(std::string_view text) {
    return fmt::format("{}{:016x}{}{}}}", line_start, checksum(text), record_start, text);
}

std::optional<StoreRecord> decode_record(std::string_view line) {
    constexpr std::size_t prefix = line_start.size() + check_digits + record_start.size();
    if (line.size() < prefix + 2 || !line.starts_with(line_start) || !line.ends_with("}"))
        return std::nullopt;
    std::uint64_t check = 0;
    const char *const digits = line.data() + line_start.size();
    if (std::from_chars(digits, digits + check_digits, check, 16).ptr != digits + check_digits ||
        line.substr(prefix - record_start.size(), record_start.size()) != record_start)
        return std::nullopt;
    const std::string_view text = line.substr(prefix, line.size() - prefix - 1);
    if (checksum(text) != check)
        return std::nullopt;
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (!are_whole_numbers(json,
                           {"offset", "bytes", "frames", "bit_rate", "inode", "modified_ns", "changed_ns", "sample"}))
        return std::nullopt;
    try {
        if (json.contains("unit"))
            return unit_from(json);
        if (json.contains("begun"))
            return BegunRecord{json.at("begun"), json.at("alone")};
        if (json.contains("stopped"))
            return StoppedRecord();
        return input_from(json);
    } catch (const nlohmann::json::exception &) { // a record of another version
        return std::nullopt;
    }
}

} // namespace isovmaf::batch

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/try.hpp"
#include "base/write_all.hpp"
#include "base/xxh64.hpp"
#include "batch/files.hpp"

namespace isovmaf::batch {

namespace {

using Json = nlohmann::ordered_json;

std::uint64_t checksum(std::string_view text) { return xxh64(std::as_bytes(std::span(text.data(), text.size()))); }

Json to_json(const UnitRecord &record) {
    Json json{{"unit", record.unit}, {"key", record.key}};
    if (record.words) {
        json["offset"] = record.words->offset;
        json["bytes"] = record.words->bytes;
    } else {
        json["error"] = record.error;
        json["permanent"] = record.permanent;
    }
    json["frames"] = record.frames;
    json["seconds"] = record.seconds;
    return json;
}

Json to_json(const InputRecord &record) {
    return {{"input", record.path},
            {"inode", record.inode},
            {"bytes", record.bytes},
            {"modified_ns", record.modified_ns},
            {"changed_ns", record.changed_ns},
            {"digest", record.digest}};
}

UnitRecord unit_from(const nlohmann::json &json) {
    UnitRecord record{json.at("unit"), json.at("key")};
    if (json.contains("bytes"))
        record.words = WordsPlace{json.at("offset"), json.at("bytes")};
    record.error = json.value("error", "");
    record.permanent = json.value("permanent", false);
    record.frames = json.at("frames");
    record.seconds = json.at("seconds");
    return record;
}

InputRecord input_from(const nlohmann::json &json) {
    return {json.at("input"),       json.at("inode"),      json.at("bytes"),
            json.at("modified_ns"), json.at("changed_ns"), json.at("digest")};
}

constexpr std::string_view line_start = "{\"check\":\"", record_start = "\",\"record\":";
constexpr std::size_t check_digits = 16;

int open_new(const std::filesystem::path &path) {
    return retry([&] { return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666); });
}

} // namespace

std::string encode_record(const StoreRecord &record) {
    const std::string text = std::visit([](const auto &of) { return to_json(of); }, record)
                                 .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return fmt::format("{}{:016x}{}{}}}\n", line_start, checksum(text), record_start, text);
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
    try {
        if (json.contains("unit"))
            return unit_from(json);
        return input_from(json);
    } catch (const nlohmann::json::exception &) { // a record of another version
        return std::nullopt;
    }
}

Result<std::unique_ptr<StoreWriter>> StoreWriter::create(const std::filesystem::path &folder) {
    std::unique_ptr<StoreWriter> store(new StoreWriter);
    const std::string name = unique_name();
    store->records_path_ = folder / (name + ".jsonl");
    store->words_path_ = folder / (name + ".words");
    store->words_ = open_new(store->words_path_);
    if (store->words_ == -1)
        return file_failed("make", store->words_path_, errno);
    store->records_ = open_new(store->records_path_);
    if (store->records_ == -1)
        return file_failed("make", store->records_path_, errno);
    return store;
}

/// A store that nothing was written to is removed.
StoreWriter::~StoreWriter() {
    const bool empty = records_ != -1 && lseek(records_, 0, SEEK_END) == 0;
    for (const int descriptor : {records_, words_})
        if (descriptor != -1)
            close(descriptor);
    if (!empty)
        return;
    unlink(records_path_.c_str());
    unlink(words_path_.c_str());
}

Result<void> StoreWriter::append_locked(const StoreRecord &record) {
    // A line feed ends what a write that failed left behind.
    int error = write_all(records_, (torn_ ? "\n" : "") + encode_record(record));
    torn_ = error != 0;
    if (error == 0 && retry([&] { return fdatasync(records_); }) != 0)
        error = errno;
    return error == 0 ? Result<void>() : file_failed("write", records_path_, error);
}

Result<void> StoreWriter::append(const StoreRecord &record) {
    const std::lock_guard lock(mutex_);
    return append_locked(record);
}

Result<void> StoreWriter::finished(UnitRecord record, std::span<const std::byte> words) {
    const std::lock_guard lock(mutex_);
    int error = write_all(words_, {reinterpret_cast<const char *>(words.data()), words.size()});
    if (error == 0 && retry([&] { return fdatasync(words_); }) != 0)
        error = errno;
    // After a failed write the file may hold a part of the words: the next words begin behind it.
    const off_t end = lseek(words_, 0, SEEK_END);
    const std::uint64_t offset = words_end_;
    words_end_ = static_cast<std::uint64_t>(std::max<off_t>(end, 0));
    if (error != 0)
        return file_failed("write", words_path_, error);
    record.words = WordsPlace{offset, words.size()};
    return append_locked(record);
}

} // namespace isovmaf::batch

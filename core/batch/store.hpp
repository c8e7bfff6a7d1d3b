// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "isovmaf/result.hpp"

/// What workers found out, in files that only grow: docs/batch.md describes them.
namespace isovmaf::batch {

/// Where in its store's file of words a words file lies.
struct WordsPlace {
    std::uint64_t offset = 0, bytes = 0; ///< no bytes: a segment behind the end of the video
};

/// A unit that was tried.
struct UnitRecord {
    std::string unit;                     ///< see unit_name
    std::string key;                      ///< see unit_key; empty when the inputs could not be read
    std::optional<WordsPlace> words = {}; ///< of a finished unit
    std::string error = {};               ///< of a failed unit
    bool permanent = false;               ///< trying again would fail again
    std::int64_t frames = 0;              ///< extracted
    double seconds = 0;                   ///< of wall-clock time
};

/// What a file looked like when its content was hashed.
struct InputRecord {
    std::string path;
    std::uint64_t inode = 0;
    std::int64_t bytes = 0, modified_ns = 0, changed_ns = 0;
    std::string digest;

    friend bool operator==(const InputRecord &, const InputRecord &) = default;
};

using StoreRecord = std::variant<UnitRecord, InputRecord>;

/// A record as one line of JSON with its checksum, and back. A line that was cut or damaged gives nothing.
[[nodiscard]] std::string encode_record(const StoreRecord &record);
[[nodiscard]] std::optional<StoreRecord> decode_record(std::string_view line);

/// The store of one process: NAME.jsonl holds records, NAME.words the words files of finished units. A record is
/// written when what it speaks of is on disk, so that a store is valid at any instant, and losing its end loses work
/// but no truth. Thread-safe.
class StoreWriter {
  public:
    [[nodiscard]] static Result<std::unique_ptr<StoreWriter>> create(const std::filesystem::path &folder);
    ~StoreWriter();
    StoreWriter(const StoreWriter &) = delete;
    StoreWriter &operator=(const StoreWriter &) = delete;

    /// Appends the words of a finished unit and then its record.
    Result<void> finished(UnitRecord record, std::span<const std::byte> words);

    Result<void> append(const StoreRecord &record);

  private:
    StoreWriter() = default;
    Result<void> append_locked(const StoreRecord &record);

    std::filesystem::path records_path_, words_path_;
    int records_ = -1, words_ = -1;
    std::uint64_t words_end_ = 0;
    bool torn_ = false; ///< the last line of the records may be incomplete
    std::mutex mutex_;
};

} // namespace isovmaf::batch

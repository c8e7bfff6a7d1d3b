// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "batch/work/stage_times.hpp"

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
    std::string error = {};               ///< of a failed unit: see hide_names
    bool permanent = false;               ///< trying again would fail again
    std::int64_t frames = 0;              ///< extracted
    double seconds = 0;                   ///< of wall-clock time
    StageTimes stages = {};               ///< parts of `seconds`
};

/// The identity, size and times of a file when its content was hashed, and the digest.
struct InputRecord {
    std::string path;
    std::uint64_t inode = 0; ///< of a URL: a hash of samples of its content
    std::int64_t bytes = 0, modified_ns = 0, changed_ns = 0;
    std::string digest;
    std::uint64_t sample = 0; ///< a hash of samples of the content: contents with other samples differ

    friend bool operator==(const InputRecord &, const InputRecord &) = default;
};

using StoreRecord = std::variant<UnitRecord, InputRecord>;

/// A record as one line of JSON with its checksum, and back. A line that was cut or damaged gives nothing.
[[nodiscard]] std::string encode_record(const StoreRecord &record);
[[nodiscard]] std::optional<StoreRecord> decode_record(std::string_view line);

/// The line of a record whose JSON is `text`: with its checksum, without a line feed.
[[nodiscard]] std::string seal_record(std::string_view text);

} // namespace isovmaf::batch

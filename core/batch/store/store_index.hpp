// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "batch/store/store.hpp"

namespace isovmaf::batch {

/// What the stores of one or more run folders say. Thread-safe.
class StoreIndex {
  public:
    explicit StoreIndex(const std::vector<std::filesystem::path> &folders) {
        for (const std::filesystem::path &path : folders)
            folders_.push_back({path});
    }

    /// Reads what stores have gained since the last call, new stores too. A damaged line, and one whose words
    /// are not there, count as not written.
    Result<void> refresh();

    /// The same for frequent calls: a folder that has not changed for a second is not listed again.
    Result<void> refresh_changed();

    /// The record of a finished unit with this key.
    [[nodiscard]] std::optional<UnitRecord> finished(const std::string &key) const;

    /// The words of a finished unit with this key; no bytes for a segment behind the end of its video.
    [[nodiscard]] Result<std::vector<std::byte>> words(const std::string &key) const;

    /// The name of the store that has the words of a finished unit with this key.
    [[nodiscard]] std::string store_of(const std::string &key) const;

    /// The keys of finished units of this name: several when an input was changed.
    [[nodiscard]] std::vector<std::string> keys_of(const std::string &unit) const;

    /// A failure of a unit with this key or this name. Of several it is the same one in whatever order they are read.
    [[nodiscard]] std::optional<UnitRecord> failure(const std::string &key_or_unit) const;

    /// Whether a unit with this key failed permanently with these versions.
    [[nodiscard]] bool fails_with(const std::string &key, const std::string &versions) const;

    /// A failure of a unit with this name whose inputs could not be read.
    [[nodiscard]] std::optional<UnitRecord> unread(const std::string &unit) const;

    /// What the file at `path` looked like whenever it was hashed, and its digest then.
    [[nodiscard]] std::vector<InputRecord> inputs(const std::string &path) const;

    /// Whether a file of this size with these samples was hashed, wherever it lies.
    [[nodiscard]] bool may_have_content(std::int64_t bytes, std::uint64_t sample) const;

  private:
    struct Folder {
        std::filesystem::path path;
        std::filesystem::file_time_type modified = {};
        std::chrono::steady_clock::time_point changed = {}; ///< when another time of modification was seen
    };
    struct Store {
        std::filesystem::path words;
        std::uint64_t read = 0;        ///< bytes of its records that were read
        std::uint64_t words_bytes = 0; ///< that there were afterwards
    };
    struct Finished {
        UnitRecord record;
        std::filesystem::path words;
    };

    static bool may_have_changed(Folder &folder);
    Result<void> find_stores(const Folder &folder);
    Result<void> read_stores();
    Result<void> read_store(const std::filesystem::path &path, Store &store);
    void add(StoreRecord record, const Store &store);

    std::vector<Folder> folders_;
    mutable std::mutex mutex_;
    std::map<std::filesystem::path, Store> stores_;
    std::unordered_map<std::string, Finished> finished_;               ///< by key
    std::unordered_map<std::string, std::vector<std::string>> keys_;   ///< of finished units, by unit
    std::unordered_map<std::string, UnitRecord> failed_;               ///< by key and by unit
    std::unordered_map<std::string, UnitRecord> unread_;               ///< by unit
    std::set<std::pair<std::string, std::string>> permanent_;          ///< keys and versions of permanent failures
    std::unordered_map<std::string, std::vector<InputRecord>> inputs_; ///< by path
    std::set<std::pair<std::int64_t, std::uint64_t>> contents_;        ///< sizes and samples of inputs
};

} // namespace isovmaf::batch

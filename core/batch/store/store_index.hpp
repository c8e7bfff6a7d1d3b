// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "batch/store/store.hpp"

namespace isovmaf::batch {

/// How often processes died with a unit in work.
struct UnitDeaths {
    int all = 0;
    int alone = 0; ///< without another unit in work
};

/// Digests of contents by the size and the samples of their files: files in which these differ have other contents.
using ContentDigests = std::map<std::pair<std::int64_t, std::uint64_t>, std::set<std::string>>;

/// What the stores of a run folder say. Thread-safe.
class StoreIndex {
  public:
    /// The stores in `folder`, without those of other shards of the same division.
    explicit StoreIndex(std::filesystem::path folder, const Shard &shard = {})
        : folder_(std::move(folder)), shard_(shard) {}

    /// Reads what stores have gained since the last call, new stores too. A damaged line, and one whose words
    /// are not there, count as not written.
    Result<void> refresh();

    /// What another process needs to know of these stores to do their units: not the words.
    [[nodiscard]] std::string known() const;

    /// Takes what another index knows, as if a store said it.
    void add_known(std::string_view text);

    /// The record of a finished unit with this key.
    [[nodiscard]] std::optional<UnitRecord> finished(const std::string &key) const;

    /// The words of the finished unit with each of these keys; no bytes for a segment behind the end of its video. Each
    /// store is opened once, and several at the same time.
    [[nodiscard]] std::vector<Result<std::vector<std::byte>>> words(std::span<const std::string> keys) const;

    /// The same of what pictures say of each unit. No bytes where the store has none.
    [[nodiscard]] std::vector<Result<std::vector<std::byte>>> pictures(std::span<const std::string> keys) const;

    /// The name of the store that has the words of a finished unit with this key.
    [[nodiscard]] std::string store_of(const std::string &key) const;

    /// The keys of finished units of this name: several when an input was changed.
    [[nodiscard]] std::vector<std::string> keys_of(const std::string &unit) const;

    /// A failure of a unit with this key or this name. Of several it is the same one in whatever order they are read.
    [[nodiscard]] std::optional<UnitRecord> failure(const std::string &key_or_unit) const;

    /// Whether a unit with this key failed permanently, with any versions.
    [[nodiscard]] bool fails(const std::string &key) const;

    /// Whether a unit with this key failed permanently with these versions.
    [[nodiscard]] bool fails_with(const std::string &key, const std::string &versions) const;

    /// How many processes tried a unit with this key and failed for a reason that may be of the moment.
    [[nodiscard]] int transient_failures(const std::string &key) const;

    /// By the names of units. Units that a living process has in work count, too: whoever has taken a unit knows that
    /// no other has it.
    [[nodiscard]] std::map<std::string, UnitDeaths> deaths() const;

    /// A failure of a unit with this name whose inputs could not be read.
    [[nodiscard]] std::optional<UnitRecord> unread(const std::string &unit) const;

    /// What the file at `path` looked like whenever it was hashed, and its digest then.
    [[nodiscard]] std::vector<InputRecord> inputs(const std::string &path) const;

    /// The digests of files of this size with these samples, wherever they lie.
    [[nodiscard]] std::set<std::string> digests_of(std::int64_t bytes, std::uint64_t sample) const;

  private:
    struct Store {
        std::filesystem::path words;
        std::uint64_t read = 0;        ///< bytes of its records that were read
        std::uint64_t words_bytes = 0; ///< that there were afterwards
        bool stopped = false;
        std::map<std::string, UnitDeaths> begun = {}; ///< units without an end
    };
    /// What a store has gained since it was read.
    struct Gained {
        std::vector<StoreRecord> records = {};
        std::uint64_t bytes = 0;       ///< of their lines
        std::uint64_t words_bytes = 0; ///< that there are now
    };
    struct Finished {
        UnitRecord record;
        std::filesystem::path words;
    };

    Result<void> find_stores();
    [[nodiscard]] bool is_of_other_shard(const std::string &name) const;
    Result<void> read_stores();
    [[nodiscard]] static Result<Gained> read_store(const std::filesystem::path &path, const Store &store);
    void add_gained(Gained gained, Store &store);
    void add(StoreRecord record, Store &store);
    void add_unit(UnitRecord unit, Store &store);
    [[nodiscard]] std::map<std::string, UnitDeaths> deaths_of_stores() const;
    [[nodiscard]] std::vector<Result<std::vector<std::byte>>>
    read_places(std::span<const std::string> keys, std::optional<WordsPlace> UnitRecord::*place) const;

    const std::filesystem::path folder_;
    const Shard shard_;
    mutable std::mutex mutex_; ///< guards the members below
    Store known_elsewhere_;    ///< see add_known
    std::map<std::filesystem::path, Store> stores_;
    std::unordered_map<std::string, Finished> finished_;               ///< by key
    std::unordered_map<std::string, std::vector<std::string>> keys_;   ///< of finished units, by unit
    std::unordered_map<std::string, UnitRecord> failed_;               ///< by key and by unit
    std::unordered_map<std::string, UnitRecord> unread_;               ///< by unit
    std::set<std::pair<std::string, std::string>> permanent_;          ///< keys and versions of permanent failures
    std::unordered_map<std::string, int> transient_;                   ///< transient failures, by key
    std::unordered_map<std::string, std::vector<InputRecord>> inputs_; ///< by path
    ContentDigests contents_;                                          ///< of inputs
};

} // namespace isovmaf::batch

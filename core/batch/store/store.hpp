// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "batch/store/run_folder.hpp"
#include "batch/store/store_record.hpp"
#include "isovmaf/result.hpp"

/// The results of workers, in files that only grow: docs/batch-inside.md describes them.
namespace isovmaf::batch {

/// The store of one process: NAME.jsonl holds records, NAME.words the words files of finished units. A record is
/// written when the words that it describes are on disk, so that a store is valid at any instant: losing its end loses
/// work, but leaves no wrong record.
///
/// Waiting for the disk would take longer than a short unit. So a thread of the store writes the records, for all units
/// that were finished while it waited for the disk the last time, and at most a few times a second: a record is on disk
/// a fraction of a second after it was handed over. Thread-safe.
///
/// The store of a shard has a name that tells the shard: see shard_prefix.
class StoreWriter {
  public:
    /// Held by the store until a record is on disk, or until writing it failed: such as the lock of its unit.
    using Held = std::shared_ptr<const void>;

    [[nodiscard]] static Result<std::unique_ptr<StoreWriter>> create(const std::filesystem::path &folder,
                                                                     const Shard &shard = {});
    ~StoreWriter(); ///< writes the remaining records; `flush` reports failures
    StoreWriter(const StoreWriter &) = delete;
    StoreWriter &operator=(const StoreWriter &) = delete;

    /// Takes the words of a finished unit, its record, and what small pictures say of it, if it is a segment. After a
    /// failure to write anything, every call fails.
    Result<void> finished(UnitRecord record, std::span<const std::byte> words, Held held = {},
                          std::span<const std::byte> pictures = {});

    Result<void> append(const StoreRecord &record, Held held = {});

    /// Says that units are begun, before they are: the record outlives this process, though not the host.
    Result<void> begun(BegunRecord record);

    /// Says that this process has ended its work, or was asked to: what it has begun did not kill it.
    Result<void> stopped();

    /// Waits until all records are on disk.
    Result<void> flush();

  private:
    /// The records that are written next, together.
    struct Batch {
        std::string records;
        bool words = false; ///< there are words that have to be on disk before the records are written
        std::vector<Held> held;
    };

    StoreWriter() = default;
    Result<void> failure() const;
    Result<void> add(const StoreRecord &record, Held held);
    [[nodiscard]] Result<WordsPlace> write_words(std::span<const std::byte> bytes);
    Result<void> write(const Batch &batch);
    Result<void> write_records(std::string_view records);
    void write_batches(const std::stop_token &stopped);

    std::filesystem::path records_path_, words_path_;
    int records_ = -1, words_ = -1;

    std::atomic<bool> has_begun_ = false; ///< units, and has not said that it stopped
    std::mutex writing_records_;          ///< of whole lines
    std::mutex mutex_;                    ///< guards the members below
    std::condition_variable_any changed_;
    std::uint64_t words_end_ = 0;
    Batch next_;
    bool writing_ = false;     ///< a batch
    bool has_records_ = false; ///< that readers miss when they are gone
    int flushing_ = 0;         ///< threads that wait for all records
    std::optional<Error> failure_;
    std::jthread writer_; // declared after the members that it uses
};

} // namespace isovmaf::batch

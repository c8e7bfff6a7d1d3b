// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

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

#include "batch/store/store_record.hpp"
#include "isovmaf/result.hpp"

/// The results of workers, in files that only grow: docs/batch.md describes them.
namespace isovmaf::batch {

/// The store of one process: NAME.jsonl holds records, NAME.words the words files of finished units. A record is
/// written when the words that it describes are on disk, so that a store is valid at any instant: losing its end loses
/// work, but leaves no wrong record.
///
/// Waiting for the disk would take longer than a short unit. So a thread of the store writes the records, for all units
/// that were finished while it waited for the disk the last time, and at most a few times a second: a record is on disk
/// a fraction of a second after it was handed over. Thread-safe.
class StoreWriter {
  public:
    /// Held by the store until a record is on disk, or until writing it failed: such as the lease of its unit.
    using Held = std::shared_ptr<const void>;

    [[nodiscard]] static Result<std::unique_ptr<StoreWriter>> create(const std::filesystem::path &folder);
    ~StoreWriter(); ///< writes the remaining records; `flush` reports failures
    StoreWriter(const StoreWriter &) = delete;
    StoreWriter &operator=(const StoreWriter &) = delete;

    /// Takes the words of a finished unit and its record. After a failure to write anything, every call fails.
    Result<void> finished(UnitRecord record, std::span<const std::byte> words, Held held = {});

    Result<void> append(const StoreRecord &record, Held held = {});

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
    Result<void> write(const Batch &batch) const;
    void write_batches(const std::stop_token &stopped);

    std::filesystem::path records_path_, words_path_;
    int records_ = -1, words_ = -1;

    std::mutex mutex_; ///< guards the members below
    std::condition_variable_any changed_;
    std::uint64_t words_end_ = 0;
    Batch next_;
    bool writing_ = false; ///< a batch
    int flushing_ = 0;     ///< threads that wait for all records
    std::optional<Error> failure_;
    std::jthread writer_; // declared after the members that it uses
};

} // namespace isovmaf::batch

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>

#include "batch/store_record.hpp"
#include "isovmaf/result.hpp"

/// What workers found out, in files that only grow: docs/batch.md describes them.
namespace isovmaf::batch {

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

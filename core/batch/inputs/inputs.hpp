// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "base/hashes.hpp"
#include "batch/store/store.hpp"
#include "batch/store/store_index.hpp"
#include "input/libav/url_file.hpp"
#include "input/read_content.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf::batch {

/// The bytes of an input, a file or a URL. Used by one thread.
class InputFile {
  public:
    [[nodiscard]] static Result<InputFile> open(const std::string &path);
    ~InputFile();
    InputFile(InputFile &&other) noexcept;
    InputFile &operator=(InputFile &&) = delete;

    /// Reads from `offset` on; the number of bytes, 0 at the end.
    [[nodiscard]] Result<std::size_t> read(std::int64_t offset, std::span<std::byte> buffer);

    /// Adds `bytes` bytes from `offset` on to a hash, or as many as there are.
    Result<void> add(std::int64_t offset, std::int64_t bytes, ContentHash &hash);

  private:
    InputFile(std::string path, int descriptor, std::optional<UrlFile> url)
        : path_(std::move(path)), descriptor_(descriptor), url_(std::move(url)) {}
    std::string path_;
    int descriptor_;             ///< -1 for a URL
    std::optional<UrlFile> url_; ///< nothing for a file
};

/// The digest of a file's content if it is found without reading the whole file, else nothing. With `fast`, a file
/// is identified by its size, its time of modification and sampled blocks.
[[nodiscard]] Result<std::optional<std::string>> known_digest(const StoreIndex &index, const std::string &path,
                                                              bool fast);

/// The identity, size and times of a file as it is now, without a digest. Fails when it is no regular file.
[[nodiscard]] Result<InputRecord> look_at(const std::string &path);

/// The digest of a file that looks like this, as the stores have it.
[[nodiscard]] std::optional<std::string> known_digest_of(const StoreIndex &index, const InputRecord &seen, bool fast);

/// Whether the two records are equal in everything but their digests.
[[nodiscard]] bool looks_like(InputRecord record, const InputRecord &seen);

/// The digest of a file with this content.
[[nodiscard]] std::string content_digest(const ContentHash &content);

class Staging;

/// Tells files apart by their content. A content is hashed once for all workers: the digest is kept in the store, with
/// what the file looked like. Thread-safe.
class Inputs {
  public:
    /// Any thread calls `stop`, often. With `staging`, a file is hashed while it is copied, and a copy has to
    /// have the digest that a store has.
    Inputs(const StoreIndex &index, StoreWriter &store, bool fast, std::function<bool()> stop, Staging *staging)
        : index_(index), store_(store), fast_(fast), stop_(std::move(stop)), staging_(staging) {}

    /// The digest of a file's content, read where no store has it. The error is `interrupted` after `stop`.
    [[nodiscard]] Result<std::string> digest(const std::string &path);

    /// A file that is hashed while its reader reads it.
    struct Reading {
        InputRecord seen;                     ///< when the reading began
        std::shared_ptr<ReadContent> content; ///< for the reader
    };

    /// For a caller that reads the file anyway: a reading, or the digest where it is known, the file is small or
    /// staged, or it may be a copy of a file that was hashed.
    [[nodiscard]] Result<std::variant<Reading, std::string>> begin_reading(const std::string &path);

    /// The digest of a file that was read; reads what the reader left out. The reader is gone. Fails when the file no
    /// longer looks as it did, and with `interrupted` after `stop`.
    [[nodiscard]] Result<std::string> end_reading(Reading reading);

  private:
    [[nodiscard]] Result<std::string> hash(const InputRecord &seen);
    [[nodiscard]] Result<std::string> digest(InputRecord seen);
    [[nodiscard]] std::optional<std::string> hashed_digest(const InputRecord &seen);
    Result<void> keep(const InputRecord &record);
    Result<void> check_copy(const InputRecord &seen, const std::string &known) const;

    const StoreIndex &index_;
    StoreWriter &store_;
    bool fast_;
    std::function<bool()> stop_;
    Staging *staging_;                                           ///< may be nullptr
    std::mutex mutex_;                                           ///< guards the members below
    std::map<std::string, std::shared_ptr<std::mutex>> hashing_; ///< by path: one thread hashes a file, others wait
    std::map<std::string, InputRecord> hashed_;                  ///< by this process
    std::set<std::pair<std::int64_t, std::uint64_t>> contents_;  ///< sizes and samples of them
};

} // namespace isovmaf::batch

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/hashes.hpp"
#include "batch/inputs/lists.hpp"
#include "batch/store/store.hpp"
#include "batch/store/store_index.hpp"
#include "input/libav/url_file.hpp"
#include "input/read_content.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf::batch {

/// The bytes of an input, a file or a URL. Several threads may read a file at the same time; one reads a URL.
class InputFile {
  public:
    [[nodiscard]] static Result<InputFile> open(const std::string &path);
    ~InputFile();
    InputFile(InputFile &&other) noexcept;
    InputFile &operator=(InputFile &&) = delete;

    /// Reads from `offset` on; the number of bytes, 0 at the end.
    [[nodiscard]] Result<std::size_t> read(std::int64_t offset, std::span<std::byte> buffer);

    /// Adds `bytes` bytes from `offset` on to a hash, or as many as there are. Returns how many there were.
    [[nodiscard]] Result<std::int64_t> add(std::int64_t offset, std::int64_t bytes, ContentHash &hash);

  private:
    InputFile(std::string path, int descriptor, std::optional<UrlFile> url)
        : path_(std::move(path)), descriptor_(descriptor), url_(std::move(url)) {}
    std::string path_;
    int descriptor_;             ///< -1 for a URL
    std::optional<UrlFile> url_; ///< nothing for a file
};

/// The digests of an input's content that the stores have: that of the whole file, and those of the planes of its
/// frames that some unit read. With `fast`, a file has one digest at most: it is identified by its size, its time of
/// modification and sampled blocks. A list that a store knows is read: see Lists.
[[nodiscard]] Result<std::vector<std::string>> known_digests(const StoreIndex &index, Lists &lists,
                                                             const InputName &input, bool fast,
                                                             const std::function<bool()> &stop);

/// The identity, size and times of a file as it is now, without a digest. Fails when it is no regular file.
[[nodiscard]] Result<InputRecord> look_at(const std::string &path);

/// The digests of a file that looks like this, as the stores have them: that of the whole file first.
[[nodiscard]] std::vector<std::string> known_digests_of(const StoreIndex &index, const InputRecord &seen, bool fast);

/// Whether the two records are equal in all that they say of a file from outside.
[[nodiscard]] bool looks_like(InputRecord record, const InputRecord &seen);

class Staging;

/// Tells files apart by their content. A content is hashed once for all workers: the digest is kept in the store, with
/// what the file looked like. Lists are told apart by what their readers read: see Lists. Thread-safe.
class Inputs {
  public:
    /// Any thread calls `stop`, often. With `staging`, a file is hashed while it is copied, and a copy has to
    /// have the digest that a store has.
    Inputs(const StoreIndex &index, Lists &lists, StoreWriter &store, bool fast, std::function<bool()> stop,
           Staging *staging)
        : index_(index), lists_(lists), store_(store), fast_(fast), stop_(std::move(stop)), staging_(staging) {}

    /// The digest of an input's whole content, read where no store has it. The error is `interrupted` after `stop`.
    [[nodiscard]] Result<std::string> digest(const InputName &input);

    /// Whether a video is a list, of which a copy could not be read.
    [[nodiscard]] Result<bool> is_list(const std::string &video);

    /// A file that a unit reads.
    struct Reading {
        InputRecord seen;                          ///< when the reading began
        std::vector<std::string> digests = {};     ///< that are known
        std::shared_ptr<ReadContent> content = {}; ///< for the reader; null: the first digest is that of the whole file

        /// The digest for keys, if it does not depend on what the reader reads.
        [[nodiscard]] std::string settled() const { return content ? "" : digests.front(); }
    };

    /// For a caller that reads the file anyway. Files that are small or staged, and those that may be copies of a file
    /// that was hashed, are hashed now; so are lists.
    [[nodiscard]] Result<Reading> begin_reading(const InputName &input);

    /// The digest of what was read of a file: of the planes that were wanted of its frames, or of the whole file. Reads
    /// what the reader left out. The reader is gone. Fails when the file no longer looks as it did, and with
    /// `interrupted` after `stop`.
    [[nodiscard]] Result<std::string> end_reading(const Reading &reading);

  private:
    [[nodiscard]] Result<InputRecord> look(const InputName &input);
    [[nodiscard]] Result<std::string> hash(const InputRecord &seen);
    [[nodiscard]] Result<std::string> digest_of(InputRecord seen);
    [[nodiscard]] std::vector<std::string> digests_of(const InputRecord &seen);
    [[nodiscard]] Result<std::vector<std::string>> digests_of_copy(const InputRecord &seen);
    Result<void> keep(const InputRecord &record);
    Result<void> check_copy(const InputRecord &seen, const std::string &known) const;

    const StoreIndex &index_;
    Lists &lists_;
    StoreWriter &store_;
    bool fast_;
    std::function<bool()> stop_;
    Staging *staging_;                                           ///< may be nullptr
    std::mutex mutex_;                                           ///< guards the members below
    std::map<std::string, std::shared_ptr<std::mutex>> hashing_; ///< by path: one thread hashes a file, others wait
    std::map<std::string, std::vector<InputRecord>> hashed_;     ///< by this process
    ContentDigests contents_;                                    ///< of them
};

} // namespace isovmaf::batch

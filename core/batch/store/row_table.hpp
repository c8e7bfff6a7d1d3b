// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "batch/manifest/row.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

/// A part of a run that a process does alone: number `index` of `count`.
struct Shard {
    std::size_t index = 0, count = 1;

    [[nodiscard]] bool is_whole() const { return count == 1; }
};

/// What the names of a shard's stores begin with; nothing for a whole run.
[[nodiscard]] std::string shard_prefix(const Shard &shard);

/// The rows of a run folder, or of a shard. Of many rows only their places in the file are held in memory. Threads may
/// read rows at the same time.
class RowTable {
  public:
    [[nodiscard]] static Result<RowTable> open(const std::filesystem::path &path);

    /// Those of a shard, from a file that write_shards has made. Nothing else of the file is read.
    [[nodiscard]] static Result<RowTable> open(const std::filesystem::path &path, const Shard &shard);

    [[nodiscard]] std::size_t size() const { return starts_.size() - 1; }
    [[nodiscard]] Result<Row> row(std::size_t index) const;

    /// Calls `visitor` for each row in their order, and reads many rows at a time.
    Result<void> visit(const std::function<Result<void>(std::size_t index, const Row &)> &visitor) const;

  private:
    explicit RowTable(OpenFile file) : file_(std::move(file)) {}
    Result<void> find_rows(std::uint64_t begin, std::uint64_t end);
    [[nodiscard]] Result<std::string> text_of(std::size_t first, std::size_t end) const;

    OpenFile file_;
    std::vector<std::uint64_t> starts_; ///< of each line, and the end of the last one
    std::string text_;                  ///< all lines, where they are few
};

/// Writes the file of the shards of a run folder: for each shard its rows, a line each. Its head is one line for each
/// shard and one more: the byte where the shard's rows begin, and where the last ones end.
Result<void> write_shards(const std::filesystem::path &path, std::span<const std::string> shards);

} // namespace isovmaf::batch

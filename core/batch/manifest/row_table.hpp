// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "batch/manifest/row.hpp"

namespace isovmaf::batch {

/// The rows of a run folder. Only their places in the file are held in memory. Threads may read rows at the same time.
class RowTable {
  public:
    [[nodiscard]] static Result<RowTable> open(const std::filesystem::path &path);
    ~RowTable();
    RowTable(RowTable &&other) noexcept;
    RowTable &operator=(RowTable &&) = delete;

    [[nodiscard]] std::size_t size() const { return starts_.size() - 1; }
    [[nodiscard]] Result<Row> row(std::size_t index) const;

  private:
    explicit RowTable(std::filesystem::path path) : path_(std::move(path)) {}

    std::filesystem::path path_;
    int descriptor_ = -1;
    std::vector<std::uint64_t> starts_{0}; ///< of each line, and the end of the last one
};

} // namespace isovmaf::batch

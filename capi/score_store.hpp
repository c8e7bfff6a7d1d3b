// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capi/index_set.hpp"

namespace isovmaf::capi {

/// Scores by column and frame index. Columns are numbered in the order in which they were added, which is the order of
/// reports. Any indices may be used: memory grows with the number of scores, not with the largest index.
class ScoreStore {
  public:
    /// Told of every score that is stored.
    using Listener = std::function<void(std::size_t column, unsigned index, double score)>;

    explicit ScoreStore(Listener listener = {}) : listener_(std::move(listener)) {}

    /// The first column of that name.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
    std::size_t find_or_add(std::string_view name);

    /// A new column. If there is one of that name, the new one is called NAME_2 and so on.
    std::size_t add(std::string_view name);

    [[nodiscard]] std::size_t column_count() const { return columns_.size(); }
    [[nodiscard]] const std::string &name(std::size_t column) const { return columns_[column].name; }
    [[nodiscard]] bool has_scores(std::size_t column) const { return !columns_[column].blocks.empty(); }

    [[nodiscard]] std::optional<double> at(std::size_t column, unsigned index) const;

    /// Stores a score, unless there is one: then it stays, and the function returns false.
    bool set(std::size_t column, unsigned index, double score);

    /// The scores at the multiples of `step` from `low` to `high`, both included. Nothing when one of them is missing,
    /// or when there is no multiple.
    [[nodiscard]] std::optional<std::vector<double>> range(std::size_t column, unsigned low, unsigned high,
                                                           unsigned step) const;

    /// All indices with a score in any column.
    [[nodiscard]] IndexSet indices() const;

  private:
    struct Block {
        std::uint64_t present = 0; ///< bit i: whether there is a score i
        std::array<double, IndexSet::block_size> scores;
    };
    struct Column {
        std::string name;
        std::map<unsigned, Block> blocks;
    };

    std::vector<Column> columns_;
    std::map<std::string, std::size_t, std::less<>> by_name_;
    Listener listener_;
};

} // namespace isovmaf::capi

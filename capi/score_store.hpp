// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isovmaf::capi {

/// Frame indices. Takes a few bytes for each index where they are dense, and never more than a hundred.
class IndexSet {
  public:
    [[nodiscard]] bool contains(unsigned index) const {
        const auto found = blocks_.find(index / block_size);
        return found != blocks_.end() && (found->second >> index % block_size & 1) != 0;
    }

    void insert(unsigned index) { blocks_[index / block_size] |= std::uint64_t{1} << index % block_size; }

    /// Adds the indices 64 `block` + i for which bit i of `bits` is set.
    void insert_block(unsigned block, std::uint64_t bits) { blocks_[block] |= bits; }

    [[nodiscard]] bool empty() const { return blocks_.empty(); }
    void clear() { blocks_.clear(); }

    /// The indices that are multiples of `step`, in ascending order.
    [[nodiscard]] std::vector<unsigned> multiples(unsigned step) const {
        std::vector<unsigned> indices;
        for (auto [block, bits] : blocks_)
            for (; bits != 0; bits &= bits - 1)
                if (const unsigned index = block * block_size + static_cast<unsigned>(std::countr_zero(bits));
                    index % step == 0)
                    indices.push_back(index);
        return indices;
    }

    static constexpr unsigned block_size = 64;

  private:
    std::map<unsigned, std::uint64_t> blocks_; ///< one bit for each index
};

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

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/score_store.hpp"

#include <fmt/format.h>

namespace isovmaf::capi {

namespace {

constexpr unsigned block_of(unsigned index) { return index / IndexSet::block_size; }
constexpr std::uint64_t bit_of(unsigned index) { return std::uint64_t{1} << index % IndexSet::block_size; }

} // namespace

std::optional<std::size_t> ScoreStore::find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t ScoreStore::find_or_add(std::string_view name) {
    const std::optional<std::size_t> found = find(name);
    return found ? *found : add(name);
}

std::size_t ScoreStore::add(std::string_view name) {
    std::string free_name(name);
    for (unsigned n = 2; by_name_.contains(free_name); n++)
        free_name = fmt::format("{}_{}", name, n);
    by_name_.emplace(free_name, columns_.size());
    columns_.push_back({std::move(free_name), {}});
    return columns_.size() - 1;
}

std::optional<double> ScoreStore::at(std::size_t column, unsigned index) const {
    const std::map<unsigned, Block> &blocks = columns_[column].blocks;
    const auto block = blocks.find(block_of(index));
    if (block == blocks.end() || (block->second.present & bit_of(index)) == 0)
        return std::nullopt;
    return block->second.scores[index % IndexSet::block_size];
}

bool ScoreStore::set(std::size_t column, unsigned index, double score) {
    Block &block = columns_[column].blocks[block_of(index)];
    if ((block.present & bit_of(index)) != 0)
        return false;
    block.present |= bit_of(index);
    block.scores[index % IndexSet::block_size] = score;
    if (listener_)
        listener_(column, index, score);
    return true;
}

std::optional<std::vector<double>> ScoreStore::range(std::size_t column, unsigned low, unsigned high,
                                                     unsigned step) const {
    std::vector<double> scores;
    for (std::uint64_t index = (std::uint64_t{low} + step - 1) / step * step; index <= high; index += step) {
        const std::optional<double> score = at(column, static_cast<unsigned>(index));
        if (!score)
            return std::nullopt;
        scores.push_back(*score);
    }
    return scores.empty() ? std::nullopt : std::optional(std::move(scores));
}

IndexSet ScoreStore::indices() const {
    IndexSet indices;
    for (const Column &column : columns_)
        for (const auto &[number, block] : column.blocks)
            indices.insert_block(number, block.present);
    return indices;
}

} // namespace isovmaf::capi

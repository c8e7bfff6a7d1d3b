// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <bit>
#include <cstdint>
#include <map>
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

} // namespace isovmaf::capi

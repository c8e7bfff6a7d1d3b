// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isovmaf/words.hpp"
#include "portable/taps.h"

namespace isovmaf {

/// One step of an extraction between samples and words, as a plane of values: it is compared to find where two backends
/// start to differ. Backends agree on every bit of every value of every stage.
struct Stage {
    std::string name; ///< "scale 1: variance of the reference"
    int width = 0;    ///< values per row
    int height = 0;
    int tile_width = 0; ///< of the kernels' tiles in values; 0: faults cannot follow the tiles
    int tile_height = 0;
    int tile_left = 0, tile_top = 0; ///< where the first tile starts
    WordKind kind = WordKind::i64;   ///< of its values
};

/// Host memory for the values of stages, in the layout of taps.h.
class StageMemory {
  public:
    /// All values are 0.
    explicit StageMemory(const std::vector<Stage> &stages);

    [[nodiscard]] Taps taps() { return {words_.data()}; }
    [[nodiscard]] std::span<std::int64_t> words() { return words_; }
    [[nodiscard]] std::span<const std::int64_t> words() const { return words_; }

    /// Values of one stage, row after row without gaps.
    [[nodiscard]] std::span<const std::int64_t> plane(std::size_t stage) const;

  private:
    std::vector<std::int64_t> words_;
    std::vector<std::size_t> size_; ///< of each plane
};

} // namespace isovmaf

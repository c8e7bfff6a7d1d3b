// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "isovmaf/score_video.hpp"

/// Pairs of frames from several origins, as score_video reads them. Nothing is copied.
namespace isovmaf {

/// Reads `count` pairs; `pair_of(n)` returns number n, from 0 on.
template <class PairOf>
[[nodiscard]] PairReader read_numbered(std::size_t count, PairOf pair_of) {
    return [count, pair_of = std::move(pair_of), n = std::size_t{0}]() mutable -> Result<std::optional<FramePair>> {
        if (n == count)
            return std::nullopt;
        return pair_of(n++);
    };
}

/// Reads a clip that is in memory. `clip` outlives the reader.
[[nodiscard]] inline PairReader read_clip(std::span<const FramePair> clip) {
    return read_numbered(clip.size(), [clip](std::size_t n) -> FramePair { return clip[n]; });
}

} // namespace isovmaf

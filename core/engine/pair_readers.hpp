// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "base/try.hpp"
#include "engine/schedule/shared_frame.hpp"
#include "frame/frame_pair.hpp"
#include "isovmaf/score_video.hpp"

/// Pairs of frames from several origins, as score_video reads them. Nothing is copied.
namespace isovmaf {

[[nodiscard]] inline HostPair share(const FramePair &pair) { return {share(pair.reference), share(pair.distorted)}; }

/// Reads what `next`, a function that returns Result<std::optional<FramePair>>, gives.
template <class Next>
[[nodiscard]] PairReader read_pairs(Next next) {
    return [next = std::move(next)]() mutable -> Result<std::optional<InputPair>> {
        const std::optional<FramePair> pair = TRY(next());
        if (!pair)
            return std::nullopt;
        return share(*pair);
    };
}

/// Reads `count` pairs; `pair_of(n)` returns number n, from 0 on.
template <class PairOf>
[[nodiscard]] PairReader read_numbered(std::size_t count, PairOf pair_of) {
    return [count, pair_of = std::move(pair_of), n = std::size_t{0}]() mutable -> Result<std::optional<InputPair>> {
        if (n == count)
            return std::nullopt;
        return pair_of(n++);
    };
}

/// Reads a clip that is in memory. `clip` outlives the reader.
[[nodiscard]] inline PairReader read_clip(std::span<const FramePair> clip) {
    return read_numbered(clip.size(), [clip](std::size_t n) -> InputPair { return share(clip[n]); });
}

} // namespace isovmaf

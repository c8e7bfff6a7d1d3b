// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine/plan/state_facts.hpp"
#include "frame/crop.hpp"
#include "isovmaf/frame.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf::diff {

/// Returns the next pair with every call, and nothing after the last one.
using PairStream = std::function<Result<std::optional<FramePair>>()>;

/// How a smaller case is made from a larger one.
struct Reduction {
    std::int64_t skip = 0;                  ///< leading pairs left out
    std::optional<std::int64_t> count = {}; ///< at most this many pairs
    std::optional<Crop> crop = {};          ///< at whole chroma samples
    std::uint32_t keep_bits = 0xffff;       ///< mask of the bits that every sample keeps

    friend bool operator==(const Reduction &, const Reduction &) = default;
};

/// A video of pairs on which sides are compared. It can be read any number of times.
struct Pictures {
    std::string title;   ///< a line that describes them, before their reduction
    std::string command; ///< options of `isovmaf diff` that give the same pictures, before their reduction
    VideoFormat format;
    std::function<Result<PairStream>()> open;
    Reduction reduction = {}; ///< that `open` applies
    PairFacts facts = {};     ///< that the files state
};

/// The reduction that does `first` and then `then`.
[[nodiscard]] Reduction combine(const Reduction &first, const Reduction &then);

/// The picture, or a part of it, with the bits `keep_bits` of its samples.
[[nodiscard]] Frame reduce(const Frame &frame, const std::optional<Crop> &crop, std::uint32_t keep_bits);

[[nodiscard]] FramePair reduce(const FramePair &pair, const Reduction &reduction);

/// The same pictures, reduced. Fails as check_crop does.
[[nodiscard]] Result<Pictures> reduce(Pictures pictures, const Reduction &reduction);

/// "zero of seed 1, 640x360, ..., 64x48 at (0, 16)"
[[nodiscard]] std::string describe(const Pictures &pictures);

/// The options of `isovmaf diff` that give these pictures.
[[nodiscard]] std::string options_of(const Pictures &pictures);

} // namespace isovmaf::diff

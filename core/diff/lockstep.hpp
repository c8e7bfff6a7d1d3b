// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diff/pictures.hpp"
#include "diff/side.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf::diff {

/// The failure that ended a comparison early, and its side; no side when getting the pictures failed.
struct SideFailure {
    std::string side;
    Error error;
};

/// Scores of one frame on all sides, in their order.
using FrameOnSides = std::vector<FrameScores>;

/// What is known when all frames are scored, per side.
struct EndOfSide {
    std::vector<std::pair<std::string, double>> aggregates;
    Execution execution;
};

struct LockstepVisitor {
    /// Once, before the first frame: with the first side's session, which knows names of scores and words.
    std::function<void(const Session &)> started = [](const Session &) {};
    std::function<void(const FrameOnSides &)> frame;
    std::function<void(const std::vector<EndOfSide> &)> ended = [](const auto &) {};
    /// In its place: what ran until then, per side.
    std::function<void(const std::vector<Execution> &)> failed = [](const auto &) {};
    std::function<bool()> stop = [] { return false; }; ///< true: no more pictures are read
};

/// Scores the pictures on all sides at once, a pair at a time, and hands their scores out together: memory does not
/// grow with the video. `options` say what is scored; its format, backend and device are set here.
[[nodiscard]] std::optional<SideFailure> run_lockstep(const std::vector<Side> &sides, SessionOptions options,
                                                      const Pictures &pictures, const LockstepVisitor &visitor);

} // namespace isovmaf::diff

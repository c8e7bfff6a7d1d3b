// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "isovmaf/frame.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf::testing {

/// What is scored, and of which pictures. Two processes tell each other a case as words of a command line:
///
///     generated=WIDTHxHEIGHT:CHROMA:DEPTH:FRAMES | videos=REFERENCE:DISTORTED | raw=REFERENCE:DISTORTED:WIDTHxHEIGHT
/// Where cases are computed.
inline const ExecutionOptions one_thread{.threads = 1};

///     feature=REQUEST... model=REQUEST... subsample=N semantics=NAME
struct SegmentCase {
    std::string reference, distorted; ///< files; empty for a generated clip
    std::optional<VideoFormat> raw = {};
    VideoFormat generated = {};
    int generated_frames = 0;
    ScoringOptions scoring = {};

    /// Throws Failure on words that have no meaning.
    static SegmentCase parse(const std::vector<std::string> &words);
};

/// The pictures of a case.
struct CasePairs {
    VideoFormat format;
    std::function<std::optional<FramePair>()> read; ///< the next pair; nothing at the end. Throws Failure.
};

/// Opens the pictures from frame `first` on. Throws Failure.
CasePairs open_pairs(const SegmentCase &the_case, std::int64_t first);

} // namespace isovmaf::testing

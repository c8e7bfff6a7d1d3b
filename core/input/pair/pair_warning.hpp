// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace isovmaf {

/// What may make the scores of two videos other than a user expects: it does not keep them from being scored. It
/// depends on the videos and the options alone.
struct PairWarning {
    std::string kind; ///< one of the constants below: for programs
    std::string sentence;

    static constexpr const char *colours = "colours";               ///< the two do not mean the same by their samples
    static constexpr const char *timing = "timing";                 ///< rates differ, or start times and pictures
    static constexpr const char *dropped_frames = "dropped_frames"; ///< times drift apart; at most one for a pair
    static constexpr const char *cut_short = "cut_short";           ///< a file ends early
    static constexpr const char *lengths = "lengths";               ///< one of the two has more frames
    static constexpr const char *streams = "streams";               ///< a file has several videos, and nobody chose
    static constexpr const char *alignment = "alignment";           ///< the pictures suggest other pairs
    static constexpr const char *model = "model";                   ///< another model is for such pictures

    friend bool operator==(const PairWarning &, const PairWarning &) = default;
};

/// Adds the warnings of a reader to those of readers that began with earlier pairs of the same videos. Readers say the
/// same about the same things, but for where times drift apart: the first reader is right.
inline void add_warnings(std::vector<PairWarning> &earlier, const std::vector<PairWarning> &later) {
    for (const PairWarning &warning : later) {
        const auto is_known = [&](const PairWarning &known) {
            return known == warning ||
                   (warning.kind == PairWarning::dropped_frames && known.kind == PairWarning::dropped_frames);
        };
        if (std::ranges::none_of(earlier, is_known))
            earlier.push_back(warning);
    }
}

} // namespace isovmaf

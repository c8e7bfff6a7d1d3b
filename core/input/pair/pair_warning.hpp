// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

namespace isovmaf {

/// What is wrong with two videos that are scored nevertheless. It depends on the videos and the options alone.
struct PairWarning {
    std::string kind; ///< one of the constants below: for programs
    std::string sentence;

    static constexpr const char *colours = "colours";               ///< the two do not mean the same by their samples
    static constexpr const char *timing = "timing";                 ///< rates or start times differ
    static constexpr const char *dropped_frames = "dropped_frames"; ///< times drift apart; at most one for a pair
    static constexpr const char *cut_short = "cut_short";           ///< a file ends early
    static constexpr const char *lengths = "lengths";               ///< one of the two has more frames

    friend bool operator==(const PairWarning &, const PairWarning &) = default;
};

} // namespace isovmaf

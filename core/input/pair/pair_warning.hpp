// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace isovmaf {

/// What may make the scores of two videos other than a user expects: it does not keep them from being scored. It
/// depends on the videos and the options alone.
struct PairWarning {
    std::string kind; ///< one of the constants below: for programs
    std::string sentence;
    /// What it is about, "transfer of distorted", where readers that begin with different pairs say different things
    /// about the same: the reader that begins first is right. Else empty.
    std::string about = {};
    std::int64_t frames = 0; ///< that the sentence counts: it begins with in_frames_text; 0: it counts none

    static constexpr const char *colours = "colours";               ///< the two do not mean the same by their samples
    static constexpr const char *timing = "timing";                 ///< rates differ, or start times and pictures
    static constexpr const char *dropped_frames = "dropped_frames"; ///< times drift apart; at most one for a pair
    static constexpr const char *cut_short = "cut_short";           ///< a file ends early
    static constexpr const char *lengths = "lengths";               ///< one of the two has more frames
    static constexpr const char *samples = "samples";               ///< the bytes of raw video seem to be others
    static constexpr const char *streams = "streams";               ///< a file has several videos, and nobody chose
    static constexpr const char *alignment = "alignment";           ///< the pictures suggest other pairs
    static constexpr const char *model = "model";                   ///< another model is for such pictures

    friend bool operator==(const PairWarning &, const PairWarning &) = default;
};

/// How the sentence of a warning begins that counts so many frames.
inline std::string in_frames_text(std::int64_t frames) {
    return fmt::format("in {} frame{}, ", frames, frames == 1 ? "" : "s");
}

/// Adds the warnings of a reader to those of readers that began with earlier pairs of the same videos. Readers say the
/// same about the same things, but for where they begin: the first reader is right. Counted frames are those of
/// different pairs, and are added up. What counts frames is known at the end, and stands there.
inline void add_warnings(std::vector<PairWarning> &earlier, const std::vector<PairWarning> &later) {
    for (const PairWarning &warning : later) {
        const auto is_known = [&](const PairWarning &known) {
            return known == warning || (!warning.about.empty() && known.about == warning.about) ||
                   (warning.kind == PairWarning::dropped_frames && known.kind == PairWarning::dropped_frames);
        };
        const auto known = std::ranges::find_if(earlier, is_known);
        if (known == earlier.end()) {
            const auto is_before = [&](const PairWarning &other) {
                return other.frames == 0 || (warning.frames > 0 && other.about < warning.about);
            };
            earlier.insert(std::ranges::find_if_not(earlier, is_before), warning);
        } else if (warning.frames > 0) {
            const std::size_t count_size = in_frames_text(known->frames).size();
            known->frames += warning.frames;
            known->sentence = in_frames_text(known->frames) + known->sentence.substr(count_size);
        }
    }
}

} // namespace isovmaf

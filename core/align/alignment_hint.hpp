// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "align/alignment.hpp"

namespace isovmaf {

/// The options that the frames were paired with: a hint adds to them.
struct AlignmentOptions {
    std::int64_t offset = 0;
    std::int64_t skip_reference = 0; ///< with the frames that `offset` leaves out
    std::int64_t skip_distorted = 0;
};

/// Mean scores of the same number of sampled frames.
struct SampledMeans {
    std::string score_name;
    std::int64_t frames = 0;
    double before = 0; ///< as the frames were paired
    double after = 0;  ///< at the offset that the hint names
};

/// A sentence about frames that were paired by number: by how many frames the distorted video is late or early, since
/// when, how sure that is, and which options to try. `parts` are not aligned.
[[nodiscard]] std::string alignment_hint(const std::vector<AlignedPart> &parts, const AlignmentOptions &options,
                                         const std::optional<SampledMeans> &means);

/// Leading frames that are left out.
struct FrameSkips {
    std::int64_t reference = 0;
    std::int64_t distorted = 0;

    friend bool operator==(const FrameSkips &, const FrameSkips &) = default;
};

/// How frames were paired by time.
struct TimePairs {
    FrameSkips skipped = {};
    bool reference_moves = false; ///< see MovingSide
    double moving_per_fixed = 1;  ///< frames of the moving video for one of the other
    bool absolute = false;        ///< times were not counted from the first frame, so that skipping changes no pair
};

/// What to leave out, so that the pairs have `offset` when times count from the first frames again.
[[nodiscard]] FrameSkips skips_for(int offset, const TimePairs &pairs);

/// The same as alignment_hint for frames that were paired by time.
[[nodiscard]] std::string time_hint(const std::vector<AlignedPart> &parts, const TimePairs &pairs,
                                    const std::optional<SampledMeans> &means);

} // namespace isovmaf

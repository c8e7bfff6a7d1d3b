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
    bool by_time = false; ///< the frames were paired by presentation time
};

/// Mean scores of the same number of sampled frames.
struct SampledMeans {
    std::string score_name;
    std::int64_t frames = 0;
    double before = 0; ///< as the frames were paired
    double after = 0;  ///< at the offset that the hint names
};

/// A sentence that says by how many frames the distorted video is late or early, since when, how sure that is, and
/// which options to try. `parts` are not aligned.
[[nodiscard]] std::string alignment_hint(const std::vector<AlignedPart> &parts, const AlignmentOptions &options,
                                         const std::optional<SampledMeans> &means);

} // namespace isovmaf

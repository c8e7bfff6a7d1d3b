// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "align/offset_costs.hpp"

namespace isovmaf {

/// Successive frames of the reference that fit the distorted video at one offset.
struct AlignedPart {
    std::size_t first_frame = 0; ///< of the reference
    int offset = 0;              ///< frame n of the reference shows what frame n + offset of the distorted video shows
    /// Mean difference of the pictures at `offset` and at the offset of the part before (0 for the first part), in
    /// 8-bit levels. Both are 0 in a part without a finding.
    double difference = 0;
    double difference_before = 0;
};

/// Finds at which offset the distorted video fits the reference, and where the offset changes. The result has at least
/// one part. A part has another offset than the one before only if the pictures leave no doubt: see alignment.cpp. For
/// videos that are aligned, that hardly move, whose errors are larger than their motion, or that have less than 8
/// frames, the result is one part with offset 0. Offsets are less than the reach of `costs`.
[[nodiscard]] std::vector<AlignedPart> find_alignment(const OffsetCosts &costs);

/// Whether all frames fit at offset 0.
[[nodiscard]] bool is_aligned(const std::vector<AlignedPart> &parts);

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

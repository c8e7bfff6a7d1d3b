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
    std::size_t first_frame = 0; ///< of the fixed video: the reference unless MovingSide says otherwise
    int offset = 0;              ///< frame n of the fixed video shows what frame n + offset of the moving one shows
    /// Mean difference of the pictures at `offset` and at the offset of the part before (0 for the first part), in
    /// 8-bit levels. Both are 0 in a part without a finding.
    double difference = 0;
    double difference_before = 0;
};

/// Which video moves in OffsetCosts.
struct MovingSide {
    bool reference = false;     ///< else the distorted video
    double distorted_frame = 1; ///< duration of a frame of the distorted video, in frames of the moving one
};

/// Finds at which offset the distorted video fits the reference, and where the offset changes. The result has at least
/// one part. A part has another offset than the one before only if the pictures leave no doubt: see alignment.cpp. For
/// videos that are aligned, that hardly move, whose errors are larger than their motion, or that have less than 8
/// frames, the result is one part with offset 0. Offsets are less than the reach of `costs`.
[[nodiscard]] std::vector<AlignedPart> find_alignment(const OffsetCosts &costs, const MovingSide &side = {});

/// Whether all frames fit at offset 0.
[[nodiscard]] bool is_aligned(const std::vector<AlignedPart> &parts);

} // namespace isovmaf

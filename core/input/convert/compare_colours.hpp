// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "input/source_info.hpp"

namespace isovmaf {

/// What a finding about two videos means for their score.
enum class FindingKind : std::uint8_t {
    error,       ///< the samples cannot be compared as they are
    warning,     ///< the score may mislead
    note,        ///< worth knowing; for the report
    range_doubt, ///< one side says full range, the other nothing: a warning unless the pictures tell, see RangeFit
};

struct Finding {
    FindingKind kind = FindingKind::note;
    std::string sentence; ///< names both videos, and what to do unless it is a note
};

/// Compares what two files say about their colours and the shape of their samples: the table of rules is in
/// compare_colours.cpp. `predicts` says that a model predicts a score: models are trained on SDR video.
///
/// Samples of videos of different size have no common shape, unless `scaled` says that one will be scaled to the
/// other's size; then the shapes are compared that the samples will have.
[[nodiscard]] std::vector<Finding> compare_colours(const SourceInfo &reference, const SourceInfo &distorted,
                                                   bool scaled, bool predicts);

} // namespace isovmaf

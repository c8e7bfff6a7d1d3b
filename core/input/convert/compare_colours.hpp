// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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

/// What happens to videos whose colours or shapes differ.
enum class ColourPolicy : std::uint8_t {
    refuse, ///< what makes a score wrong is an error, what may mislead a warning
    warn,   ///< both are warnings
    accept, ///< both are notes in the report
};

/// What an error, a warning or a note is under a policy. `strict` turns warnings into errors, but not what the policy
/// made a warning or accepts.
[[nodiscard]] FindingKind settled_kind(FindingKind kind, ColourPolicy policy, bool strict);

/// Compares what two files say about their colours and the shape of their samples: the table of rules is in
/// compare_colours.cpp. `predicts` says that a model predicts a score: models are trained on SDR video.
///
/// Samples of videos of different size have no common shape, unless `scaled` says that one will be scaled to the
/// other's size; then the shapes are compared that the samples will have.
[[nodiscard]] std::vector<Finding> compare_colours(const SourceInfo &reference, const SourceInfo &distorted,
                                                   bool scaled, bool predicts);

/// A video at one of its frames.
struct VideoAtFrame {
    const SourceInfo &info; ///< what the video began with
    ColourChangeHandle change = {};
    std::int64_t frame = 0; ///< in its file, from 0
};

struct ChangeFinding {
    FindingKind kind = FindingKind::note;
    std::string sentence;
    std::string about; ///< "transfer of distorted": the field, and the side that changed
};

/// Compares the two frames of a pair as compare_colours compares the beginnings, in the fields that have changed since
/// then, from one stated value to another, and that the other video has not changed likewise. Interlacing is not
/// compared.
[[nodiscard]] std::vector<ChangeFinding> compare_changes(const VideoAtFrame &reference, const VideoAtFrame &distorted,
                                                         bool scaled, bool predicts);

/// "distorted b.mp4 is interlaced (top field first), and ...": what pictures of two fields mean. `side` is "reference"
/// or "distorted".
[[nodiscard]] std::string interlaced_text(std::string_view side, const SourceInfo &video, std::string_view field_order);

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "isovmaf/request.hpp"

/// What releases of libvmaf mean, as a table of choices. A feature reads choices; it does not know which release they
/// are of (docs/adr/0073).
namespace isovmaf {

/// What motion blurs.
enum class MotionBlur : std::uint8_t {
    difference,   ///< the difference of two pictures: libvmaf 3.2 (features.md §2.1)
    each_picture, ///< both pictures, with other edges and 16 bits: libvmaf 3.0 and 3.1 (§2.4)
};

/// What motion reports.
enum class MotionScores : std::uint8_t {
    up_to_motion3,      ///< motion_sad, motion2 and motion3, which all options act on: libvmaf 3.2 (§2.1 to §2.3)
    motion_and_motion2, ///< divided in f32; force_zero and debug are the only options: libvmaf 3.0 and 3.1 (§2.4)
};

/// How ADM's scales 1 to 3 round what a pixel hides in a masking threshold.
enum class AdmShareRounding : std::uint8_t {
    minus_half, ///< half a unit is taken away, so that nothing hides -1: libvmaf up to 3.2 (features.md §4.5)
    half,       ///< half a unit is added, as upstream's pull request 1494 proposes: no release so far
};

/// What a release means, choice by choice.
struct SemanticsChoices {
    MotionBlur motion_blur = MotionBlur::difference;
    MotionScores motion_scores = MotionScores::up_to_motion3;
    AdmShareRounding adm_share_rounding = AdmShareRounding::minus_half;
};

struct SemanticsRow {
    std::string_view name;    ///< "libvmaf-3.2": of --compat, and in words files
    std::string_view release; ///< "libvmaf 3.2": in sentences
    std::string_view title;   ///< "libvmaf 3.2.0, plain C path": in reports
    std::string_view meaning; ///< for the help: what sets the row apart
    SemanticsChoices choices;
};

/// Every row that users may ask for, the default first.
[[nodiscard]] std::span<const Semantics> all_semantics();
[[nodiscard]] std::optional<Semantics> find_semantics(std::string_view name);

} // namespace isovmaf

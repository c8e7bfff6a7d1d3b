// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <map>
#include <string>
#include <vector>

#include "content/patterns.hpp"
#include "features/feature.hpp"

namespace isovmaf::testing {

/// Scores of one option set by stored name, one per frame; aggregates by name.
struct FeatureScores {
    std::map<std::string, std::vector<double>> frames;
    std::map<std::string, double> aggregates;
};

/// Runs a feature over whole clips without an engine: every option set on one shared extraction. Fails the current
/// GoogleTest test when the options or the format are refused.
std::vector<FeatureScores> run_feature(std::string_view feature, const std::vector<OptionTexts> &option_sets,
                                       const std::vector<FramePair> &clip,
                                       Semantics semantics = Semantics::libvmaf_3_2);

/// The plan of a feature for option sets as texts. Throws Failure when one of them is refused.
FeaturePlan plan_feature(std::string_view feature, const std::vector<OptionTexts> &option_sets,
                         const PlanContext &context);

/// The first `frames` pictures of GeneratedClip.
std::vector<FramePair> generated_clip(const VideoFormat &format, int frames);

} // namespace isovmaf::testing

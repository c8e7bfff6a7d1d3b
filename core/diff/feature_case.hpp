// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diff/feature_path.hpp"
#include "diff/pictures.hpp"
#include "diff/result.hpp"
#include "features/feature.hpp"

namespace isovmaf::diff {

/// One feature on one frame: all that it takes to compute its sums.
struct FeatureCase {
    const FeatureDescriptor *feature = nullptr;
    std::vector<OptionSet> option_sets;
    Semantics semantics = Semantics::libvmaf_3_2;
    std::vector<FramePair> frames; ///< the frame is the last one; before it those that the feature looks back on

    [[nodiscard]] const VideoFormat &format() const { return frames.back().reference.format(); }
};

/// The case on fewer pixels and bits.
[[nodiscard]] FeatureCase reduce(FeatureCase whole, const Reduction &reduction);

/// Whether the path computes the feature by its definition. Throws Failure when the case has no meaning.
[[nodiscard]] bool is_definition(const FeatureCase &c, const FeaturePath &path);

/// Whether the path gives other words than the definition. Fails when the case has no meaning, as below a feature's
/// smallest size, or the path cannot run.
[[nodiscard]] Result<bool> words_differ(const FeatureCase &c, FeaturePath &path);

/// What a run with taps shows.
struct StageReport {
    std::vector<std::string> equal; ///< stages before the first that differs, or all
    std::optional<StageFault> fault;
};

/// Compares the pictures as the path sees them, then all stages, then the words, with the definition's. Throws Failure.
[[nodiscard]] StageReport compare_stages(const FeatureCase &c, FeaturePath &path);

/// The requests for which a session computes the same option sets.
[[nodiscard]] std::vector<FeatureRequest> feature_requests(const FeatureCase &c);

/// "--feature vif:vif_skip_scale0=true --feature vif", with what differs from the defaults.
[[nodiscard]] std::string feature_options(const FeatureCase &c);

} // namespace isovmaf::diff

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
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

/// Whether the feature's sums on the device have other bits than the reference's. Fails when the case has no meaning,
/// as below a feature's smallest size, or the device refuses.
[[nodiscard]] Result<bool> words_differ(const FeatureCase &c, const Device &device);

/// What a run with taps shows.
struct StageReport {
    std::vector<std::string> equal; ///< stages before the first that differs, or all
    std::optional<StageFault> fault;
};

/// Compares the pictures as the device has them, then all stages, then the sums, with the reference's. Throws Failure.
[[nodiscard]] StageReport compare_stages(const FeatureCase &c, const Device &device);

/// What asks a session for the same option sets.
[[nodiscard]] std::vector<FeatureRequest> feature_requests(const FeatureCase &c);

/// "--feature vif:vif_skip_scale0=true --feature vif", with what differs from the defaults.
[[nodiscard]] std::string feature_options(const FeatureCase &c);

} // namespace isovmaf::diff

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "diff/pictures.hpp"
#include "diff/result.hpp"
#include "diff/side.hpp"
#include "features/feature.hpp"

namespace isovmaf::diff {

/// A plane as a path's code sees it.
struct SeenPlane {
    bool distorted = false;
    int plane = 0;
    std::vector<std::int64_t> samples;
};

/// Samples of a plane, row after row without gaps.
[[nodiscard]] std::vector<std::int64_t> samples(const Plane &plane, const VideoFormat &format);

/// What a run with taps shows.
struct TappedRun {
    std::vector<std::int64_t> words;
    StageMemory stages;
    std::vector<SeenPlane> pictures = {}; ///< copies on a device; none where the path reads the given frames themselves
};

/// A way to compute features that is compared with their definitions, one feature and frame at a time: the kernels of a
/// device, or the CPU paths.
class FeaturePath {
  public:
    virtual ~FeaturePath() = default;

    /// "the kernels"
    [[nodiscard]] virtual std::string_view name() const = 0;

    /// Whether the path computes the feature by its definition: then there is nothing to compare.
    [[nodiscard]] virtual bool is_definition(const FeaturePlan &plan) const = 0;

    /// What the plans of its features are made for.
    [[nodiscard]] virtual CpuLevel cpu_level() const { return newest_cpu_level(); }

    [[nodiscard]] virtual Result<std::vector<std::int64_t>> words(const FeaturePlan &plan,
                                                                  const PictureWindow &inputs) = 0;
    [[nodiscard]] virtual Result<TappedRun> tapped(const FeaturePlan &plan, const PictureWindow &inputs) = 0;
};

/// The path that a side's sessions take. Opens the side's device, searching `folders` for plugins.
[[nodiscard]] Result<std::unique_ptr<FeaturePath>> open_path(const Side &side, const std::vector<std::string> &folders);

/// The kernels of one device.
[[nodiscard]] std::unique_ptr<FeaturePath> device_path(Device device);

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

/// Whether the path computes the feature by its definition. Fails when the case has no meaning.
[[nodiscard]] Result<bool> is_definition(const FeatureCase &c, const FeaturePath &path);

/// Whether the path gives other words than the definition. Fails when the case has no meaning, as below a feature's
/// smallest size, or the path cannot run.
[[nodiscard]] Result<bool> words_differ(const FeatureCase &c, FeaturePath &path);

/// What a run with taps shows.
struct StageReport {
    std::vector<std::string> equal; ///< stages before the first that differs, or all
    std::optional<StageFault> fault;
};

/// Compares the pictures as the path sees them, then all stages, then the words, with the definition's.
[[nodiscard]] Result<StageReport> compare_stages(const FeatureCase &c, FeaturePath &path);

/// The requests for which a session computes the same option sets.
[[nodiscard]] std::vector<FeatureRequest> feature_requests(const FeatureCase &c);

/// "--feature vif:vif_skip_scale0=true --feature vif", with what differs from the defaults.
[[nodiscard]] std::string feature_options(const FeatureCase &c);

} // namespace isovmaf::diff

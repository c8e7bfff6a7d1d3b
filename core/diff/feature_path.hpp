// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
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
/// device, or the CPU paths. Functions that run it throw Failure.
class FeaturePath {
  public:
    virtual ~FeaturePath() = default;

    /// "the kernels"
    [[nodiscard]] virtual std::string_view name() const = 0;

    /// Whether the path computes the feature by its definition: then there is nothing to compare.
    [[nodiscard]] virtual bool is_definition(const FeaturePlan &plan) const = 0;

    /// What the plans of its features are made for.
    [[nodiscard]] virtual CpuLevel cpu_level() const { return newest_cpu_level(); }

    [[nodiscard]] virtual std::vector<std::int64_t> words(const FeaturePlan &plan, const FrameInputs &inputs) = 0;
    [[nodiscard]] virtual TappedRun tapped(const FeaturePlan &plan, const FrameInputs &inputs) = 0;
};

/// The path that a side's sessions take. Opens the side's device, searching `folders` for plugins. Throws Failure.
[[nodiscard]] std::unique_ptr<FeaturePath> open_path(const Side &side, const std::vector<std::string> &folders);

/// The kernels of one device.
[[nodiscard]] std::unique_ptr<FeaturePath> device_path(Device device);

} // namespace isovmaf::diff

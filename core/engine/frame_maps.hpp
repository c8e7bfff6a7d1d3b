// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/workspace.hpp"
#include "engine/plan/feature_set.hpp"
#include "isovmaf/frame.hpp"
#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// One map of a frame: values as shares of the largest one that its file can hold (StageMap).
struct MapShares {
    int width = 0, height = 0;
    std::vector<float> shares = {}; ///< row by row, 0 or more
};

/// Makes the maps of single frames on the CPU, beside a session and not in files. Used by one thread at a time.
class FrameMaps {
  public:
    /// For the first feature of `options` that has maps and reads no earlier frames; null: there is none.
    [[nodiscard]] static Result<std::unique_ptr<FrameMaps>> create(const VideoFormat &format,
                                                                   const ScoringOptions &options);

    [[nodiscard]] std::string_view feature() const { return planned_.feature->name; }

    /// The maps of a pair in host memory, of the format, in the order of FeatureVariant::maps.
    [[nodiscard]] std::vector<MapShares> extract(const FramePair &pair);

  private:
    FrameMaps(PlannedFeature planned, std::vector<StageMap> maps)
        : planned_(std::move(planned)), maps_(std::move(maps)) {}

    PlannedFeature planned_;
    std::vector<StageMap> maps_;
    Workspace workspace_;
};

} // namespace isovmaf

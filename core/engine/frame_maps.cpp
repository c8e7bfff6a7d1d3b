// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/frame_maps.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"
#include "features/frame_window.hpp"

namespace isovmaf {

Result<std::unique_ptr<FrameMaps>> FrameMaps::create(const VideoFormat &format, const ScoringOptions &options) {
    EnginePlan plan = TRY(make_plan(TRY(load_requested(options, format.height)).features, {format, options.semantics}));
    for (PlannedFeature &planned : plan.features) {
        const auto variant = std::ranges::find_if(planned.plan.variants, [](const auto &v) { return !v.maps.empty(); });
        if (variant == planned.plan.variants.end() || planned.plan.earlier.most() > 0)
            continue;
        std::vector<StageMap> maps = variant->maps;
        return std::unique_ptr<FrameMaps>(new FrameMaps(std::move(planned), std::move(maps)));
    }
    return nullptr;
}

std::vector<MapShares> FrameMaps::extract(const FramePair &pair) {
    const FeaturePlan &plan = planned_.plan;
    std::vector<std::size_t> kept;
    std::ranges::transform(maps_, std::back_inserter(kept), &StageMap::stage);
    StageMemory memory(plan.stages, kept);
    std::vector<std::int64_t> words(plan.extracted().size());
    workspace_.reset();
    plan.cpu_code().extract(FrameWindow{.pair = pair, .earlier_reference = {}, .earlier_distorted = {}}.pictures(),
                            workspace_, words, memory.taps());
    std::vector<MapShares> out;
    for (const StageMap &map : maps_) {
        const Stage &stage = plan.stages[map.stage];
        MapShares shares{stage.width, stage.height};
        for (const std::int64_t word : memory.plane(map.stage)) // where `largest` is 0, so are all values
            shares.shares.push_back(map.largest > 0 ? static_cast<float>(f32_of(word) / map.largest) : 0);
        out.push_back(std::move(shares));
    }
    return out;
}

} // namespace isovmaf

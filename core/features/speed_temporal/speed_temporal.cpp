// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/speed_temporal/speed_temporal.hpp"

#include "features/speed/speed_options.hpp"

namespace isovmaf {

namespace {

const OptionSpec options[] = {
    speed_kernelscale_option,
    speed_prescale_option,
    speed_prescale_method_option,
    speed_sigma_nn_option,
    speed_nn_floor_option,
    {"speed_max_val", "mxv", "stands in the name, and changes no score", 1000.0, 0, 1000},
    {"speed_use_ref_diff", "urd", "take the distorted change up to the reference", false},
};

constexpr std::string_view compared_options[] = {
    "speed_use_ref_diff=true:speed_kernelscale=3",
    "speed_prescale=3:speed_prescale_method=bilinear", // small pictures have singular covariances unless enlarged
};

constexpr OutputSpec outputs[] = {{"Speed_temporal_feature_speed_temporal_score", "speed_temporal"}};

FeatureNeeds needs(const VideoFormat &format, const OptionSet &set) { return speed_needs(format, set, PlaneUse::luma); }

Result<FeaturePlan> plan(const PlanContext &context, std::span<const OptionSet> option_sets) {
    SpeedDemand demand{.format = context.format};
    std::vector<FeatureVariant> variants;
    for (const OptionSet &set : option_sets) {
        const SpeedSource distorted =
            set.flag("speed_use_ref_diff") ? SpeedSource::distorted_against_reference : SpeedSource::distorted_change;
        const std::size_t comparison =
            demand.add(SpeedSource::reference_change, distorted, speed_preparation(set), speed_scoring(set, 0));
        variants.push_back({{outputs[0]}, make_speed_temporal_finisher(comparison)});
    }
    FeaturePlan plan = speed_plan(demand, std::move(variants), context.cpu_level);
    plan.earlier = {1, 1};
    return plan;
}

} // namespace

const FeatureDescriptor speed_temporal_feature{
    .name = "speed_temporal",
    .summary = "difference of the local entropies of luma's change (SpEED)",
    .options = options,
    .outputs = outputs,
    .needs = needs,
    .temporal = true,
    .compared_options = compared_options,
    .plan = plan,
};

} // namespace isovmaf

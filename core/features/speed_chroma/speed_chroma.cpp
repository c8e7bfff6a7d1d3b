// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/speed_chroma/speed_chroma.hpp"

#include "features/speed/speed_options.hpp"

namespace isovmaf {

namespace {

const OptionSpec options[] = {
    speed_kernelscale_option,
    speed_prescale_option,
    speed_prescale_method_option,
    speed_sigma_nn_option,
    speed_nn_floor_option,
    {"speed_max_val", "mxv", "largest score reported", 1000.0, 0, 1000},
    {"speed_weight_var_mode", "wvm", "which variances weight the entropies, from 0 to 6", 0, 0, 6},
};

constexpr std::string_view compared_options[] = {
    "speed_kernelscale=2:speed_sigma_nn=0.19:speed_nn_floor=0.1:speed_weight_var_mode=5",
    "speed_prescale=0.6:speed_prescale_method=bilinear:speed_kernelscale=0.5",
    "speed_prescale=3:speed_prescale_method=bicubic", // small pictures have singular covariances unless enlarged
};

constexpr NamedOptions golden_options[] = {
    {"speed_chroma_v1", "speed_sigma_nn=0.19:speed_nn_floor=0.1:speed_max_val=45:speed_weight_var_mode=5"}};

constexpr OutputSpec outputs[] = {
    {"Speed_chroma_feature_speed_chroma_u_score", "speed_chroma_u"},
    {"Speed_chroma_feature_speed_chroma_v_score", "speed_chroma_v"},
    {"Speed_chroma_feature_speed_chroma_uv_score", "speed_chroma_uv"},
};

FeatureNeeds needs(const VideoFormat &format, const OptionSet &set) {
    return speed_needs(format, set, PlaneUse::chroma);
}

Result<FeaturePlan> plan(const PlanContext &context, std::span<const OptionSet> option_sets) {
    SpeedDemand demand{.format = context.format};
    std::vector<FeatureVariant> variants;
    for (const OptionSet &set : option_sets) {
        const SpeedPreparation preparation = speed_preparation(set);
        const SpeedScoring scoring = speed_scoring(set, set.integer("speed_weight_var_mode"));
        const SpeedChromaComparisons comparisons{
            .u = demand.add(SpeedSource::reference_cb, SpeedSource::distorted_cb, preparation, scoring),
            .v = demand.add(SpeedSource::reference_cr, SpeedSource::distorted_cr, preparation, scoring)};
        variants.push_back({{std::begin(outputs), std::end(outputs)}, make_speed_chroma_finisher(set, comparisons)});
    }
    return speed_plan(demand, std::move(variants), context.cpu_level);
}

} // namespace

const FeatureDescriptor speed_chroma_feature{
    .name = "speed_chroma",
    .summary = "difference of the local entropies of chroma (SpEED)",
    .options = options,
    .outputs = outputs,
    .needs = needs,
    .compared_options = compared_options,
    .golden_options = golden_options,
    .plan = plan,
};

} // namespace isovmaf

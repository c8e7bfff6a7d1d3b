// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/ciede/ciede.hpp"

namespace isovmaf {

namespace {

constexpr OutputSpec outputs[] = {{"ciede2000", ""}};

constexpr NamedOptions golden_options[] = {{"ciede", ""}};

FeatureNeeds ciede_needs(const VideoFormat &format, const OptionSet &) {
    return {.width = 1 << format.chroma_shift_x(),
            .height = 1 << format.chroma_shift_y(),
            .depths = BitDepths::of({8, 10, 12, 16}),
            .chroma = true,
            .planes = PlaneUse::all};
}

Result<FeaturePlan> plan(const PlanContext &context, std::span<const OptionSet> option_sets) {
    FeaturePlan plan;
    plan.definition = make_ciede_reference(context.format);
    plan.cpu = make_ciede_cpu(context.format, context.cpu_level);
    plan.words = {{"sum of the colour differences", WordKind::f64, SumOrder::raster}};
    for (const char *name : {"lightness of the reference", "a of the reference", "b of the reference",
                             "lightness of the distorted picture", "a of the distorted picture",
                             "b of the distorted picture", "colour differences"})
        plan.stages.push_back(
            {.name = name, .width = context.format.width, .height = context.format.height, .kind = WordKind::f32});
    for (std::size_t i = 0; i < option_sets.size(); i++)
        plan.variants.push_back({{outputs[0]}, make_ciede_finisher(context.format)});
    return plan;
}

} // namespace

const FeatureDescriptor ciede_feature{
    .name = "ciede",
    .summary = "colour difference CIEDE2000",
    .options = {},
    .outputs = outputs,
    .needs = ciede_needs,
    .golden_options = golden_options,
    .plan = plan,
};

} // namespace isovmaf

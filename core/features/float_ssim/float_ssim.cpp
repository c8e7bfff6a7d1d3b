// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/float_ssim/float_ssim.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace isovmaf {

namespace {

const OptionSpec options[] = {
    {"enable_lcs", "", "report luminance, contrast and structure too", false, 0, 0, Naming::plain},
    {"enable_db", "", "report -10 log10(1 - score)", false, 0, 0, Naming::plain},
    {"clip_db", "", "with enable_db, cap the score at what a half squared error per picture would give", false, 0, 0,
     Naming::plain},
    {"scale", "", "reduce pictures by this factor; 0 chooses one for the size of the video", 0, 0, SSIM_MOST_REDUCTION,
     Naming::plain},
};

constexpr std::string_view compared_options[] = {"scale=1:enable_lcs=true", "scale=2", "scale=3:enable_db=true"};

constexpr NamedOptions golden_options[] = {{"float_ssim", ""}};

constexpr OutputSpec outputs[] = {{"float_ssim", ""}, {"float_ssim_l", ""}, {"float_ssim_c", ""}, {"float_ssim_s", ""}};

FeatureNeeds float_ssim_needs(const VideoFormat &format, const OptionSet &set) {
    FeatureNeeds needs{.width = SSIM_TAP_COUNT, .height = SSIM_TAP_COUNT, .depths = BitDepths::of({8, 10, 12, 16})};
    const int factor = set.integer("scale");
    if (factor <= 1)
        return needs;
    needs.width = needs.height = (SSIM_TAP_COUNT - 1) * factor + 1; // an odd side has one sample more
    needs.advice = "use a smaller scale";
    const auto is_too_small = [&](int side) {
        return side >= needs.width && ssim_reduced_side(side, factor) < SSIM_TAP_COUNT;
    };
    if (is_too_small(format.width) || is_too_small(format.height))
        needs.refusal = fmt::format("{}x{} reduced by {} is less than {} samples a side: use a smaller scale",
                                    format.width, format.height, factor, SSIM_TAP_COUNT);
    return needs;
}

Result<FeaturePlan> plan(const PlanContext &context, std::span<const OptionSet> option_sets) {
    const VideoFormat &format = context.format;
    const int factor = ssim_factor(format, option_sets.front());
    FeaturePlan plan;
    for (const OptionSet &set : option_sets) {
        if (ssim_factor(format, set) != factor)
            return fail(ErrorCode::invalid_argument, "feature float_ssim was asked for with two values of \"scale\", "
                                                     "and both scores have one name: ask for one of them");
        plan.variants.push_back({{outputs, outputs + (set.flag("enable_lcs") ? std::size(outputs) : 1)},
                                 make_float_ssim_finisher(format, set)});
    }
    plan.definition = make_float_ssim_reference(format, factor);
    plan.cpu = make_float_ssim_cpu(format, factor, context.cpu_level);
    plan.gpu = make_float_ssim_gpu(format, factor);
    for (const char *const name : {"mean of l c s", "mean of l", "mean of c", "mean of s"})
        plan.words.push_back({name, WordKind::f32, SumOrder::raster});
    add_ssim_stages("", ssim_reduced_side(format.width, factor), ssim_reduced_side(format.height, factor), plan.stages);
    return plan;
}

} // namespace

int ssim_factor(const VideoFormat &format, const OptionSet &set) {
    const int scale = set.integer("scale");
    return scale > 0 ? scale : ssim_reduction(std::min(format.width, format.height));
}

const FeatureDescriptor float_ssim_feature{
    .name = "float_ssim",
    .summary = "structural similarity of luma",
    .options = options,
    .outputs = outputs,
    .needs = float_ssim_needs,
    .compared_options = compared_options,
    .fallback_options = "scale=1",
    .golden_options = golden_options,
    .plan = plan,
};

} // namespace isovmaf

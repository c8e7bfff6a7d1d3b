// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/float_ms_ssim/float_ms_ssim.hpp"

#include <fmt/format.h>

namespace isovmaf {

namespace {

const OptionSpec options[] = {
    {"enable_lcs", "", "report luminance, contrast and structure of each scale too", false, 0, 0, Naming::plain},
    {"enable_db", "", "report -10 log10(1 - score)", false, 0, 0, Naming::plain},
    {"clip_db", "", "with enable_db, cap the score at what a half squared error per picture would give", false, 0, 0,
     Naming::plain},
};

constexpr std::string_view compared_options[] = {"enable_lcs=true:enable_db=true:clip_db=true"};

constexpr NamedOptions golden_options[] = {{"float_ms_ssim", ""}};

constexpr OutputSpec outputs[] = {
    {"float_ms_ssim", ""},
    // from here on with enable_lcs alone
    {"float_ms_ssim_l_scale0", ""},
    {"float_ms_ssim_l_scale1", ""},
    {"float_ms_ssim_l_scale2", ""},
    {"float_ms_ssim_l_scale3", ""},
    {"float_ms_ssim_l_scale4", ""},
    {"float_ms_ssim_c_scale0", ""},
    {"float_ms_ssim_c_scale1", ""},
    {"float_ms_ssim_c_scale2", ""},
    {"float_ms_ssim_c_scale3", ""},
    {"float_ms_ssim_c_scale4", ""},
    {"float_ms_ssim_s_scale0", ""},
    {"float_ms_ssim_s_scale1", ""},
    {"float_ms_ssim_s_scale2", ""},
    {"float_ms_ssim_s_scale3", ""},
    {"float_ms_ssim_s_scale4", ""},
};

FeatureNeeds float_ms_ssim_needs(const VideoFormat &, const OptionSet &) {
    return {.width = MS_SSIM_SMALLEST_SIDE, .height = MS_SSIM_SMALLEST_SIDE, .depths = BitDepths::of({8, 10, 12, 16})};
}

Result<FeaturePlan> plan(const PlanContext &context, std::span<const OptionSet> option_sets) {
    FeaturePlan plan;
    for (const OptionSet &set : option_sets)
        plan.variants.push_back({{outputs, outputs + (set.flag("enable_lcs") ? std::size(outputs) : 1)},
                                 make_float_ms_ssim_finisher(context.format, set)});
    plan.definition = make_float_ms_ssim_reference(context.format);
    plan.cpu = make_float_ms_ssim_cpu(context.format, context.cpu_level);
    plan.gpu = make_float_ms_ssim_gpu(context.format);
    int scale = 0;
    for (const auto &[width, height] : ms_ssim_sizes(context.format)) {
        const std::string prefix = fmt::format("scale {}: ", scale++);
        for (const char *const name : {"mean of l", "mean of c", "mean of s"})
            plan.words.push_back({prefix + name, WordKind::f32, SumOrder::raster});
        add_ssim_stages(prefix, width, height, plan.stages);
    }
    return plan;
}

} // namespace

void put_ms_ssim_means(const SsimMeans &means, int scale, Words words) {
    const Words at = words.subspan(static_cast<std::size_t>(scale) * ms_ssim_words_per_scale);
    at[ms_ssim_word_l] = word_of(means.l);
    at[ms_ssim_word_c] = word_of(means.c);
    at[ms_ssim_word_s] = word_of(means.s);
}

std::array<SsimSize, MS_SSIM_SCALE_COUNT> ms_ssim_sizes(const VideoFormat &format) {
    std::array<SsimSize, MS_SSIM_SCALE_COUNT> sizes{{{format.width, format.height}}};
    for (std::size_t scale = 1; scale < sizes.size(); scale++)
        sizes[scale] = {ssim_reduced_side(sizes[scale - 1].width, 2), ssim_reduced_side(sizes[scale - 1].height, 2)};
    return sizes;
}

const FeatureDescriptor float_ms_ssim_feature{
    .name = "float_ms_ssim",
    .summary = "structural similarity of luma at five scales",
    .options = options,
    .outputs = outputs,
    .needs = float_ms_ssim_needs,
    .compared_options = compared_options,
    .golden_options = golden_options,
    .plan = plan,
};

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/psnr_hvs/psnr_hvs.hpp"

#include <fmt/format.h>

namespace isovmaf {

namespace {

constexpr NamedOptions golden_options[] = {{"psnr_hvs", ""}};

constexpr OutputSpec outputs[] = {{"psnr_hvs_y", ""}, {"psnr_hvs_cb", ""}, {"psnr_hvs_cr", ""}, {"psnr_hvs", ""}};

/// Each plane has at least one block.
FeatureNeeds psnr_hvs_needs(const VideoFormat &format, const OptionSet &) {
    return {.width = PSNR_HVS_BLOCK << format.chroma_shift_x(),
            .height = PSNR_HVS_BLOCK << format.chroma_shift_y(),
            .depths = BitDepths::up_to(PSNR_HVS_MOST_BITS),
            .chroma = true,
            .planes = PlaneUse::all};
}

/// Of a plane, with the numbers that PsnrHvsStages has.
void add_stages(const VideoFormat &format, int plane, std::vector<Stage> &stages) {
    const int width = psnr_hvs_blocks(format.plane_width(plane)), height = psnr_hvs_blocks(format.plane_height(plane));
    const auto add = [&](std::string_view what, int block, WordKind kind) {
        stages.push_back({fmt::format("{} of {}", what, plane_name(plane)), block * width, block * height, block, block,
                          0, 0, kind});
    };
    add("reference coefficients", PSNR_HVS_BLOCK, WordKind::i64);
    add("distorted coefficients", PSNR_HVS_BLOCK, WordKind::i64);
    add("masking strengths", 1, WordKind::f32);
    add("weighted errors", PSNR_HVS_BLOCK, WordKind::f32);
}

Result<FeaturePlan> plan(const PlanContext &context, std::span<const OptionSet> option_sets) {
    FeaturePlan plan;
    plan.definition = make_psnr_hvs_reference(context.format);
    plan.cpu = make_psnr_hvs_cpu(context.format, context.cpu_level);
    plan.gpu = make_psnr_hvs_gpu(context.format);
    for (int p = 0; p < psnr_hvs_planes; p++) {
        plan.words.push_back({fmt::format("weighted errors of {}", plane_name(p)), WordKind::f32, SumOrder::blocks});
        add_stages(context.format, p, plan.stages);
    }
    for (std::size_t i = 0; i < option_sets.size(); i++)
        plan.variants.push_back({{std::begin(outputs), std::end(outputs)}, make_psnr_hvs_finisher(context.format)});
    return plan;
}

} // namespace

const FeatureDescriptor psnr_hvs_feature{
    .name = "psnr_hvs",
    .summary = "PSNR of the differences that the eye sees, in luma and chroma",
    .options = {},
    .outputs = outputs,
    .needs = psnr_hvs_needs,
    .golden_options = golden_options,
    .plan = plan,
};

} // namespace isovmaf

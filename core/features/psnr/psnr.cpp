// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/psnr/psnr.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/try.hpp"
#include "features/psnr/psnr_params.h"

namespace isovmaf {

namespace {

const OptionSpec options[] = {
    {"enable_chroma", "", "compare Cb and Cr too", true, 0, 0, Naming::plain},
    {"enable_mse", "", "report the mean squared errors too", false, 0, 0, Naming::plain},
    {"enable_apsnr", "", "report the PSNR of the whole video too", false, 0, 0, Naming::plain},
    {"reduced_hbd_peak", "", "above 8 bit, take 255 scaled up for the peak", false, 0, 0, Naming::plain},
    {"min_sse", "", "squared error of a plane that sets the largest PSNR; 0 for the default", 0.0, 0,
     std::numeric_limits<float>::max(), Naming::plain},
};

constexpr std::string_view compared_options[] = {"enable_mse=true:enable_apsnr=true"};

constexpr NamedOptions golden_options[] = {{"psnr", ""}};

constexpr OutputSpec outputs[] = {
    {"psnr_y", ""}, {"mse_y", ""}, {"psnr_cb", ""}, {"mse_cb", ""}, {"psnr_cr", ""}, {"mse_cr", ""},
};

FeatureNeeds psnr_needs(const VideoFormat &format, const OptionSet &set) {
    FeatureNeeds needs{.depths = BitDepths::of({8, 10, 12, 16})};
    if (psnr_plane_count(format, set) > 1)
        need_all_planes(needs, format);
    return needs;
}

Result<FeaturePlan> plan(const PlanContext &context, std::span<const OptionSet> option_sets) {
    int plane_count = 1;
    FeaturePlan plan;
    for (const OptionSet &set : option_sets) {
        plane_count = std::max(plane_count, psnr_plane_count(context.format, set));
        plan.variants.push_back({psnr_outputs(context.format, set),
                                 make_psnr_finisher(context.format, set),
                                 {},
                                 psnr_aggregates(context.format, set)});
    }
    plan.definition = make_psnr_reference(context.format, plane_count);
    plan.cpu = make_psnr_cpu(context.format, plane_count, context.cpu_level);
    plan.gpu = make_psnr_gpu(context.format, plane_count);
    for (int p = 0; p < plane_count; p++) {
        plan.words.push_back({fmt::format("squared error of {}", plane_name(p))});
        plan.stages.push_back({fmt::format("squared errors of {}", plane_name(p)), context.format.plane_width(p),
                               context.format.plane_height(p),
                               PSNR_TILE_CHUNKS * PSNR_CHUNK_BYTES / context.format.bytes_per_sample(),
                               PSNR_TILE_HEIGHT});
    }
    return plan;
}

} // namespace

int psnr_plane_count(const VideoFormat &format, const OptionSet &set) {
    return set.flag("enable_chroma") ? format.plane_count() : 1;
}

std::vector<OutputSpec> psnr_outputs(const VideoFormat &format, const OptionSet &set) {
    std::vector<OutputSpec> used;
    for (int p = 0; p < psnr_plane_count(format, set); p++) {
        const OutputSpec *const plane = &outputs[2 * p];
        used.push_back(plane[0]);
        if (set.flag("enable_mse"))
            used.push_back(plane[1]);
    }
    return used;
}

const FeatureDescriptor psnr_feature{
    .name = "psnr",
    .summary = "peak signal-to-noise ratio of luma and chroma",
    .options = options,
    .outputs = outputs,
    .needs = psnr_needs,
    .temporal = true, // the whole-video score counts every frame
    .on_pushing_thread = true,
    .compared_options = compared_options,
    .fallback_options = "enable_chroma=false",
    .golden_options = golden_options,
    .plan = plan,
};

} // namespace isovmaf

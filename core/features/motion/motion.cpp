// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/motion/motion.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/try.hpp"
#include "features/motion/motion_params.h"

namespace isovmaf {

namespace {

const OptionSpec options[] = {
    {"motion_force_zero", "force_0", "report no motion at all", false},
    {"motion_blend_factor", "mbf", "share of the motion above the blend offset that is kept", 1.0, 0, 1},
    {"motion_blend_offset", "mbo", "motion above this is blended", 40.0, 0, 1000},
    {"motion_fps_weight", "mfw", "factor for frame rates other than the model's", 1.0, 0, 5},
    {"motion_max_val", "mmxv", "largest motion reported", 10000.0, 0, 10000},
    {"motion_five_frame_window", "mffw", "compare with the frame before the previous one", false},
    {"motion_moving_average", "mma", "average motion3 with the previous frame's", false},
    {"debug", "", "report the unprocessed motion too", false, 0, 0, Naming::plain},
};

constexpr std::string_view compared_options[] = {"motion_five_frame_window=true"};

constexpr NamedOptions golden_options[] = {
    {"motion", ""},
    {"motion_hfr", "motion_five_frame_window=true:motion_moving_average=true"},
    {"motion_legacy_v3.0.0", "", &Semantics::libvmaf_3_0},
};

constexpr OutputSpec motion_sad{"VMAF_integer_feature_motion_sad_score", ""};
constexpr OutputSpec motion_plain{"VMAF_integer_feature_motion_score", "integer_motion"};
constexpr OutputSpec motion2{"VMAF_integer_feature_motion2_score", "integer_motion2", true};
constexpr OutputSpec motion3{"VMAF_integer_feature_motion3_score", "integer_motion3", true};

constexpr OutputSpec outputs[] = {motion_sad, motion_plain, motion2, motion3};

/// The options of MotionScores::motion_and_motion2 are motion_force_zero and debug.
Result<void> check_legacy_options(const OptionSet &set, std::string_view release) {
    for (std::size_t i = 0; i < set.specs().size(); i++) {
        const std::string_view name = set.specs()[i].name;
        if (!set.is_default(i) && name != "motion_force_zero" && name != "debug")
            return fail(ErrorCode::unsupported,
                        fmt::format("option {} of feature motion does not exist in {}: leave it out, or leave out "
                                    "--compat",
                                    name, release));
    }
    return {};
}

// Names of the differences, for words and stages.
constexpr const char *one_back_name = "difference to the frame before";
constexpr const char *two_back_name = "difference to the second frame before";
constexpr const char *each_blurred = " (libvmaf 3.0)"; ///< behind a name: of MotionBlur::each_picture

void describe(const VideoFormat &format, std::string difference, const MotionStages &which,
              std::vector<Stage> &stages) {
    if (which.layers == 2)
        difference += each_blurred;
    for (const char *blur : {"blurred columns", "blurred"})
        for (int layer = 0; layer < which.layers; layer++)
            stages.push_back({fmt::format("{}: {}{}", difference, blur,
                                          which.layers == 1 ? ""
                                          : layer == 0      ? " of the earlier picture"
                                                            : " of the picture"),
                              format.width, format.height, MOTION_TILE_WIDTH, MOTION_TILE_HEIGHT});
    stages.push_back({fmt::format("{}: row sums", difference), 1, format.height, 0, MOTION_TILE_HEIGHT});
}

std::vector<Stage> describe_stages(const VideoFormat &format, const MotionDemand &demand) {
    const MotionDemandStages which = motion_stages(demand);
    std::vector<Stage> stages;
    if (demand.one_back)
        describe(format, one_back_name, which.one_back, stages);
    if (demand.two_back)
        describe(format, two_back_name, which.two_back, stages);
    return stages;
}

FeatureNeeds motion_needs(const VideoFormat &, const OptionSet &) {
    return {.width = 3, .height = 3, .sides = SideUse::reference};
}

Result<FeaturePlan> plan(const PlanContext &context, std::span<const OptionSet> option_sets) {
    const SemanticsRow &semantics = context.semantics.row();
    MotionDemand demand{.blur = semantics.choices.motion_blur};
    FeaturePlan plan;
    for (const OptionSet &set : option_sets) {
        if (semantics.choices.motion_scores == MotionScores::motion_and_motion2)
            TRY(check_legacy_options(set, semantics.release));
        if (!set.flag("motion_force_zero"))
            (set.flag("motion_five_frame_window") ? demand.two_back : demand.one_back) = true;
        plan.variants.push_back({motion_outputs(context, set), make_motion_finisher(context, set)});
    }
    plan.definition = make_motion_reference(context.format, demand);
    plan.cpu = make_motion_cpu(context.format, demand, context.cpu_level);
    plan.gpu = make_motion_gpu(context.format, demand);
    plan.words = {{one_back_name}, {two_back_name}, {std::string(one_back_name) + each_blurred}};
    plan.stages = describe_stages(context.format, demand);
    plan.earlier.reference = demand.two_back ? 2 : demand.one_back ? 1 : 0;
    return plan;
}

} // namespace

MotionDemandStages motion_stages(const MotionDemand &demand) {
    const int layers = demand.blur == MotionBlur::each_picture ? 2 : 1;
    const MotionStages one_back{0, layers};
    return {one_back, {demand.one_back ? one_back.end() : 0, layers}};
}

std::vector<OutputSpec> motion_outputs(const PlanContext &context, const OptionSet &set) {
    if (context.semantics.row().choices.motion_scores == MotionScores::motion_and_motion2)
        return {motion_plain, motion2};
    std::vector<OutputSpec> used{motion_sad, motion2, motion3};
    if (set.flag("debug"))
        used.push_back(motion_plain);
    return used;
}

const FeatureDescriptor motion_feature{
    .name = "motion",
    .summary = "change of the blurred reference luma between frames",
    .options = options,
    .outputs = outputs,
    .needs = motion_needs,
    .temporal = true,
    .compared_options = compared_options,
    .golden_options = golden_options,
    .plan = plan,
};

} // namespace isovmaf

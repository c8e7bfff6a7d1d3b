// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/vif/vif.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "features/vif/vif_params.h"

namespace isovmaf {

namespace {

const OptionSpec options[] = {
    {"vif_enhn_gain_limit", "egl", "largest gain that counts; 1 ignores enhancement (NEG)", 100.0, 1, 100},
    {"vif_skip_scale0", "ssclz", "leave out the finest scale", false},
    {"debug", "", "report numerators and denominators too", false, 0, 0, Naming::plain},
};

constexpr std::string_view compared_options[] = {"vif_enhn_gain_limit=1.5:vif_skip_scale0=true"};

constexpr NamedOptions golden_options[] = {{"vif", "debug=true"}, {"vif_neg", "vif_enhn_gain_limit=1.0"}};

constexpr OutputSpec outputs[] = {
    {"VMAF_integer_feature_vif_scale0_score", "integer_vif_scale0"},
    {"VMAF_integer_feature_vif_scale1_score", "integer_vif_scale1"},
    {"VMAF_integer_feature_vif_scale2_score", "integer_vif_scale2"},
    {"VMAF_integer_feature_vif_scale3_score", "integer_vif_scale3"},
    // from here on with debug alone
    {"integer_vif", ""},
    {"integer_vif_num", ""},
    {"integer_vif_den", ""},
    {"integer_vif_num_scale0", ""},
    {"integer_vif_den_scale0", ""},
    {"integer_vif_num_scale1", ""},
    {"integer_vif_den_scale1", ""},
    {"integer_vif_num_scale2", ""},
    {"integer_vif_den_scale2", ""},
    {"integer_vif_num_scale3", ""},
    {"integer_vif_den_scale3", ""},
};

VifDemand demand_of(std::span<const OptionSet> option_sets) {
    VifDemand demand;
    for (const OptionSet &set : option_sets) {
        const double limit = set.number("vif_enhn_gain_limit");
        if (std::ranges::find(demand.gain_limits, limit) == demand.gain_limits.end())
            demand.gain_limits.push_back(limit);
        demand.scale0 = demand.scale0 || !set.flag("vif_skip_scale0");
    }
    return demand;
}

std::vector<WordSpec> describe_words(const VifDemand &demand) {
    std::vector<WordSpec> words(demand.word_count());
    for (std::size_t scale = 0; scale < VIF_SCALE_COUNT; scale++) {
        const auto describe = [&](std::size_t sum, const std::string &what) {
            words[scale * demand.sums_per_scale() + sum].name = fmt::format("scale {}: {}", scale, what);
        };
        describe(VifDemand::den_log_sum, "denominator, logarithms");
        describe(VifDemand::num_non_sum, "numerator, pixels without logarithm");
        describe(VifDemand::den_non_sum, "denominator, pixels without logarithm");
        for (std::size_t i = 0; i < demand.gain_limits.size(); i++)
            describe(VifDemand::num_log_sums + i,
                     fmt::format("numerator, logarithms, gain limit {}", demand.gain_limits[i]));
    }
    return words;
}

std::vector<Stage> describe_stages(const VideoFormat &format, const VifDemand &demand) {
    std::vector<Stage> stages;
    const auto all = vif_stages(demand);
    for (int scale = 0; scale < VIF_SCALE_COUNT; scale++) {
        const VifStages &which = all[static_cast<std::size_t>(scale)];
        const auto describe = [&](int number, const std::string &what, int tile_width, int tile_height) {
            stages.resize(std::max(stages.size(), static_cast<std::size_t>(number) + 1));
            stages[static_cast<std::size_t>(number)] = {fmt::format("scale {}: {}", scale, what), format.width >> scale,
                                                        format.height >> scale, tile_width, tile_height};
        };
        const auto picture = [&](int number, const std::string &what) { // by the blocks of the scale before
            describe(number, what, VIF_TILE_WIDTH / 2, VIF_TILE_HEIGHT / 2);
        };
        const auto pixels = [&](int number, const std::string &what) {
            describe(number, what, VIF_TILE_WIDTH, VIF_TILE_HEIGHT);
        };
        if (scale > 0) {
            picture(which.reference, "decimated reference");
            picture(which.distorted, "decimated distorted picture");
        }
        if (!demand.counts(scale))
            continue;
        pixels(which.reference_variance, "variance of the reference");
        pixels(which.distorted_variance, "variance of the distorted picture");
        pixels(which.covariance, "covariance");
        pixels(which.den_log, "logarithm of the denominator");
        for (std::size_t i = 0; i < demand.gain_limits.size(); i++)
            pixels(which.num_log + static_cast<int>(i),
                   fmt::format("logarithm of the numerator, gain limit {}", demand.gain_limits[i]));
    }
    return stages;
}

FeatureNeeds vif_needs(const VideoFormat &, const OptionSet &) { return {.width = 16, .height = 16}; }

Result<FeaturePlan> plan(const PlanContext &context, std::span<const OptionSet> option_sets) {
    const VifDemand demand = demand_of(option_sets);
    FeaturePlan plan;
    for (const OptionSet &set : option_sets)
        plan.variants.push_back({vif_outputs(set), make_vif_finisher(demand, set)});
    plan.definition = make_vif_reference(context.format, demand);
    plan.cpu = make_vif_cpu(context.format, demand, context.cpu_level);
    plan.gpu = make_vif_gpu(context.format, demand);
    plan.words = describe_words(demand);
    plan.stages = describe_stages(context.format, demand);
    return plan;
}

} // namespace

std::size_t VifDemand::limit_index(double gain_limit) const {
    const auto found = std::ranges::find(gain_limits, gain_limit);
    assert(found != gain_limits.end());
    return static_cast<std::size_t>(found - gain_limits.begin());
}

std::array<VifStages, VIF_SCALE_COUNT> vif_stages(const VifDemand &demand) {
    std::array<VifStages, VIF_SCALE_COUNT> stages;
    int end = 0;
    for (int scale = 0; scale < VIF_SCALE_COUNT; scale++) {
        VifStages &which = stages[static_cast<std::size_t>(scale)];
        if (scale > 0) {
            which.reference = end++;
            which.distorted = end++;
        }
        if (demand.counts(scale)) {
            which.reference_variance = end++;
            which.distorted_variance = end++;
            which.covariance = end++;
            which.den_log = end++;
            which.num_log = end;
            end += static_cast<int>(demand.gain_limits.size());
        }
    }
    return stages;
}

std::vector<OutputSpec> vif_outputs(const OptionSet &set) {
    const std::size_t count = set.flag("debug") ? std::size(outputs) : VIF_SCALE_COUNT;
    return {outputs, outputs + count};
}

const FeatureDescriptor vif_feature{
    .name = "vif",
    .summary = "share of the reference luma's information that the distorted luma keeps, at four scales",
    .options = options,
    .outputs = outputs,
    .needs = vif_needs,
    .compared_options = compared_options,
    .golden_options = golden_options,
    .plan = plan,
};

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/adm/adm.hpp"

#include <algorithm>

#include "base/try.hpp"
#include "features/adm/adm_stages.hpp"
#include "features/semantics.hpp"

namespace isovmaf {

namespace {

const OptionSpec options[] = {
    {"adm_csf_scale", "scf", "factor of the sensitivities of adm_csf_mode 1, bands h and v", 1.0, 0, 50},
    {"adm_csf_diag_scale", "scfd", "factor of the sensitivities of adm_csf_mode 1, band d", 1.0, 0, 50},
    {"adm_dlm_weight", "dlmw", "weight of adm2 in adm3; the rest is aim's", 0.5, 0, 1},
    {"adm_enhn_gain_limit", "egl", "largest gain credited to enhanced detail; 1 credits none", 100.0, 1, 100},
    {"adm_norm_view_dist", "nvd", "viewing distance in picture heights", 3.0, 0.75, 24},
    {"adm_ref_display_height", "rdh", "lines of the display", 1080, 1, 4320},
    {"adm_csf_mode", "csf", "contrast sensitivity: 0 Watson, 2 and 3 Barten-Watson blends", 0, 0, 3},
    {"adm_noise_weight", "nw", "detail per sample that every picture is given", 0.03125, 0, 1500},
    {"adm_skip_scale0", "ssz", "leave out the finest scale", false},
    {"adm_min_val", "min", "smallest adm3 reported", 0.0, 0, 1},
    {"debug", "", "report numerators and denominators too", false, 0, 0, Naming::plain},
    {"adm_skip_aim", "", "do not compute aim: 0", false, 0, 0, Naming::plain},
};

constexpr std::string_view compared_options[] = {"adm_csf_mode=2:adm_norm_view_dist=5.0"};

constexpr NamedOptions golden_options[] = {
    {"adm", "debug=true"},
    {"adm_neg", "adm_enhn_gain_limit=1.0"},
    {"adm_v1", "adm_csf_mode=2:adm_dlm_weight=0.7:adm_enhn_gain_limit=1.0:adm_min_val=0.5:adm_noise_weight=0.02"},
};

constexpr OutputSpec outputs[] = {
    {"VMAF_integer_feature_adm2_score", "integer_adm2"},
    {"VMAF_integer_feature_aim_score", "integer_aim"},
    {"VMAF_integer_feature_adm3_score", "integer_adm3"},
    {"integer_adm_scale0", ""},
    {"integer_adm_scale1", ""},
    {"integer_adm_scale2", ""},
    {"integer_adm_scale3", ""},
    // The rest with debug=true only.
    {"integer_adm", ""},
    {"integer_adm_num", ""},
    {"integer_adm_den", ""},
    {"integer_adm_num_scale0", ""},
    {"integer_adm_den_scale0", ""},
    {"integer_adm_num_scale1", ""},
    {"integer_adm_den_scale1", ""},
    {"integer_adm_num_scale2", ""},
    {"integer_adm_den_scale2", ""},
    {"integer_adm_num_scale3", ""},
    {"integer_adm_den_scale3", ""},
};
constexpr std::ptrdiff_t always_count = 7;

constexpr std::int64_t share_rounding(AdmShareRounding rounding) {
    return rounding == AdmShareRounding::half ? ADM_PLUS_HALF : ADM_MINUS_HALF;
}

FeatureNeeds adm_needs(const VideoFormat &, const OptionSet &) { return {.width = 33, .height = 33}; }

Result<FeaturePlan> plan(const PlanContext &context, std::span<const OptionSet> option_sets) {
    AdmDemand demand;
    demand.share_rounding = share_rounding(context.semantics.row().choices.adm_share_rounding);
    FeaturePlan plan;
    for (const OptionSet &set : option_sets) {
        const AdmCsf csf = TRY(adm_csf({.distance = set.number("adm_norm_view_dist"),
                                        .display_height = set.integer("adm_ref_display_height"),
                                        .csf_mode = set.integer("adm_csf_mode")}));
        const std::size_t masking = demand.add(set.number("adm_enhn_gain_limit"), csf.fixed,
                                               !set.flag("adm_skip_scale0"), !set.flag("adm_skip_aim"));
        plan.variants.push_back({adm_outputs(set), make_adm_finisher(context.format, set, csf, masking)});
    }
    plan.words = describe_adm_words(demand);
    plan.stages = describe_adm_stages(context.format, demand);
    plan.cpu = make_adm_cpu(context.format, demand, context.cpu_level);
    plan.gpu = make_adm_gpu(context.format, demand);
    plan.definition = make_adm_reference(context.format, std::move(demand));
    return plan;
}

} // namespace

std::size_t AdmDemand::add(double gain_limit, const AdmBandFactors<std::uint32_t> &csf, bool scale0, bool aim) {
    const auto limit = std::ranges::find(gain_limits, gain_limit);
    const auto gain = static_cast<std::size_t>(limit - gain_limits.begin());
    if (limit == gain_limits.end())
        gain_limits.push_back(gain_limit);

    const auto is_same = [&](const AdmMasking &masking) { return masking.gain == gain && masking.csf == csf; };
    const auto same = std::ranges::find_if(maskings, is_same);
    const auto index = static_cast<std::size_t>(same - maskings.begin());
    if (same == maskings.end())
        maskings.push_back({gain, csf, false, false});
    maskings[index].scale0 |= scale0;
    maskings[index].aim |= aim;
    return index;
}

bool AdmDemand::scale0() const { return std::ranges::any_of(maskings, &AdmMasking::scale0); }

std::vector<OutputSpec> adm_outputs(const OptionSet &set) {
    return {std::begin(outputs), set.flag("debug") ? std::end(outputs) : std::begin(outputs) + always_count};
}

const FeatureDescriptor adm_feature{
    .name = "adm",
    .summary = "detail lost and detail added, seen through contrast masking",
    .options = options,
    .outputs = outputs,
    .needs = adm_needs,
    .compared_options = compared_options,
    .golden_options = golden_options,
    .plan = plan,
};

} // namespace isovmaf

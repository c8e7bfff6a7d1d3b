// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/xpsnr/xpsnr.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/try.hpp"
#include "frame/frame.hpp"

namespace isovmaf {

namespace {

std::string_view order_name(double frame_rate) {
    return xpsnr_order(frame_rate) == XpsnrOrder::first ? "first order" : "second order";
}

const OptionSpec options[] = {
    {.name = "frame_rate",
     .alias = "",
     .help = "frames per second, which decide how many earlier frames count; 0 for the video's",
     .default_value = 0.0,
     .minimum = 0,
     .maximum = 1000,
     .naming = Naming::plain,
     .fact = VideoFact::frame_rate,
     .meaning = order_name},
    {"enable_chroma", "", "compare Cb and Cr too", true, 0, 0, Naming::plain},
};

constexpr OutputSpec outputs[] = {{"xpsnr_y", ""}, {"xpsnr_u", ""}, {"xpsnr_v", ""}};

/// Rates from this one on have the second order.
constexpr double least_rate_of_second_order = 32;

int plane_count(const VideoFormat &format, const OptionSet &set) {
    return set.flag("enable_chroma") ? format.plane_count() : 1;
}

FeatureNeeds xpsnr_needs(const VideoFormat &format, const OptionSet &set) {
    FeatureNeeds needs{.shape = "no side about 500 times as long as the other"};
    if (plane_count(format, set) > 1)
        need_all_planes(needs, format);
    if (const int block = XpsnrGrid(format, ChromaEdge::absent, 1).side(); block > 0) {
        needs.width = needs.height = block + 1;
        needs.advice = fmt::format("it has blocks of {0}x{0} there, and both sides have to be longer", block);
    }
    return needs;
}

std::vector<WordSpec> describe_sums(const XpsnrGrid &grid) {
    constexpr std::string_view names[] = {"squared error of Y", "spatial activity", "temporal activity",
                                          "squared error of Cb", "squared error of Cr"};
    std::vector<WordSpec> words;
    for (int row = 0; row < grid.rows(); row++)
        for (int column = 0; column < grid.columns(); column++)
            for (int i = 0; i < grid.words_per_block(); i++)
                words.push_back({fmt::format("block ({}, {}): {}", column, row, names[i])});
    return words;
}

std::vector<Stage> describe_stages(const XpsnrGrid &grid) {
    std::vector<Stage> stages;
    for (int p = 0; p < grid.plane_count(); p++) {
        const XpsnrArea block = grid.block(0, 0, p);
        stages.push_back({fmt::format("squared errors of {}", plane_name(p)), grid.plane_width(p), grid.plane_height(p),
                          block.width(), block.height()});
    }
    if (!grid.has_weights())
        return stages;
    const int side = grid.halved() ? grid.side() / 2 : grid.side();
    for (const char *name : {"spatial terms", "temporal terms"})
        stages.push_back({name, grid.term_width(), grid.term_height(), side, side});
    return stages;
}

/// The order that all option sets ask for.
Result<XpsnrOrder> common_order(std::span<const OptionSet> option_sets) {
    const double rate = option_sets.front().number("frame_rate");
    for (const OptionSet &set : option_sets)
        if (xpsnr_order(set.number("frame_rate")) != xpsnr_order(rate))
            return fail(ErrorCode::invalid_argument,
                        fmt::format("feature xpsnr at {} and at {} frames a second reads different numbers of earlier "
                                    "frames: score one rate at a time",
                                    rate, set.number("frame_rate")));
    return xpsnr_order(rate);
}

Result<FeaturePlan> plan(const PlanContext &context, std::span<const OptionSet> option_sets) {
    int planes = 1;
    for (const OptionSet &set : option_sets)
        planes = std::max(planes, plane_count(context.format, set));
    const XpsnrDemand demand{XpsnrGrid(context.format, context.chroma_edge, planes), TRY(common_order(option_sets))};
    FeaturePlan plan;
    for (const OptionSet &set : option_sets) {
        const int own = plane_count(context.format, set);
        plan.variants.push_back({{std::begin(outputs), std::begin(outputs) + own},
                                 make_xpsnr_finisher(demand.grid, own),
                                 {},
                                 xpsnr_aggregates(own)});
    }
    plan.definition = make_xpsnr_reference(demand);
    plan.cpu = make_xpsnr_cpu(demand, context.cpu_level);
    plan.gpu = make_xpsnr_gpu(demand);
    plan.extracted_words = describe_sums(demand.grid);
    plan.completion = make_xpsnr_completion(demand.grid);
    for (int p = 0; p < planes; p++)
        plan.words.push_back({fmt::format("weighted error of {}", plane_name(p))});
    plan.stages = describe_stages(demand.grid);
    plan.earlier.reference = demand.grid.has_weights() ? static_cast<int>(demand.order) : 0;
    if (planes > 1 && has_chroma_edge(context.format))
        plan.chroma_edge = context.chroma_edge;
    return plan;
}

} // namespace

XpsnrOrder xpsnr_order(double frame_rate) {
    const double rate = frame_rate == 0 ? assumed(VideoFact::frame_rate) : frame_rate;
    return rate < least_rate_of_second_order ? XpsnrOrder::first : XpsnrOrder::second;
}

const FeatureDescriptor xpsnr_feature{
    .name = "xpsnr",
    .summary = "PSNR whose errors count less where the reference has detail and change",
    .origin = "FFmpeg's filter xpsnr, 7.1 to 9.0",
    .options = options,
    .outputs = outputs,
    .needs = xpsnr_needs,
    .plan = plan,
};

} // namespace isovmaf

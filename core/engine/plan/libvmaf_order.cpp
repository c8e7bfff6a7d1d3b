// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/libvmaf_order.hpp"

#include <algorithm>

namespace isovmaf {

namespace {

/// When libvmaf writes the first score of a column. It prints columns in that order.
enum class FirstScore : int {
    while_pushing, ///< on the thread that pushes frames, before the other threads are done with the first one
    second_frame,  ///< a frame that subsampling skips has few features, so a second thread is done with it first
    first_frame,
    end_of_video,
};

struct Column {
    FirstScore first_score;
    std::size_t index;
};

FirstScore first_score(const FeatureDescriptor &feature, const OutputSpec &output, int threads, int subsample) {
    if (output.delayed)
        return FirstScore::end_of_video;
    if (threads > 0 && feature.on_pushing_thread)
        return FirstScore::while_pushing;
    return threads > 1 && subsample > 1 && feature.temporal ? FirstScore::second_frame : FirstScore::first_frame;
}

} // namespace

std::vector<std::size_t> libvmaf_order(const EnginePlan &plan, int threads, int subsample) {
    std::vector<Column> columns;
    for (const auto [entry, option_set] : plan.added) {
        const PlannedFeature &planned = plan.features[entry];
        const std::vector<OutputSpec> &outputs = planned.plan.variants[option_set].outputs;
        for (std::size_t k = 0; k < outputs.size(); k++)
            columns.push_back(
                {first_score(*planned.feature, outputs[k], threads, subsample), planned.columns[option_set][k]});
    }
    std::ranges::stable_sort(columns, {}, &Column::first_score);
    std::vector<std::size_t> order;
    for (const Column &column : columns)
        order.push_back(column.index);
    return order;
}

} // namespace isovmaf

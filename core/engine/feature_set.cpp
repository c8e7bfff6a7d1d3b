// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/feature_set.hpp"

#include <algorithm>

#include "base/try.hpp"
#include "features/naming.hpp"

namespace isovmaf {

Result<void> FeatureSet::add(const FeatureDescriptor &feature, const OptionSet &options) {
    auto entry = std::ranges::find(entries_, &feature, &Entry::feature);
    if (entry == entries_.end())
        entry = entries_.insert(entry, {&feature, {}});
    const std::string suffix = name_suffix(options);
    for (OptionSet &known : entry->option_sets)
        if (name_suffix(known) == suffix)
            return known.merge_plain_options(feature.name, options);
    entry->option_sets.push_back(options);
    return {};
}

bool runs_on_frame(const FeatureDescriptor &feature, std::int64_t frame, int subsample) {
    return feature.temporal || frame % subsample == 0;
}

int EnginePlan::earlier_references() const {
    int most = 0;
    for (const PlannedFeature &planned : features)
        most = std::max(most, planned.plan.earlier_references);
    return most;
}

std::vector<FeatureWordSpecs> describe_words(const EnginePlan &plan) {
    std::vector<FeatureWordSpecs> specs;
    for (const PlannedFeature &planned : plan.features)
        specs.push_back({std::string(planned.feature->name), planned.plan.words});
    return specs;
}

Result<EnginePlan> make_plan(const FeatureSet &set, const PlanContext &context) {
    EnginePlan engine;
    for (const FeatureSet::Entry &entry : set.entries()) {
        TRY(check_size(*entry.feature, context.format));
        FeaturePlan plan = TRY(entry.feature->plan(context, entry.option_sets));
        PlannedFeature planned{entry.feature, std::move(plan), {}};
        for (std::size_t v = 0; v < entry.option_sets.size(); v++) {
            std::vector<std::size_t> &columns = planned.columns.emplace_back();
            for (const OutputSpec &output : planned.plan.variants[v].outputs) {
                columns.push_back(engine.columns.size());
                engine.columns.push_back(stored_name(output.base_name, output.alias, entry.option_sets[v]));
            }
        }
        engine.features.push_back(std::move(planned));
    }
    return engine;
}

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/feature_set.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/try.hpp"
#include "engine/plan/map_request.hpp"
#include "features/option.hpp"
#include "frame/validate.hpp"

namespace isovmaf {

namespace {

std::string describe(const OptionSet &set) {
    const std::string changed = set.text();
    return changed.empty() ? "all at their defaults" : changed;
}

bool equal(const OptionSet &a, const OptionSet &b) { return option_texts(a) == option_texts(b); }

/// The entry of `set` for the feature of `wanted`. Fails unless the entry has all of its option sets.
Result<FeatureSet::Entry> find_entry(const FeatureSet &set, const FeatureSet::Entry &wanted) {
    const auto entry = std::ranges::find(set.entries(), wanted.feature, &FeatureSet::Entry::feature);
    if (entry == set.entries().end())
        return fail(ErrorCode::unsupported, fmt::format("feature {} was not extracted", wanted.feature->name));
    for (const OptionSet &options : wanted.option_sets)
        if (std::ranges::none_of(entry->option_sets, [&](const OptionSet &known) { return equal(known, options); }))
            return fail(ErrorCode::unsupported, fmt::format("feature {} was not extracted with these options: {}",
                                                            wanted.feature->name, describe(options)));
    return *entry;
}

/// Leaves the variants of the option sets `kept`, in that order.
void keep_variants(FeaturePlan &plan, const std::vector<OptionSet> &planned, const std::vector<OptionSet> &kept) {
    std::vector<FeatureVariant> variants;
    for (const OptionSet &options : kept)
        for (std::size_t v = 0; v < planned.size(); v++)
            if (equal(planned[v], options))
                variants.push_back(std::move(plan.variants[v]));
    plan.variants = std::move(variants);
}

} // namespace

Result<void> FeatureSet::add(const FeatureDescriptor &feature, const OptionSet &options) {
    auto entry = std::ranges::find(entries_, &feature, &Entry::feature);
    if (entry == entries_.end())
        entry = entries_.insert(entry, {&feature, {}});
    const std::string suffix = name_suffix(options);
    for (OptionSet &known : entry->option_sets)
        if (name_suffix(known) == suffix)
            return known.merge_plain_options(feature.name, options);
    added_.push_back({static_cast<std::size_t>(entry - entries_.begin()), entry->option_sets.size()});
    entry->option_sets.push_back(options);
    return {};
}

void FeatureSet::close_options(
    const std::function<std::optional<double>(const FeatureDescriptor &, const OptionSet &, std::size_t)> &value_of) {
    for (Entry &entry : entries_)
        for (OptionSet &options : entry.option_sets)
            for (std::size_t i = 0; i < options.specs().size(); i++)
                if (options.is_open(i))
                    if (const std::optional<double> value = value_of(*entry.feature, options, i))
                        options.close(i, *value);
}

void FeatureSet::assume_facts() {
    close_options([](const FeatureDescriptor &, const OptionSet &options, std::size_t option) {
        return std::optional(assumed(options.specs()[option].fact));
    });
}

void FeatureSet::take_facts(const FeatureSet &extracted) {
    close_options(
        [&](const FeatureDescriptor &feature, const OptionSet &options, std::size_t option) -> std::optional<double> {
            const auto entry = std::ranges::find(extracted.entries(), &feature, &Entry::feature);
            if (entry == extracted.entries().end())
                return std::nullopt;
            const auto same = std::ranges::find(entry->option_sets, name_suffix(options), name_suffix);
            if (same == entry->option_sets.end() || same->is_open(option))
                return std::nullopt;
            return same->number(options.specs()[option].name);
        });
}

bool runs_on_frame(const FeatureDescriptor &feature, std::int64_t frame, int subsample) {
    return feature.temporal || frame % subsample == 0;
}

bool PlannedFeature::writes_maps() const {
    return std::ranges::any_of(map_folders, [](const std::string &folder) { return !folder.empty(); });
}

EarlierFrames EnginePlan::earlier() const {
    EarlierFrames most;
    for (const PlannedFeature &planned : features)
        most = longer(most, planned.plan.earlier);
    return most;
}

int EnginePlan::planes_read() const {
    int most = 0;
    for (const PlannedFeature &planned : features)
        most = std::max(most, planned.plan.plane_count(context.format));
    return most;
}

ChromaEdge EnginePlan::chroma_edge() const {
    ChromaEdge most = ChromaEdge::absent;
    for (const PlannedFeature &planned : features)
        most = std::max(most, planned.plan.chroma_edge);
    return most;
}

std::vector<FeatureWordSpecs> describe_words(const EnginePlan &plan) {
    std::vector<FeatureWordSpecs> specs;
    for (const PlannedFeature &planned : plan.features)
        specs.push_back({std::string(planned.feature->name), planned.plan.words});
    return specs;
}

std::vector<std::size_t> word_counts(const EnginePlan &plan) {
    std::vector<std::size_t> counts;
    for (const PlannedFeature &planned : plan.features)
        counts.push_back(planned.plan.extracted().size());
    return counts;
}

Result<EnginePlan> make_plan(const FeatureSet &set, const PlanContext &context) { return make_plan(set, set, context); }

Result<EnginePlan> make_plan(const FeatureSet &extracted, const FeatureSet &reported, const PlanContext &context) {
    TRY(validate_format(context.format));
    EnginePlan engine{.context = context};
    engine.added = reported.added();
    for (const FeatureSet::Entry &entry : reported.entries()) {
        const FeatureSet::Entry shared = TRY(find_entry(extracted, entry));
        FeaturePlan plan = TRY(make_feature_plan(*entry.feature, context, shared.option_sets));
        keep_variants(plan, shared.option_sets, entry.option_sets);
        PlannedFeature planned{entry.feature, std::move(plan), {}};
        for (std::size_t v = 0; v < entry.option_sets.size(); v++) {
            planned.map_folders.push_back(map_folder(*entry.feature, entry.option_sets[v]));
            std::ranges::copy(planned.plan.variants[v].aggregates, std::back_inserter(engine.aggregates));
            std::vector<std::size_t> &columns = planned.columns.emplace_back();
            for (const OutputSpec &output : planned.plan.variants[v].outputs) {
                std::string name = stored_name(output, entry.option_sets[v]);
                if (std::ranges::find(engine.columns, name) != engine.columns.end())
                    return fail(ErrorCode::invalid_argument,
                                fmt::format("two scores of feature {} would have the name {}: ask for one of its "
                                            "option sets at a time",
                                            entry.feature->name, name));
                columns.push_back(engine.columns.size());
                engine.columns.push_back(std::move(name));
            }
        }
        engine.features.push_back(std::move(planned));
    }
    return engine;
}

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

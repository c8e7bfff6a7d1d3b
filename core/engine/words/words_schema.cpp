// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/words/words_schema.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "features/registry.hpp"
#include "frame/validate.hpp"

namespace isovmaf {

namespace {

std::string names_of(const WordsSchema &schema) {
    std::vector<std::string> names;
    for (const WordsFeature &feature : schema.features)
        names.push_back(quote(feature.name));
    return fmt::format("{}", fmt::join(names, ", "));
}

/// The first feature whose member differs, by name; the schemas have equal lists of features.
template <class Member>
std::string differing_feature(const WordsSchema &a, const WordsSchema &b, Member member) {
    for (std::size_t f = 0; f < a.features.size(); f++)
        if (a.features[f].*member != b.features[f].*member)
            return quote(a.features[f].name);
    return {};
}

} // namespace

WordsSchema describe_schema(const FeatureSet &features, const EnginePlan &plan, int subsample) {
    WordsSchema schema{plan.context.format, plan.context.semantics, subsample, {}};
    for (std::size_t f = 0; f < plan.features.size(); f++) {
        const FeatureDescriptor &feature = *plan.features[f].feature;
        WordsFeature &described = schema.features.emplace_back();
        described.name = feature.name;
        described.every_frame = feature.temporal;
        for (const OptionSet &options : features.entries()[f].option_sets)
            described.option_sets.push_back(option_texts(options));
        described.words = plan.features[f].plan.words;
    }
    return schema;
}

Result<FeatureSet> features_of(const WordsSchema &schema) {
    FeatureSet features;
    for (const WordsFeature &listed : schema.features) {
        const FeatureDescriptor *feature = find_feature(listed.name);
        if (!feature || feature->temporal != listed.every_frame)
            return fail(ErrorCode::unsupported,
                        fmt::format("they hold words of feature {}, which this version does not have in this form",
                                    quote(listed.name)));
        for (const OptionTexts &texts : listed.option_sets) {
            const OptionSet options = TRY(OptionSet::parse(feature->name, feature->options, texts));
            if (option_texts(options) != texts)
                return fail(ErrorCode::unsupported,
                            fmt::format("they hold words of feature {} with other options than this version has",
                                        quote(listed.name)));
            TRY(features.add(*feature, options));
        }
        if (features.entries().back().option_sets.size() != listed.option_sets.size())
            return fail(ErrorCode::corrupt_data,
                        fmt::format("they list option sets of feature {} twice", quote(listed.name)));
    }
    return features;
}

Result<void> check_words(const WordsSchema &schema, const EnginePlan &plan) {
    for (const PlannedFeature &planned : plan.features) {
        const auto listed = std::ranges::find(schema.features, planned.feature->name, &WordsFeature::name);
        if (listed == schema.features.end() || listed->words != planned.plan.words)
            return fail(ErrorCode::unsupported,
                        fmt::format("the words of feature {} are not those of this version: extract the frames again "
                                    "with this version",
                                    planned.feature->name));
    }
    return {};
}

std::string schema_difference(const WordsSchema &a, const WordsSchema &b) {
    if (a.format != b.format)
        return fmt::format("the video is {} in one and {} in the other", format_text(a.format), format_text(b.format));
    if (a.semantics != b.semantics)
        return fmt::format("the semantics are {} in one and {} in the other", a.semantics.name(), b.semantics.name());
    if (a.subsample != b.subsample)
        return fmt::format("the subsampling is {} in one and {} in the other", a.subsample, b.subsample);
    if (!std::ranges::equal(a.features, b.features, {}, &WordsFeature::name, &WordsFeature::name))
        return fmt::format("one has the features {} and the other {}", names_of(a), names_of(b));
    if (const std::string feature = differing_feature(a, b, &WordsFeature::option_sets); !feature.empty())
        return fmt::format("the options of feature {} are not the same", feature);
    return a == b ? std::string() : "they were written by versions whose words are not the same";
}

} // namespace isovmaf

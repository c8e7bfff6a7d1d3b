// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/registration.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "capi/dictionary.hpp"
#include "engine/plan/bind_models.hpp"
#include "features/option.hpp"
#include "features/registry.hpp"

namespace isovmaf::capi {

namespace {

/// Whether scores of the feature with these options have names that are there already.
bool has_names(const FeatureSet &set, const FeatureDescriptor &feature, const OptionSet &options) {
    const auto entry = std::ranges::find(set.entries(), &feature, &FeatureSet::Entry::feature);
    return entry != set.entries().end() && std::ranges::any_of(entry->option_sets, [&](const OptionSet &known) {
               return name_suffix(known) == name_suffix(options);
           });
}

} // namespace

Result<void> Registration::add(std::string_view extractor, const OptionTexts &options, const Log &log) {
    const FeatureDescriptor *const feature = find_feature(extractor);
    if (feature == nullptr) {
        std::vector<std::string_view> extractors;
        for (const FeatureDescriptor *const known : all_features())
            extractors.push_back(known->name);
        return fail(ErrorCode::not_found, fmt::format("cannot use the feature extractor {}: this version has {}",
                                                      quote(extractor), fmt::join(extractors, ", ")));
    }
    const OptionTexts known = known_options(*feature, options, log);
    return add(*feature, TRY(OptionSet::parse(feature->name, feature->options, known)));
}

Result<void> Registration::add(std::string_view model, std::span<const ModelInput> inputs) {
    for (const ModelInput &input : inputs) {
        const Result<ResolvedInput> resolved = resolve_input(input);
        if (!resolved)
            return fail(resolved.error().code,
                        fmt::format("cannot use the features of model {}: {}", model, resolved.error().message));
        if (resolved->feature == nullptr)
            return fail(ErrorCode::unsupported,
                        fmt::format("cannot use the features of model {}: this version does not have {}", model,
                                    input.base_name));
        TRY(add(*resolved->feature, resolved->options));
    }
    return {};
}

Result<void> Registration::add(const FeatureDescriptor &feature, const OptionSet &options) {
    if (has_names(features_, feature, options))
        return {};
    if (closed_)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("cannot register feature {} after the first picture: register all features before "
                                "vmaf_read_pictures",
                                feature.name));
    return features_.add(feature, options);
}

} // namespace isovmaf::capi

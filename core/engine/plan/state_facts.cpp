// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/state_facts.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"

namespace isovmaf {

namespace {

std::string meaning_of(const OptionSpec &option, double value) {
    return option.meaning ? std::string(option.meaning(value)) : "";
}

const char *source_of(const PairFacts &pair, VideoFact fact) {
    return stated(pair.distorted, fact)   ? UsedFact::from_distorted
           : stated(pair.reference, fact) ? UsedFact::from_reference
                                          : UsedFact::nobody;
}

double value_of(const PairFacts &pair, VideoFact fact) {
    const std::optional<double> distorted = stated(pair.distorted, fact);
    return distorted ? *distorted : stated(pair.reference, fact).value_or(assumed(fact));
}

/// Empty where both videos mean the same.
std::string difference_of(const UsedFact &used, const OptionSpec &option, const PairFacts &pair) {
    const std::optional<double> reference = stated(pair.reference, option.fact),
                                distorted = stated(pair.distorted, option.fact);
    if (!reference || !distorted || meaning_of(option, *reference) == meaning_of(option, *distorted))
        return "";
    return fmt::format("the {0} of the reference is {1:g}, and that of the distorted video {2:g}: {3} means {4} by the "
                       "one and {5} by the other, and takes the latter; --feature {3}:{6}=NUMBER chooses",
                       fact_name(option.fact), *reference, *distorted, used.feature, meaning_of(option, *reference),
                       meaning_of(option, *distorted), used.option);
}

/// A request that states the values of `closed` that `open` leaves to the video.
FeatureRequest stating(const FeatureDescriptor &feature, const OptionSet &open, const OptionSet &closed) {
    FeatureRequest request{std::string(feature.name), {}};
    for (std::size_t i = 0; i < open.specs().size(); i++)
        if (open.is_open(i) || (open.specs()[i].naming == Naming::in_name && !open.is_default(i)))
            request.options.emplace_back(open.specs()[i].name, option_text(closed.value(i)));
    return request;
}

} // namespace

std::string used_fact_text(const UsedFact &fact) {
    const std::string end = fact.source == UsedFact::nobody
                                ? fmt::format("assumed, as neither video states it; --feature {}:{}=NUMBER sets it",
                                              fact.feature, fact.option)
                            : fact.source == UsedFact::from_option ? "as that option says"
                            : fact.source == UsedFact::from_reference
                                ? "that of the reference, as the distorted video states none"
                                : "that of the distorted video";
    return fmt::format("{} takes the {} {}{}: {}", fact.feature, fact.option, fact.value,
                       fact.meaning.empty() ? "" : fmt::format(" ({})", fact.meaning), end);
}

namespace {

/// What one option of a feature takes. `open`: the request leaves it to the video.
void use_fact(const FeatureDescriptor &feature, const OptionSpec &option, double value, bool open,
              const PairFacts &pair, FactUse &use) {
    UsedFact used{std::string(feature.name), std::string(option.name), option_text(value),
                  open ? source_of(pair, option.fact) : UsedFact::from_option, meaning_of(option, value)};
    if (std::string difference = open ? difference_of(used, option, pair) : ""; !difference.empty())
        use.warnings.push_back(std::move(difference));
    use.facts.push_back(std::move(used));
}

void use_facts(const FeatureDescriptor &feature, const OptionSet &asked, const PairFacts &pair, FactUse &use) {
    OptionSet closed = asked;
    bool any_open = false;
    for (std::size_t i = 0; i < asked.specs().size(); i++) {
        const OptionSpec &option = asked.specs()[i];
        if (option.fact == VideoFact::none)
            continue;
        const bool open = asked.is_open(i);
        if (open)
            closed.close(i, value_of(pair, option.fact));
        use_fact(feature, option, closed.number(option.name), open, pair, use);
        any_open = any_open || open;
    }
    if (any_open)
        use.requests.push_back(stating(feature, asked, closed));
}

} // namespace

FactUse use_facts(const FeatureSet &features, const PairFacts &pair) {
    FactUse use;
    for (const auto &[feature, option_sets] : features.entries())
        for (const OptionSet &options : option_sets)
            use_facts(*feature, options, pair, use);
    return use;
}

std::string StatedScoring::key() const {
    std::string text;
    for (const UsedFact &fact : use.facts)
        text += fmt::format("{}:{}={};", fact.feature, fact.option, fact.value);
    return text;
}

Result<StatedScoring> state_facts(const ScoringOptions &asked, const PairFacts &pair, int rows) {
    StatedScoring stated{asked, use_facts(TRY(load_with_open_options(asked, rows)).features, pair)};
    for (const FeatureRequest &request : stated.use.requests)
        stated.scoring.features.push_back(request);
    return stated;
}

} // namespace isovmaf

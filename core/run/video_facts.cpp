// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/video_facts.hpp"

#include <optional>
#include <string>

namespace isovmaf {

PairFacts facts_of(const OpenedVideos &videos) {
    const auto facts = [](const SourceInfo &info) {
        const std::optional<Rational> &rate = info.timing.average_rate;
        return VideoFacts{rate && rate->value() > 0 ? std::optional(rate->value()) : std::nullopt};
    };
    return {facts(videos.reference), facts(videos.distorted)};
}

Result<std::vector<PairWarning>> warn_of_facts(const FactUse &use, bool strict, const LogSink &log) {
    for (const UsedFact &fact : use.facts)
        if (log && fact.source == UsedFact::nobody)
            log(Severity::info, used_fact_text(fact));
    std::vector<PairWarning> warnings;
    for (const std::string &sentence : use.warnings) {
        if (strict)
            return fail(ErrorCode::mismatch, sentence);
        warn(log, sentence);
        warnings.push_back({PairWarning::timing, sentence});
    }
    return warnings;
}

} // namespace isovmaf

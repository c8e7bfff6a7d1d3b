// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_limits.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "features/registry.hpp"

namespace isovmaf::tool {

Result<std::vector<ScoreLimit>> parse_limits(const LimitTexts &texts) {
    std::vector<ScoreLimit> limits;
    for (std::size_t i = 0; i < limit_options.size(); i++)
        for (const std::string &text : texts[i]) {
            const std::size_t equals = text.rfind('=');
            const bool named = equals != std::string::npos;
            const std::optional<double> least = parse_double(named ? text.substr(equals + 1) : text);
            if (!least || equals == 0)
                return fail(ErrorCode::invalid_argument,
                            fmt::format("{} takes a number, or SCORE=NUMBER such as vmaf=93, not \"{}\"",
                                        limit_options[i].name, text));
            limits.push_back({&limit_options[i], named ? text.substr(0, equals) : "", *least});
        }
    return limits;
}

namespace {

/// What to do about a score that the run lacks.
std::string advice(const std::string &score, const std::vector<std::string> &names) {
    if (const std::string meant = did_you_mean(score, names); !meant.empty())
        return meant;
    std::string feature;
    for (const FeatureDescriptor *known : all_features())
        if (score.starts_with(known->name) && known->name.size() > feature.size())
            feature = known->name;
    return feature.empty() ? "" : fmt::format(" (--feature {} adds that feature's scores)", feature);
}

} // namespace

Result<void> check_limit_name(const char *option, const std::string &score, const std::vector<std::string> &names) {
    if (std::ranges::find(names, score) == names.end())
        return fail(ErrorCode::invalid_argument, fmt::format("{}: this run has no score \"{}\"{}; it has {}", option,
                                                             score, advice(score, names), fmt::join(names, ", ")));
    return {};
}

Result<void> check_limit_names(const std::vector<ScoreLimit> &limits, const std::vector<std::string> &names) {
    for (const ScoreLimit &limit : limits)
        if (!limit.score.empty())
            TRY(check_limit_name(limit.option->name, limit.score, names));
    return {};
}

std::vector<LimitCheck> check_limits(const std::vector<ScoreLimit> &limits, const ScoreTable &scores,
                                     std::size_t main_score) {
    std::vector<LimitCheck> checks;
    for (const ScoreLimit &limit : limits) {
        const std::size_t column =
            limit.score.empty()
                ? main_score
                : static_cast<std::size_t>(std::ranges::find(scores.names, limit.score) - scores.names.begin());
        const double value = pool_column(scores, column).*limit.option->value;
        LimitCheck check{
            fmt::format("{} of {}, at least {}", limit.option->statistic, scores.names[column], limit.least)};
        if (!(value >= limit.least)) {
            check.outcome = LimitCheck::Outcome::broken;
            check.sentence = fmt::format("the {} of {} is {}, below the limit {} of {}", limit.option->statistic,
                                         scores.names[column], value, limit.least, limit.option->name);
        }
        checks.push_back(std::move(check));
    }
    return checks;
}

} // namespace isovmaf::tool

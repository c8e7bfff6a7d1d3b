// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_limits.hpp"

#include <algorithm>
#include <limits>
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

Result<void> check_limit_name(const char *option, const std::string &score, const RunScoreNames &names) {
    std::vector<std::string> all = names.columns;
    all.insert(all.end(), names.aggregates.begin(), names.aggregates.end());
    if (std::ranges::find(all, score) == all.end())
        return fail(ErrorCode::invalid_argument, fmt::format("{}: this run has no score \"{}\"{}; it has {}", option,
                                                             score, advice(score, all), fmt::join(all, ", ")));
    return {};
}

Result<void> check_limit_names(const std::vector<ScoreLimit> &limits, const RunScoreNames &names) {
    const LimitOption &of_aggregates = limit_options.front();
    for (const ScoreLimit &limit : limits) {
        if (limit.score.empty())
            continue;
        TRY(check_limit_name(limit.option->name, limit.score, names));
        if (limit.option != &of_aggregates && std::ranges::find(names.columns, limit.score) == names.columns.end())
            return fail(ErrorCode::invalid_argument,
                        fmt::format("{}: {} is one score of the whole video, and has no {}: give {} {}={}",
                                    limit.option->name, limit.score, limit.option->statistic, of_aggregates.name,
                                    limit.score, limit.least));
    }
    return {};
}

std::optional<double> aggregate_named(const ScoreTable &scores, const std::string &name) {
    const auto found = std::ranges::find(scores.aggregates, name, &std::pair<std::string, double>::first);
    return found == scores.aggregates.end() ? std::nullopt : std::optional(found->second);
}

std::vector<LimitCheck> check_limits(const std::vector<ScoreLimit> &limits, const ScoreTable &scores,
                                     std::size_t main_score) {
    std::vector<LimitCheck> checks;
    for (const ScoreLimit &limit : limits) {
        const std::string &name = limit.score.empty() ? scores.names[main_score] : limit.score;
        const auto column = std::ranges::find(scores.names, name);
        const bool pooled = column != scores.names.end();
        const double value =
            pooled ? pool_column(scores, static_cast<std::size_t>(column - scores.names.begin())).*limit.option->value
                   : aggregate_named(scores, name).value_or(std::numeric_limits<double>::quiet_NaN());
        const std::string about = pooled ? fmt::format("{} of {}", limit.option->statistic, name) : name;
        LimitCheck check{fmt::format("{}, at least {}", about, limit.least)};
        if (!(value >= limit.least)) {
            check.outcome = LimitCheck::Outcome::broken;
            check.sentence = fmt::format("{}{} is {}, below the limit {} of {}", pooled ? "the " : "", about, value,
                                         limit.least, limit.option->name);
        }
        checks.push_back(std::move(check));
    }
    return checks;
}

} // namespace isovmaf::tool

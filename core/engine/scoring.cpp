// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/scoring.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace isovmaf {

Scoring::Scoring(const EnginePlan &plan, std::vector<BoundModel> models, int subsample, bool keep_words)
    : plan_(plan), collector_(plan, std::move(models), subsample), subsample_(subsample), keep_words_(keep_words) {}

void Scoring::take(const WordsOfFrame &words) {
    if (keep_words_)
        keep(words);
    finish_words(plan_, words, subsample_, collector_);
}

void Scoring::end() {
    ended_ = true;
    finish_video(plan_, collector_);
}

std::optional<FrameScores> Scoring::next_result() {
    if (next_row_ >= collector_.complete_rows())
        return std::nullopt;
    return collector_.table().frames[next_row_++];
}

Result<PooledScore> Scoring::pooled(std::string_view name) const {
    if (!ended_)
        return fail(ErrorCode::invalid_argument, "scores are pooled after finish");
    const std::vector<std::string> &names = table().names;
    const auto column = std::ranges::find(names, name);
    if (column == names.end())
        return fail(ErrorCode::not_found, fmt::format("this session has no score named {}", name));
    return pool_column(table(), static_cast<std::size_t>(column - names.begin()));
}

void Scoring::keep(const WordsOfFrame &words) {
    std::vector<FeatureWords> kept;
    for (std::size_t e = 0; e < plan_.features.size(); e++)
        if (const ConstWords row = words.features[e]; !row.empty())
            kept.push_back({std::string(plan_.features[e].feature->name), {row.begin(), row.end()}});
    collector_.set_words(words.frame, std::move(kept));
}

} // namespace isovmaf

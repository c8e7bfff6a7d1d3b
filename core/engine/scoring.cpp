// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/scoring.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "features/option.hpp"

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
    if (table().frames.empty())
        return fail(ErrorCode::invalid_argument, fmt::format("there is no score {} of a session that got no frames: "
                                                             "push at least one pair before finish",
                                                             name));
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

Collector::Collector(const EnginePlan &plan, std::vector<BoundModel> models, int subsample)
    : models_(std::move(models)), feature_columns_(plan.columns.size()), subsample_(subsample) {
    for (const std::string &name : plan.columns)
        table_.names.push_back(report_name(name));
    table_.sources.resize(plan.columns.size());
    for (const PlannedFeature &planned : plan.features)
        for (const std::vector<std::size_t> &columns : planned.columns)
            for (const std::size_t column : columns)
                table_.sources[column] = planned.feature->name;
    for (const BoundModel &bound : models_)
        for (const std::string &name : bound.model->outputs()) {
            table_.names.push_back(name);
            table_.sources.push_back(bound.model->name());
        }
}

/// The number of the frame's row. Appends the missing rows up to that one.
std::size_t Collector::row_of(std::int64_t frame) {
    const auto row = static_cast<std::size_t>(frame / subsample_);
    while (table_.frames.size() <= row) {
        FrameScores next{.frame = static_cast<std::int64_t>(table_.frames.size()) * subsample_};
        next.scores.assign(table_.names.size(), std::numeric_limits<double>::quiet_NaN());
        table_.frames.push_back(std::move(next));
        missing_.push_back(feature_columns_);
    }
    return row;
}

void Collector::set_words(std::int64_t frame, std::vector<FeatureWords> words) {
    if (frame % subsample_ == 0)
        table_.frames[row_of(frame)].words = std::move(words);
}

void Collector::set(std::int64_t frame, std::size_t column, double score) {
    if (frame % subsample_ != 0)
        return;
    const std::size_t row = row_of(frame);
    table_.frames[row].scores[column] = score;
    missing_[row]--;
    for (; complete_ < missing_.size() && missing_[complete_] == 0; complete_++)
        predict(complete_);
}

void Collector::set_aggregate(std::string_view name, double score) { table_.aggregates.emplace_back(name, score); }

void Collector::predict(std::size_t row) {
    std::vector<double> &scores = table_.frames[row].scores;
    std::size_t output = feature_columns_;
    std::vector<double> inputs;
    for (const BoundModel &bound : models_) {
        inputs.clear();
        for (std::size_t column : bound.inputs)
            inputs.push_back(scores[column]);
        const std::size_t count = bound.model->outputs().size();
        bound.model->predict(inputs, std::span(scores).subspan(output, count));
        output += count;
    }
}

} // namespace isovmaf

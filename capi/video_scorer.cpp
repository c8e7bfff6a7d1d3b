// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/video_scorer.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/plan/feature_set.hpp"

namespace isovmaf::capi {

VideoScorer::VideoScorer(EnginePlan plan, OpenedScheduler scheduler, int subsample, int libvmaf_threads,
                         ScoreStore &store, const Log &log)
    : plan_(std::move(plan)), subsample_(subsample), order_(libvmaf_order(plan_, libvmaf_threads, subsample)),
      store_(store), log_(log), columns_(plan_.columns.size()),
      extraction_(std::move(scheduler), plan_, subsample, {this}) {
    describe_columns();
}

void VideoScorer::describe_columns() {
    for (std::size_t e = 0; e < plan_.features.size(); e++) {
        const PlannedFeature &planned = plan_.features[e];
        for (std::size_t v = 0; v < planned.columns.size(); v++)
            for (std::size_t k = 0; k < planned.columns[v].size(); k++)
                columns_[planned.columns[v][k]] = {0, planned.plan.variants[v].outputs[k].delayed, e};
    }
}

Result<void> VideoScorer::push(const FramePair &pair, PushedFrame frame) {
    frames_.push_back(frame);
    Result<void> pushed = extraction_.push(pair, frame.index);
    if (!pushed)
        frames_.pop_back();
    return pushed;
}

std::string VideoScorer::imported_score(unsigned index) const {
    for (std::size_t c = 0; c < columns_.size(); c++) {
        if (columns_[c].delayed || !runs_on_frame(*plan_.features[columns_[c].feature].feature, index, subsample_))
            continue;
        if (const auto column = store_.find(plan_.columns[c]); column && store_.at(*column, index))
            return plan_.columns[c];
    }
    return {};
}

/// Finishers count the frames as they come: frame k is the k-th pair.
void VideoScorer::take(const WordsOfFrame &words) {
    if (words.frame == 0)
        add_columns(false);
    finish_words(plan_, words, 1, *this); // features that subsampling skips have no words
    store(ready_);
}

void VideoScorer::end() {
    finish_video(plan_, *this);
    store(ready_);
    if (!delayed_.empty())
        add_columns(true);
    store(delayed_);
}

void VideoScorer::set(std::int64_t frame, std::size_t column, double score) {
    const PushedFrame &pushed = frames_[static_cast<std::size_t>(frame)];
    if (pushed.scored)
        (columns_[column].delayed ? delayed_ : ready_).push_back({pushed.index, column, score});
}

/// Columns are added in the order of reports before their first scores are stored.
void VideoScorer::add_columns(bool delayed) {
    for (const std::size_t c : order_)
        if (columns_[c].delayed == delayed)
            columns_[c].stored = store_.find_or_add(plan_.columns[c]);
}

/// A score that is there already was imported, and stays.
void VideoScorer::store(std::vector<PendingScore> &scores) {
    for (const auto &[index, column, score] : scores)
        if (!store_.set(columns_[column].stored, index, score))
            log_.warning(fmt::format("{} of frame {} was imported: the imported score stays",
                                     quote(plan_.columns[column]), index));
    if (!scores.empty())
        last_stored_ = std::chrono::steady_clock::now();
    scores.clear();
}

} // namespace isovmaf::capi

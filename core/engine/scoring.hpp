// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/collector.hpp"
#include "engine/plan/feature_set.hpp"
#include "engine/words/word_sink.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf {

/// Words in, scores out. Scoring runs the finishers of a plan on the words of each frame, predicts with the models and
/// pools. Equal words give equal scores, whoever extracted them. Used by one thread at a time.
class Scoring final : public WordSink {
  public:
    /// `plan` has to outlive the Scoring, which changes the state of the plan's finishers. Of the words that come,
    /// those of frames that `subsample` skips are ignored unless the feature is temporal. `keep_words`: hand them out
    /// with the scores.
    Scoring(const EnginePlan &plan, std::vector<BoundModel> models, int subsample, bool keep_words = false);

    void take(const WordsOfFrame &words) override;
    void end() override;

    /// Scores of the next frame in frame order, or nothing while the frame is not complete.
    [[nodiscard]] std::optional<FrameScores> next_result();

    /// All scores so far; complete after `end`.
    [[nodiscard]] const ScoreTable &table() const { return collector_.table(); }

    /// How many of the table's columns are features; the rest are models.
    [[nodiscard]] std::size_t feature_score_count() const { return plan_.columns.size(); }

    /// Statistics of one score. Fails before `end`, and on a name that is no column's.
    [[nodiscard]] Result<PooledScore> pooled(std::string_view name) const;

  private:
    void keep(const WordsOfFrame &words);

    const EnginePlan &plan_;
    Collector collector_;
    int subsample_;
    bool keep_words_;
    bool ended_ = false;
    std::size_t next_row_ = 0;
};

} // namespace isovmaf

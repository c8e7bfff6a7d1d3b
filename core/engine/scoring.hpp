// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/feature_set.hpp"
#include "engine/score_table.hpp"
#include "engine/words/finish_words.hpp"
#include "isovmaf/isovmaf.hpp"
#include "model/model.hpp"

namespace isovmaf {

/// A model, and the column of each of its inputs, in the order of Model::inputs.
struct BoundModel {
    std::shared_ptr<const Model> model;
    std::vector<std::size_t> inputs;
};

/// Gathers the scores that finishers give, predicts when all feature scores of a frame are there, and keeps the table.
/// Scores of frames that subsampling skips are dropped here. Used by one thread at a time.
class Collector final : public ColumnSink {
  public:
    /// Columns: the plan's features, then the outputs of each model.
    Collector(const EnginePlan &plan, std::vector<BoundModel> models, int subsample);

    void set(std::int64_t frame, std::size_t column, double score) override;
    void set_aggregate(std::string_view name, double score) override;
    void set_words(std::int64_t frame, std::vector<FeatureWords> words);

    /// Scored frames that are complete, in order from the first: rows 0 to complete_rows() - 1 of table().
    [[nodiscard]] std::size_t complete_rows() const { return complete_; }
    [[nodiscard]] const ScoreTable &table() const { return table_; }

  private:
    [[nodiscard]] std::size_t row_of(std::int64_t frame);
    void predict(std::size_t row);

    ScoreTable table_;
    std::vector<BoundModel> models_;
    std::size_t feature_columns_;
    std::int64_t subsample_;
    std::vector<std::size_t> missing_; ///< per row: how many feature scores are not there yet
    std::size_t complete_ = 0;
};

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

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/feature_set.hpp"
#include "engine/score_table.hpp"
#include "engine/words/finish_words.hpp"
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

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "capi/model.hpp"
#include "capi/score_store.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf::capi {

/// Frames whose scores are asked for: the multiples of `step` from `low` to `high`, both included.
struct IndexRange {
    unsigned low = 0;
    unsigned high = 0;
    unsigned step = 1;
};

/// The scores of models: predicted from the feature scores of a store when they are asked for, and kept in it. Two
/// models that have one name have columns of their own.
class ModelScores {
  public:
    explicit ModelScores(ScoreStore &store) : store_(store) {}

    /// The scores of the frames in a range. A score that was imported under the model's name takes the place of a
    /// prediction. Fails when the range is empty, and when a score that the model reads is missing, which the error
    /// names.
    Result<std::vector<double>> scores(const VmafModel &model, const IndexRange &frames);

    /// The four scores of a collection, bagging, standard deviation and the two ends of the interval, each with its
    /// values for the frames in a range. Those of the members are stored besides.
    Result<std::vector<std::vector<double>>> scores(const VmafModelCollection &collection, const IndexRange &frames);

    /// Predicts the score of one frame if all that the model reads is there and the score is not.
    void predict_if_possible(const VmafModel &model, unsigned index);

  private:
    struct Predictor;

    Result<std::vector<std::vector<double>>> scores(const Predictor &predictor, const IndexRange &frames);
    Result<void> predict(const Predictor &predictor, const std::vector<std::string> &inputs, unsigned index);
    [[nodiscard]] std::vector<std::size_t> known_columns(const Predictor &predictor) const;
    const std::vector<std::size_t> &add_columns(const Predictor &predictor);
    [[nodiscard]] bool is_stored(const std::vector<std::size_t> &columns, unsigned index) const;

    ScoreStore &store_;
    std::map<std::uint64_t, std::vector<std::size_t>> columns_; ///< by the id of the model or collection
    std::set<std::size_t> taken_;                               ///< the columns in `columns_`
};

} // namespace isovmaf::capi

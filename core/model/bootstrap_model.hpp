// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/model_file.hpp"

namespace isovmaf {

/// A bootstrap collection (scores.md §4). It gives the score of models[0] under the name `name`, the scores of the
/// members models[1..], and statistics of the members' scores, which show how certain the score is.
[[nodiscard]] std::unique_ptr<Model> make_bootstrap_model(std::string name, std::string origin,
                                                          std::vector<ModelDescription> models);

/// Names of the scores of a collection called `name` with `members` members, but for the score of models[0]: NAME_0001
/// and so on, then NAME_bagging, NAME_stddev, NAME_ci_p95_lo and NAME_ci_p95_hi.
[[nodiscard]] std::vector<std::string> bootstrap_outputs(const std::string &name, std::size_t members);

/// Bagging score, standard deviation, and the interval in which 95 % of the scores lie (scores.md §4), of the raw
/// scores of all members. `first` is the first member: its transform and clip are applied. Sorts `raw`.
void write_bootstrap_statistics(const Predictor &first, std::span<double> raw, std::span<double, 4> statistics);

/// The value below which `percent` of the ascending scores lie, with linear interpolation.
[[nodiscard]] double percentile(std::span<const double> ascending, double percent);

} // namespace isovmaf

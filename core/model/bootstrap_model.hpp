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

/// The value below which `percent` of the ascending scores lie, with linear interpolation.
[[nodiscard]] double percentile(std::span<const double> ascending, double percent);

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "isovmaf/result.hpp"
#include "model/json_value.hpp"
#include "model/model_file.hpp"

namespace isovmaf {

/// Reads the `model_dict` of one model (scores.md §1).
[[nodiscard]] Result<ModelDescription> read_model_dict(const JsonValue &dict);

/// Reads a `score_transform`.
[[nodiscard]] Result<ScoreTransform> read_score_transform(const JsonValue &value);

/// Reads an array of numbers. Fails when an element is not a number.
[[nodiscard]] Result<std::vector<double>> read_numbers(const JsonValue &array);

} // namespace isovmaf

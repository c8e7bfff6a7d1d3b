// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <string_view>

#include "isovmaf/result.hpp"
#include "model/predictor.hpp"

namespace isovmaf {

/// Most support vectors that a model file may hold, all members together. The models in use have some two hundred each.
inline constexpr std::size_t max_support_vectors = 65536;

/// Parses libsvm's model text (scores.md §1): a header of keys and values up to "SV", then one line
/// "coefficient index:value ..." per support vector. `features` is the number of features the model reads;
/// the message of an error begins with `path` ("cannot load model x.json: model_dict.model").
[[nodiscard]] Result<Svr> parse_svm_text(std::string_view text, std::size_t features, std::string_view path);

} // namespace isovmaf

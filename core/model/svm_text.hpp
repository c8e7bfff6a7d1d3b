// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <string_view>

#include "isovmaf/result.hpp"
#include "model/svr.hpp"

namespace isovmaf {

/// Most support vectors a model file may hold, over all its members. The models in use have some two hundred each.
inline constexpr std::size_t max_support_vectors = 65536;

/// Parses libsvm's model text (scores.md §1): a header of keys and values up to "SV", then one line
/// "coefficient index:value ..." per support vector. `features` is the number of features the model reads;
/// `path` begins the sentence of an error ("cannot load model x.json: model_dict.model").
[[nodiscard]] Result<Svr> parse_svm_text(std::string_view text, std::size_t features, std::string_view path);

} // namespace isovmaf

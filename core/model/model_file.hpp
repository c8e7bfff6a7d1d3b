// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "isovmaf/result.hpp"
#include "model/model.hpp"
#include "model/predictor.hpp"

namespace isovmaf {

/// Most members of a bootstrap collection; their names have four digits.
inline constexpr std::size_t max_members = 1000;

/// One model as its file describes it, checked: every count agrees, every number is finite.
struct ModelDescription {
    std::string type; ///< LIBSVMNUSVR, BOOTSTRAP_LIBSVMNUSVR or RESIDUEBOOTSTRAP_LIBSVMNUSVR
    std::vector<ModelInput> inputs;
    Predictor predictor;
};

/// A model file: one model, or a bootstrap collection.
struct ModelFile {
    bool collection = false;
    /// At least one; of a collection at least two, with equal types and inputs. The first of a collection is the plain
    /// model, the rest are the members that statistics are made of (scores.md §4).
    std::vector<ModelDescription> models;
};

/// Parses a model file's text (scores.md §1). `origin` begins the sentence of an error
/// ("cannot load model x.json").
[[nodiscard]] Result<ModelFile> parse_model_file(std::string_view json, const std::string &origin);

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isovmaf/result.hpp"
#include "model/model.hpp"
#include "model/predictor.hpp"

namespace isovmaf {

/// Most members that a bootstrap collection may have: the number in a member's name has four digits.
inline constexpr std::size_t max_members = 1000;

/// One model of a file. The counts in it agree with each other, and every number is finite.
struct ModelDescription {
    std::string type; ///< LIBSVMNUSVR, BOOTSTRAP_LIBSVMNUSVR or RESIDUEBOOTSTRAP_LIBSVMNUSVR
    std::vector<ModelInput> inputs;
    Predictor predictor;
};

/// A model file: one model, or a bootstrap collection.
struct ModelFile {
    bool collection = false;
    /// One model, or the two or more of a collection, which have equal types and inputs. The first of a collection
    /// gives the score; statistics are computed over the others, its members (scores.md §4).
    std::vector<ModelDescription> models;
};

/// Parses a model file's text (scores.md §1). The message of an error begins with
/// `origin` ("cannot load model x.json").
[[nodiscard]] Result<ModelFile> parse_model_file(std::string_view json, const std::string &origin);

/// The same, with the flags and the feature options of the request applied to every model. Errors call the file
/// `origin`.
[[nodiscard]] Result<ModelFile> parse_requested_file(std::string_view json, const ModelRequest &request,
                                                     const std::string &origin);

/// A model file before it is parsed.
struct ModelText {
    std::string origin; ///< Model::origin
    std::string json;
};

/// Finds and reads the file that a request names, as load_model does.
[[nodiscard]] Result<ModelText> read_model_text(const ModelRequest &request, std::span<const std::string> folders = {});

} // namespace isovmaf

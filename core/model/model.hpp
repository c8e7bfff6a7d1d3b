// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// A feature score that a model reads.
struct ModelInput {
    std::string base_name; ///< "VMAF_integer_feature_adm2_score"
    OptionTexts options;   ///< of the feature that gives it; ModelRequest::feature_options replace the model's own
};

/// A loaded model: which feature scores it reads, and how it turns them into scores. Immutable and thread-safe.
class Model {
  public:
    virtual ~Model() = default;

    [[nodiscard]] virtual const std::string &name() const = 0;

    /// Where the model came from: "built in: vmaf_v0.6.1" or the file's path.
    [[nodiscard]] virtual const std::string &origin() const = 0;

    [[nodiscard]] virtual std::span<const ModelInput> inputs() const = 0;

    /// Names of what `predict` gives: NAME alone for a single model; for a bootstrap collection NAME, NAME_0001 ...,
    /// NAME_bagging, NAME_stddev, NAME_ci_p95_lo, NAME_ci_p95_hi.
    [[nodiscard]] virtual std::span<const std::string> outputs() const = 0;

    /// Scores of one frame from its feature scores, in the order of `inputs` (scores.md §2, §4).
    virtual void predict(std::span<const double> features, std::span<double> scores) const = 0;
};

/// Loads the model that a request names: built in, or `VERSION.json` in one of `folders`, or the file at its path.
/// An unknown version's error lists the built-in models and the folders searched.
[[nodiscard]] Result<std::unique_ptr<Model>> load_model(const ModelRequest &request,
                                                        std::span<const std::string> folders = {});

/// Parses a model file's text. Errors call the file `origin`.
[[nodiscard]] Result<std::unique_ptr<Model>> parse_model(std::string_view json, const ModelRequest &request,
                                                         const std::string &origin);

/// Versions of the built-in models.
[[nodiscard]] std::span<const std::string_view> builtin_model_versions();

} // namespace isovmaf

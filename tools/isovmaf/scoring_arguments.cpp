// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/scoring_arguments.hpp"

#include "base/try.hpp"
#include "features/semantics.hpp"

namespace isovmaf::tool {

std::vector<std::string> semantics_names() {
    const auto names = all_semantics_names();
    return {names.begin(), names.end()};
}

Semantics semantics_named(const std::string &name) { return find_semantics(name).value(); }

Result<SessionOptions> parse_scoring(const ScoringArguments &arguments) {
    SessionOptions options;
    options.model_folders = arguments.model_folders;
    options.subsample = arguments.subsample;
    options.semantics = semantics_named(arguments.compat);
    if (!arguments.no_prediction && arguments.models.empty())
        options.models.emplace_back();
    if (!arguments.no_prediction)
        for (const std::string &text : arguments.models)
            options.models.push_back(TRY(ModelRequest::parse(text)));
    for (const std::string &text : arguments.features)
        options.features.push_back(TRY(FeatureRequest::parse(text)));
    if (options.models.empty() && options.features.empty())
        return fail(ErrorCode::invalid_argument, "nothing to score: --no_prediction needs a --feature");
    return options;
}

} // namespace isovmaf::tool

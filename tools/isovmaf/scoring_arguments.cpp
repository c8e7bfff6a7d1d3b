// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/scoring_arguments.hpp"

#include <map>

#include "base/try.hpp"

namespace isovmaf::tool {

namespace {

const std::map<std::string, Semantics> semantics{{"libvmaf-3.2", Semantics::libvmaf_3_2},
                                                 {"libvmaf-3.0", Semantics::libvmaf_3_0}};

} // namespace

std::vector<std::string> semantics_names() {
    std::vector<std::string> names;
    for (const auto &[name, value] : semantics)
        names.push_back(name);
    return names;
}

Semantics semantics_named(const std::string &name) { return semantics.at(name); }

Result<SessionOptions> parse_scoring(const ScoringArguments &arguments) {
    SessionOptions options;
    options.model_folders = arguments.model_folders;
    options.subsample = arguments.subsample;
    options.semantics = semantics.at(arguments.compat);
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

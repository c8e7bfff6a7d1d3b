// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run_report/scoring_report.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "features/semantics.hpp"
#include "isovmaf/isovmaf.hpp"
#include "model/model_choice.hpp"

namespace isovmaf {

namespace {

std::string origin(const ModelRequest &model) {
    return model.path.empty() ? fmt::format("version={}", model.version) : fmt::format("path={}", model.path);
}

} // namespace

Report describe_scoring(const ScoringArguments &arguments, const ScoringOptions &scoring, const VideoFormat &format) {
    Report report;
    report.version = version();
    report.semantics = scoring.semantics.row().title;
    for (const ModelRequest &model : scoring.models)
        report.models.emplace_back(model.name, origin(chosen_request(model, format.height)));

    const auto option = [&](std::string_view name, std::string value) {
        report.options.emplace_back(name, std::move(value));
    };
    option("model", arguments.models.empty() && !arguments.has_preset() && !arguments.no_prediction
                        ? fmt::format("version={}", ModelRequest{}.version)
                        : fmt::format("{}", fmt::join(arguments.models, " ")));
    option("feature", fmt::format("{}", fmt::join(arguments.features, " ")));
    if (!arguments.aom_preset.empty())
        option("aom_ctc", arguments.aom_preset);
    if (!arguments.netflix_preset.empty())
        option("nflx_ctc", arguments.netflix_preset);
    option("no_prediction", arguments.no_prediction ? "true" : "false");
    option("subsample", std::to_string(arguments.subsample));
    return report;
}

} // namespace isovmaf

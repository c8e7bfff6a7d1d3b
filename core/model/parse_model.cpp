// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <fmt/format.h>

#include "base/try.hpp"
#include "model/bootstrap_model.hpp"
#include "model/feature_options.hpp"
#include "model/model.hpp"
#include "model/model_file.hpp"
#include "model/single_model.hpp"

namespace isovmaf {

namespace {

void apply_flags(const ModelRequest &request, Predictor &predictor) {
    if (request.enable_transform && predictor.transform)
        predictor.transform->enabled = true;
    if (request.disable_clip)
        predictor.clip.reset();
}

std::string cannot_load(const std::string &origin) { return fmt::format("cannot load model {}", origin); }

} // namespace

Result<ModelFile> parse_requested_file(std::string_view json, const ModelRequest &request, const std::string &origin) {
    const std::string attempt = cannot_load(origin);
    ModelFile file = TRY(parse_model_file(json, attempt));
    for (ModelDescription &model : file.models) {
        apply_flags(request, model.predictor);
        TRY(overlay_feature_options(model.inputs, request.feature_options, attempt));
    }
    return file;
}

Result<std::unique_ptr<Model>> parse_model(std::string_view json, const ModelRequest &request,
                                           const std::string &origin) {
    if (request.name.empty())
        return fail(ErrorCode::invalid_argument, fmt::format("{}: its score needs a name", cannot_load(origin)));
    ModelFile file = TRY(parse_requested_file(json, request, origin));
    if (file.collection)
        return make_bootstrap_model(request.name, origin, std::move(file.models));
    return make_single_model(request.name, origin, std::move(file.models.front()));
}

} // namespace isovmaf

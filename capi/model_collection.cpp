// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/model_collection.hpp"

#include <array>
#include <cassert>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "capi/dictionary.hpp"
#include "capi/status.hpp"
#include "model/bootstrap_model.hpp"

using namespace isovmaf;
using namespace isovmaf::capi;

VmafModelCollection::VmafModelCollection(std::string name, std::vector<ModelDescription> members)
    : name_(std::move(name)), outputs_(bootstrap_outputs(name_, members.size())) {
    for (std::size_t i = 0; i < members.size(); i++)
        members_.emplace_back(outputs_[i], std::move(members[i]));
}

void VmafModelCollection::predict(std::span<const double> features, std::span<double> scores) const {
    assert(scores.size() == outputs_.size());
    std::array<double, max_members> storage;
    const std::span<double> raw(storage.data(), members_.size());
    for (std::size_t i = 0; i < raw.size(); i++) {
        raw[i] = members_[i].predict_raw(features);
        scores[i] = members_[i].predictor().final_score(raw[i]);
    }
    write_bootstrap_statistics(members_.front().predictor(), raw, scores.last<4>());
}

void VmafModelCollection::overload(const FeatureRequest &request) {
    for (VmafModel &member : members_)
        member.overload(request);
}

namespace isovmaf::capi {

namespace {

int load_collection(const char *function, VmafModel **model, VmafModelCollection **collection,
                    const VmafModelConfig *config, const char *place, ModelPlace kind) {
    return guarded([&]() -> Result<void> {
        if (model != nullptr)
            *model = nullptr;
        if (collection != nullptr)
            *collection = nullptr;
        TRY(require_arguments(function, model, collection, config, place));
        ModelFile file = TRY(load_file(*config, place, kind));
        if (!file.collection)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("{}: {} is a single model: load it with vmaf_model_load", function, quote(place)));
        auto plain = std::make_unique<VmafModel>(score_name(*config), std::move(file.models.front()));
        file.models.erase(file.models.begin());
        *collection = new VmafModelCollection(score_name(*config), std::move(file.models));
        *model = plain.release();
        return {};
    });
}

} // namespace

VmafModelCollectionScore collection_score(std::span<const double, 4> statistics) {
    return {VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP, {statistics[0], statistics[1], {{statistics[2], statistics[3]}}}};
}

} // namespace isovmaf::capi

int vmaf_model_collection_load(VmafModel **model, VmafModelCollection **model_collection, VmafModelConfig *cfg,
                               const char *version) {
    return load_collection("vmaf_model_collection_load", model, model_collection, cfg, version, ModelPlace::built_in);
}

int vmaf_model_collection_load_from_path(VmafModel **model, VmafModelCollection **model_collection,
                                         VmafModelConfig *cfg, const char *path) {
    return load_collection("vmaf_model_collection_load_from_path", model, model_collection, cfg, path,
                           ModelPlace::file);
}

int vmaf_model_collection_feature_overload(VmafModel *model, VmafModelCollection **model_collection,
                                           const char *feature_name, VmafFeatureDictionary *opts_dict) {
    return guarded([&]() -> Result<void> {
        constexpr const char *function = "vmaf_model_collection_feature_overload";
        TRY(require_arguments(function, model, model_collection, feature_name, opts_dict));
        TRY(require_arguments(function, *model_collection));
        const FeatureRequest request = overload_request(feature_name, *opts_dict);
        overload(*model, request);
        (*model_collection)->overload(request);
        delete opts_dict;
        return {};
    });
}

void vmaf_model_collection_destroy(VmafModelCollection *model_collection) { delete model_collection; }

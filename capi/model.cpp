// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/model.hpp"

#include <array>
#include <atomic>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "capi/dictionary.hpp"
#include "capi/status.hpp"
#include "features/registry.hpp"
#include "model/bootstrap_model.hpp"
#include "model/feature_options.hpp"

using namespace isovmaf;
using namespace isovmaf::capi;

namespace {

std::uint64_t next_model_id() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

} // namespace

VmafModel::VmafModel(std::string name, ModelDescription description, std::string path)
    : path_text_(nullptr), name_text_(nullptr), texts_(new Texts{std::move(path), std::move(name)}),
      id_(next_model_id()), description_(std::move(description)) {
    path_text_ = texts_->path.empty() ? nullptr : texts_->path.c_str();
    name_text_ = texts_->name.c_str();
}

double VmafModel::predict(std::span<const double> features) const {
    return predictor().final_score(predict_raw(features));
}

double VmafModel::predict_raw(std::span<const double> features) const { return predictor().raw_score(features); }

bool VmafModel::overload(const FeatureRequest &request) { return overlay_unchecked(description_.inputs, request); }

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

std::string path_of(const char *place, ModelPlace kind) { return kind == ModelPlace::file ? place : ""; }

/// With which vmaf_model_load refused a place last. Programs such as libvmaf's give a place to vmaf_model_load first,
/// and when that fails to vmaf_model_collection_load, which does not say the same again.
thread_local std::string refused_as_model; // NOLINT: calls of one thread follow each other

/// The model at a place; null when there is a collection.
Result<std::unique_ptr<VmafModel>> single_model(const char *function, VmafModel **model, const VmafModelConfig *config,
                                                const char *place, ModelPlace kind) {
    TRY(require_arguments(function, model, config, place));
    ModelFile file = TRY(load_file(*config, place, kind));
    if (file.collection)
        return nullptr;
    return std::make_unique<VmafModel>(score_name(*config), std::move(file.models.front()), path_of(place, kind));
}

int load_single(const char *function, VmafModel **model, const VmafModelConfig *config, const char *place,
                ModelPlace kind) {
    return guarded([&]() -> int {
        if (model != nullptr)
            *model = nullptr;
        Result<std::unique_ptr<VmafModel>> loaded = single_model(function, model, config, place, kind);
        refused_as_model = loaded ? "" : loaded.error().message;
        if (!loaded)
            return report_failure(process_log(), loaded.error());
        if (!*loaded) { // no error of a program that goes on with vmaf_model_collection_load
            process_log().info(fmt::format("{}: {} is a collection of models: load it with vmaf_model_collection_load",
                                           function, quote(place)));
            return status_invalid;
        }
        *model = loaded->release();
        return status_ok;
    });
}

} // namespace

std::string score_name(const VmafModelConfig &config) { return config.name == nullptr ? "vmaf" : config.name; }

Result<ModelFile> load_file(const VmafModelConfig &config, const std::string &place, ModelPlace kind) {
    if (place.empty())
        return fail(ErrorCode::invalid_argument, "cannot load a model whose name is empty");
    ModelRequest request;
    (kind == ModelPlace::built_in ? request.version : request.path) = place;
    request.enable_transform = (config.flags & VMAF_MODEL_FLAG_ENABLE_TRANSFORM) != 0;
    request.disable_clip = (config.flags & VMAF_MODEL_FLAG_DISABLE_CLIP) != 0;
    const ModelText text = TRY(read_model_text(request));
    return parse_requested_file(text.json, request, text.origin);
}

FeatureRequest overload_request(const char *feature_name, const VmafFeatureDictionary &options) {
    const FeatureDescriptor *const feature = find_feature(feature_name);
    return {feature_name,
            feature == nullptr ? options.entries : known_options(*feature, options.entries, process_log())};
}

void overload(VmafModel &model, const FeatureRequest &request) {
    if (!model.overload(request))
        process_log().warning(fmt::format("the model {} reads no score of a feature {}: the options have no effect",
                                          quote(model.name()), quote(request.name)));
}

namespace {

Result<void> collection_at(const char *function, VmafModel **model, VmafModelCollection **collection,
                           const VmafModelConfig *config, const char *place, ModelPlace kind) {
    TRY(require_arguments(function, model, collection, config, place));
    ModelFile file = TRY(load_file(*config, place, kind));
    if (!file.collection)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{}: {} is a single model: load it with vmaf_model_load", function, quote(place)));
    auto plain = std::make_unique<VmafModel>(score_name(*config), std::move(file.models.front()), path_of(place, kind));
    file.models.erase(file.models.begin());
    *collection = new VmafModelCollection(score_name(*config), std::move(file.models));
    *model = plain.release();
    return {};
}

int load_collection(const char *function, VmafModel **model, VmafModelCollection **collection,
                    const VmafModelConfig *config, const char *place, ModelPlace kind) {
    return guarded([&]() -> int {
        if (model != nullptr)
            *model = nullptr;
        if (collection != nullptr)
            *collection = nullptr;
        const Result<void> loaded = collection_at(function, model, collection, config, place, kind);
        const std::string said_before = std::exchange(refused_as_model, {});
        if (loaded)
            return status_ok;
        return loaded.error().message == said_before ? status_of(loaded.error())
                                                     : report_failure(process_log(), loaded.error());
    });
}

} // namespace

VmafModelCollectionScore collection_score(std::span<const double, 4> statistics) {
    return {VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP, {statistics[0], statistics[1], {{statistics[2], statistics[3]}}}};
}

} // namespace isovmaf::capi

int vmaf_model_load(VmafModel **model, VmafModelConfig *cfg, const char *version) {
    return load_single("vmaf_model_load", model, cfg, version, ModelPlace::built_in);
}

int vmaf_model_load_from_path(VmafModel **model, VmafModelConfig *cfg, const char *path) {
    return load_single("vmaf_model_load_from_path", model, cfg, path, ModelPlace::file);
}

int vmaf_model_feature_overload(VmafModel *model, const char *feature_name, VmafFeatureDictionary *opts_dict) {
    return guarded([&]() -> Result<void> {
        TRY(require_arguments("vmaf_model_feature_overload", model, feature_name, opts_dict));
        overload(*model, overload_request(feature_name, *opts_dict));
        delete opts_dict;
        return {};
    });
}

void vmaf_model_destroy(VmafModel *model) { delete model; }

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

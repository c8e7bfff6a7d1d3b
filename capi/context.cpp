// SPDX-License-Identifier: BSD-2-Clause-Patent
// Contexts: their life, registration, imported scores and handlers.
#include "capi/context.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "capi/dictionary.hpp"

using namespace isovmaf;
using namespace isovmaf::capi;

VmafContext::VmafContext(const VmafConfiguration &config, ExecutionWish wish, const Log &log)
    : log_(log), threads_(config.n_threads), subsample_(std::max(config.n_subsample, 1u)), wish_(std::move(wish)),
      scores_([this](std::size_t column, unsigned index, double score) { stored(column, index, score); }),
      models_(scores_) {}

Result<void> VmafContext::use_feature(std::string_view extractor, const VmafFeatureDictionary *options) {
    if (flushed_) // libvmaf ignores it too
        return {};
    return registration_.add(extractor, options == nullptr ? OptionTexts() : options->entries, log_);
}

Result<void> VmafContext::use_model(const VmafModel &model) {
    TRY(registration_.add(model.name(), model.inputs()));
    used_models_.push_back({&model, model.name()});
    return {};
}

Result<void> VmafContext::use_collection(const VmafModelCollection &collection) {
    return registration_.add(collection.name(), collection.inputs());
}

Result<void> VmafContext::import_score(std::string_view name, double score, unsigned index) {
    settle();
    if (!scores_.set(scores_.find_or_add(name), index, score))
        return fail(ErrorCode::invalid_argument,
                    fmt::format("cannot import {} of frame {}: it has a score already", quote(name), index));
    return {};
}

void VmafContext::stored(std::size_t column, unsigned index, double score) {
    if (handlers_.empty())
        return;
    handlers_.stored(scores_.name(column), index, score);
    touched_.insert(index);
}

/// libvmaf predicts for a handler as soon as all features of a frame are there.
void VmafContext::predict_for_handlers() {
    const std::vector<unsigned> indices = touched_.multiples(1);
    for (const UsedModel &used : used_models_)
        if (handlers_.wants(used.name))
            for (const unsigned index : indices)
                models_.predict_if_possible(*used.model, index);
    touched_.clear();
}

void VmafContext::tell_handlers(std::unique_lock<std::mutex> &lock) {
    if (handlers_.empty())
        return;
    predict_for_handlers();
    handlers_.deliver(lock);
}

/// Waits for the frames in flight. What goes wrong with them is returned by the next call that reads or flushes.
void VmafContext::settle() {
    if (video_ && !flushed_)
        (void)video_->drain();
}

int vmaf_init(VmafContext **vmaf, VmafConfiguration cfg) {
    if (vmaf == nullptr)
        return status_invalid;
    *vmaf = nullptr;
    const Log log(cfg.log_level);
    set_process_log(log);
    return guarded(log, [&]() -> Result<void> {
        const ExecutionWish wish = TRY(execution_wish(cfg)); // a TRY inside of `new` would leak what was allocated
        *vmaf = new VmafContext(cfg, wish, log);
        return {};
    });
}

int vmaf_close(VmafContext *vmaf) {
    if (vmaf == nullptr)
        return status_invalid;
    delete vmaf;
    return status_ok;
}

int vmaf_use_feature(VmafContext *vmaf, const char *feature_name, VmafFeatureDictionary *opts_dict) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) -> Result<void> {
        TRY(require_arguments("vmaf_use_feature", feature_name));
        TRY(context.use_feature(feature_name, opts_dict));
        delete opts_dict;
        return {};
    });
}

int vmaf_use_features_from_model(VmafContext *vmaf, VmafModel *model) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) -> Result<void> {
        TRY(require_arguments("vmaf_use_features_from_model", model));
        return context.use_model(*model);
    });
}

int vmaf_use_features_from_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) -> Result<void> {
        TRY(require_arguments("vmaf_use_features_from_model_collection", model_collection));
        return context.use_collection(*model_collection);
    });
}

int vmaf_import_feature_score(VmafContext *vmaf, const char *feature_name, double value, unsigned index) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) -> Result<void> {
        TRY(require_arguments("vmaf_import_feature_score", feature_name));
        return context.import_score(feature_name, value, index);
    });
}

int vmaf_register_metadata_handler(VmafContext *vmaf, VmafMetadataConfiguration cfg) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) -> Result<void> {
        if (cfg.feature_name == nullptr || cfg.callback == nullptr)
            return fail(ErrorCode::invalid_argument,
                        "vmaf_register_metadata_handler: a handler needs the name of a score and a function");
        context.add_handler(cfg);
        return {};
    });
}

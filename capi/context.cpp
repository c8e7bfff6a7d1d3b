// SPDX-License-Identifier: BSD-2-Clause-Patent
// Contexts: their life, registration, imported scores and handlers.
#include "capi/context.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "capi/dictionary.hpp"
#include "engine/plan/bind_models.hpp"
#include "features/option.hpp"
#include "features/registry.hpp"

namespace isovmaf::capi {

namespace {

/// Whether scores of the feature with these options have names that are there already.
bool has_names(const FeatureSet &set, const FeatureDescriptor &feature, const OptionSet &options) {
    const auto entry = std::ranges::find(set.entries(), &feature, &FeatureSet::Entry::feature);
    return entry != set.entries().end() && std::ranges::any_of(entry->option_sets, [&](const OptionSet &known) {
               return name_suffix(known) == name_suffix(options);
           });
}

} // namespace

Result<void> Registration::add(std::string_view extractor, const OptionTexts &options, const Log &log) {
    const FeatureDescriptor *const feature = find_feature(extractor);
    if (feature == nullptr) {
        std::vector<std::string_view> extractors;
        for (const FeatureDescriptor *const known : all_features())
            extractors.push_back(known->name);
        return fail(ErrorCode::not_found, fmt::format("cannot use the feature extractor {}: this version has {}",
                                                      quote(extractor), fmt::join(extractors, ", ")));
    }
    const OptionTexts known = known_options(*feature, options, log);
    return add(*feature, TRY(OptionSet::parse(feature->name, feature->options, known)));
}

Result<void> Registration::add(std::string_view model, std::span<const ModelInput> inputs) {
    for (const ModelInput &input : inputs) {
        const Result<ResolvedInput> resolved = resolve_input(input);
        if (!resolved)
            return fail(resolved.error().code,
                        fmt::format("cannot use the features of model {}: {}", model, resolved.error().message));
        if (resolved->feature == nullptr)
            return fail(ErrorCode::unsupported,
                        fmt::format("cannot use the features of model {}: this version does not have {}", model,
                                    input.base_name));
        TRY(add(*resolved->feature, resolved->options));
    }
    return {};
}

Result<void> Registration::add(const FeatureDescriptor &feature, const OptionSet &options) {
    if (has_names(features_, feature, options))
        return {};
    if (closed_)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("cannot register feature {} after the first picture: register all features before "
                                "vmaf_read_pictures",
                                feature.name));
    return features_.add(feature, options);
}

namespace {

/// Releases a lock for as long as it exists.
class Released {
  public:
    explicit Released(std::unique_lock<std::mutex> &lock) : lock_(lock) { lock_.unlock(); }
    ~Released() { lock_.lock(); }
    Released(const Released &) = delete;
    Released &operator=(const Released &) = delete;

  private:
    std::unique_lock<std::mutex> &lock_;
};

} // namespace

void MetadataHandlers::add(const VmafMetadataConfiguration &handler) {
    handlers_.push_back({handler.feature_name, handler.callback, handler.data});
}

bool MetadataHandlers::wants(std::string_view name) const {
    return std::ranges::any_of(handlers_, [&](const Handler &handler) { return handler.name == name; });
}

void MetadataHandlers::stored(std::string_view name, unsigned index, double score) {
    if (wants(name))
        queue_.push_back({std::string(name), index, score});
}

void MetadataHandlers::deliver(std::unique_lock<std::mutex> &lock) {
    if (std::exchange(delivering_, true))
        return;
    while (!queue_.empty()) {
        Score score = std::move(queue_.front());
        queue_.pop_front();
        for (std::size_t i = 0; i < handlers_.size(); i++) {
            const Handler &handler = handlers_[i];
            if (handler.name != score.name)
                continue;
            const Released released(lock);
            VmafMetadata metadata{score.name.data(), score.index, score.score};
            handler.callback(handler.data, &metadata);
        }
    }
    delivering_ = false;
}

} // namespace isovmaf::capi

using namespace isovmaf;
using namespace isovmaf::capi;

VmafContext::VmafContext(const VmafConfiguration &config, ExecutionWish wish, const Log &log)
    : log_(log), threads_(config.n_threads), subsample_(std::max(config.n_subsample, 1u)), wish_(std::move(wish)),
      scores_([this](std::size_t column, unsigned index, double score) { stored(column, index, score); }),
      models_(scores_) {}

int VmafContext::status_of(const Result<void> &result) {
    const std::string before = std::exchange(last_failure_, result ? "" : result.error().message);
    if (result)
        return status_ok;
    return last_failure_ == before ? isovmaf::capi::status_of(result.error()) : report_failure(log_, result.error());
}

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
        (void)video_->extraction().drain();
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
    VmafContext::close(vmaf);
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

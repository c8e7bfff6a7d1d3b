// SPDX-License-Identifier: BSD-2-Clause-Patent
// What libvmaf's program registers. Of two registrations of one feature whose scores have the same names, the first one
// counts with all its options, those that are in no name included.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"
#include "features/option.hpp"
#include "features/registry.hpp"
#include "model/model.hpp"
#include "tools/vmaf/options.hpp"

namespace isovmaf::vmaf {

namespace {

/// The name of a feature, and what its options add to the names of its scores.
using Key = std::pair<std::string_view, std::string>;

/// Registrations in the order in which libvmaf's program makes them.
class Registrations {
  public:
    explicit Registrations(bool predicts) : predicts_(predicts) {}

    /// Registers what the model reads, and the model itself if there are predictions.
    Result<void> add(ModelRequest request) {
        for (const FeatureRequest &over : request.feature_options)
            TRY(check_names(over));
        const std::unique_ptr<Model> model = TRY(load_model(request));
        std::set<Key> own;
        std::set<std::string_view> repeated;
        for (const ModelInput &input : model->inputs()) {
            const ResolvedInput resolved = TRY(resolve_input(input));
            if (!resolved.feature && predicts_) // opening the session fails, and names all such inputs
                continue;
            if (!resolved.feature)
                return fail(ErrorCode::unsupported,
                            fmt::format("model {} ({}) reads {}, which this version does not have", model->name(),
                                        model->origin(), input.base_name));
            const Key key{resolved.feature->name, name_suffix(resolved.options)};
            if (known_.contains(key))
                repeated.insert(key.first);
            else if (own.insert(key).second && !predicts_)
                scoring_.features.push_back({std::string(key.first), input.options});
        }
        known_.merge(own);
        if (!predicts_)
            return {};
        for (FeatureRequest &over : request.feature_options)
            if (repeated.contains(over.name))
                drop_plain_options(over);
        scoring_.models.push_back(std::move(request));
        return {};
    }

    /// Other requests that are wrong are left for the session, which says so.
    Result<void> add(const FeatureRequest &request) {
        TRY(check_names(request));
        const FeatureDescriptor *const feature = find_feature(request.name);
        if (feature)
            if (const auto options = OptionSet::parse(feature->name, feature->options, request.options))
                if (!known_.insert({feature->name, name_suffix(*options)}).second)
                    return {};
        scoring_.features.push_back(request);
        return {};
    }

    [[nodiscard]] ScoringOptions scoring() && { return std::move(scoring_); }

  private:
    /// Fails on an alias of an option, which libvmaf's program ignores as any other unknown option.
    static Result<void> check_names(const FeatureRequest &request) {
        const FeatureDescriptor *const feature = find_feature(request.name);
        for (const auto &[name, value] : request.options)
            for (const OptionSpec &spec : feature ? feature->options : std::span<const OptionSpec>())
                if (!spec.alias.empty() && spec.alias == name && spec.name != name)
                    return fail(ErrorCode::invalid_argument,
                                fmt::format("feature {} has no option \"{}\" for libvmaf's program: it is called {}",
                                            request.name, name, spec.name));
        return {};
    }

    static void drop_plain_options(FeatureRequest &request) {
        const std::span<const OptionSpec> known = find_feature(request.name)->options;
        std::erase_if(request.options, [&](const auto &option) {
            return std::ranges::any_of(known, [&](const OptionSpec &spec) {
                return spec.name == option.first && spec.naming == Naming::plain;
            });
        });
    }

    bool predicts_;
    std::set<Key> known_;
    ScoringOptions scoring_;
};

} // namespace

Result<ScoringOptions> register_requests(const Options &options) {
    Registrations registrations(!options.no_prediction);
    for (const ModelRequest &model : options.models)
        TRY(registrations.add(model));
    for (const FeatureRequest &feature : options.features)
        TRY(registrations.add(feature));
    ScoringOptions scoring = std::move(registrations).scoring();
    scoring.subsample = options.subsample;
    return scoring;
}

} // namespace isovmaf::vmaf

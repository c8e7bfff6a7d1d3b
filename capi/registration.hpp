// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string_view>

#include "capi/log.hpp"
#include "engine/plan/feature_set.hpp"
#include "model/model.hpp"

namespace isovmaf::capi {

/// The features that a context runs. Of two registrations whose scores have the same names, the first one counts.
class Registration {
  public:
    /// Registers a feature by the name of its extractor. Options that the feature does not know are ignored with a
    /// warning. Fails on an unknown feature, naming those there are, and on a value that an option does not take.
    Result<void> add(std::string_view extractor, const OptionTexts &options, const Log &log);

    /// Registers the features of a model's inputs, in their order. Fails on inputs that this version does not have.
    Result<void> add(std::string_view model, std::span<const ModelInput> inputs);

    /// From now on only features that are registered already can be registered: the pictures have begun.
    void close() { closed_ = true; }

    [[nodiscard]] const FeatureSet &features() const { return features_; }

  private:
    Result<void> add(const FeatureDescriptor &feature, const OptionSet &options);

    FeatureSet features_;
    bool closed_ = false;
};

} // namespace isovmaf::capi

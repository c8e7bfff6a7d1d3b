// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "engine/plan/feature_set.hpp"
#include "engine/words/words_file.hpp"

namespace isovmaf {

/// What an extraction gives: `plan` is that of `features`.
[[nodiscard]] WordsSchema describe_schema(const FeatureSet &features, const EnginePlan &plan, int subsample);

/// The features and option sets that a schema lists. Fails on those that this version does not have.
[[nodiscard]] Result<FeatureSet> features_of(const WordsSchema &schema);

/// Fails unless the words that a schema lists for the plan's features are those of the plan.
[[nodiscard]] Result<void> check_words(const WordsSchema &schema, const EnginePlan &plan);

/// One sentence on the first thing in which two schemas differ; empty when they are equal.
[[nodiscard]] std::string schema_difference(const WordsSchema &a, const WordsSchema &b);

} // namespace isovmaf

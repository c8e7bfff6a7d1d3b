// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/feature_set.hpp"
#include "features/feature.hpp"
#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"

/// Which maps a run writes (docs/adr/0083): those of the option sets that name a folder for them.
namespace isovmaf {

/// The folder for the maps of an option set; empty: none are asked for.
[[nodiscard]] std::string map_folder(const FeatureDescriptor &feature, const OptionSet &options);

/// Fails when an option set asks for maps. `why` says after a colon why they cannot be written, and what to do.
[[nodiscard]] Result<void> refuse_maps(const FeatureSet &features, std::string_view why);

/// The same scores without maps: for a session beside the one that writes them.
[[nodiscard]] ScoringOptions without_maps(ScoringOptions options);

} // namespace isovmaf

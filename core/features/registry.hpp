// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string_view>

#include "features/feature.hpp"

namespace isovmaf {

/// Every feature of this build, in the order of the list in core/features/meson.build.
[[nodiscard]] std::span<const FeatureDescriptor *const> all_features();

/// By extractor name ("vif"); nullptr when there is none.
[[nodiscard]] const FeatureDescriptor *find_feature(std::string_view name);

/// The feature that declares an output's base name or alias ("VMAF_integer_feature_adm2_score"), or nullptr.
[[nodiscard]] const FeatureDescriptor *find_feature_of_output(std::string_view base_name);

} // namespace isovmaf

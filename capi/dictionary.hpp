// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

#include "capi/status.hpp"
#include "isovmaf/request.hpp"
#include "libvmaf/feature.h"

/// Keys in the order in which they were first set.
struct VmafFeatureDictionary {
    isovmaf::OptionTexts entries;
};

namespace isovmaf {

struct FeatureDescriptor;

namespace capi {

/// The options that `feature` knows by name. libvmaf ignores the others, aliases too; each of those gets a warning.
[[nodiscard]] OptionTexts known_options(const FeatureDescriptor &feature, const OptionTexts &options, const Log &log);

} // namespace capi
} // namespace isovmaf

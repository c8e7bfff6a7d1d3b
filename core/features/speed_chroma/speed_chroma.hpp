// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/feature.hpp"

namespace isovmaf {

/// SpEED of both chroma planes: how much the local entropies of the pictures differ (speed.md §9).
extern const FeatureDescriptor speed_chroma_feature;

/// Comparisons of an option set (core/features/speed/speed.hpp).
struct SpeedChromaComparisons {
    std::size_t u = 0, v = 0;
};

/// speed_chroma_finish.cpp. `options` belong to speed_chroma_feature.
std::unique_ptr<Finisher> make_speed_chroma_finisher(const OptionSet &options,
                                                     const SpeedChromaComparisons &comparisons);

} // namespace isovmaf

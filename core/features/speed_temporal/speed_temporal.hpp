// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/feature.hpp"

namespace isovmaf {

/// SpEED of the change of luma from the previous frame (speed.md §10).
extern const FeatureDescriptor speed_temporal_feature;

/// speed_temporal_finish.cpp: for a comparison of core/features/speed/speed.hpp.
std::unique_ptr<Finisher> make_speed_temporal_finisher(std::size_t comparison);

} // namespace isovmaf

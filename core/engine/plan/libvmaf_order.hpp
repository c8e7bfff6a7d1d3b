// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <vector>

#include "engine/plan/feature_set.hpp"

namespace isovmaf {

/// The plan's columns in the order of libvmaf's reports: see Session::libvmaf_order.
[[nodiscard]] std::vector<std::size_t> libvmaf_order(const EnginePlan &plan, int threads, int subsample);

} // namespace isovmaf

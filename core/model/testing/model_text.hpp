// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <nlohmann/json.hpp>

namespace isovmaf {

/// A small valid model that reads motion2 of motion, and an output of a feature that no build has.
nlohmann::json small_model();

/// A collection of model 0 and `members` members with different scores.
nlohmann::json small_collection(int members);

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

#include "common/outcome.hpp"
#include "gpu_layer/api.hpp"

namespace isovmaf::gpu {

using plugin::FailedOutcome;
using plugin::Outcome;

/// What a code of the runtime means to the caller of a plugin.
[[nodiscard]] isovmaf_status status_of(hipError_t error);

/// The code's name and number: "hipErrorNoDevice (100)".
[[nodiscard]] std::string error_text(const Api &api, hipError_t error);

/// `attempted` is what the sentence starts with: "copying 64 bytes".
[[nodiscard]] FailedOutcome runtime_failure(const Api &api, hipError_t error, std::string_view attempted);

/// Throws a FailedOutcome unless the runtime succeeded.
inline void check(const Api &api, hipError_t error, std::string_view attempted) {
    if (error != hipSuccess)
        throw runtime_failure(api, error, attempted);
}

} // namespace isovmaf::gpu

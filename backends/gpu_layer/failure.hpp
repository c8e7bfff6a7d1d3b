// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

#include "common/outcome.hpp"
#include "gpu_layer/api.hpp"

namespace isovmaf::gpu {

using plugin::FailedOutcome;
using plugin::Outcome;

/// The plugin's status for an error code of the runtime.
[[nodiscard]] isovmaf_status status_of(hipError_t error);

/// The error's name and number: "hipErrorNoDevice (100)".
[[nodiscard]] std::string error_text(const Api &api, hipError_t error);

/// The sentence starts with `attempted`: "copying 64 bytes".
[[nodiscard]] FailedOutcome runtime_failure(const Api &api, hipError_t error, std::string_view attempted);

/// Throws FailedOutcome unless the runtime's call succeeded.
inline void check(const Api &api, hipError_t error, std::string_view attempted) {
    if (error != hipSuccess)
        throw runtime_failure(api, error, attempted);
}

} // namespace isovmaf::gpu

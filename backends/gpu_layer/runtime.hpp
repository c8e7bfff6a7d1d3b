// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "gpu_layer/api.hpp"

namespace isovmaf::gpu {

/// The runtime of this process. The first call opens and starts it. Throws FailedOutcome with ISOVMAF_UNAVAILABLE, with
/// the same sentence each time.
[[nodiscard]] const Api &runtime();

/// The number of devices, at least 1. Throws FailedOutcome with ISOVMAF_UNAVAILABLE.
[[nodiscard]] int device_count(const Api &api);

[[nodiscard]] isovmaf_runtime_info describe_runtime(const Api &api);

/// The device has to be the calling thread's current device.
[[nodiscard]] isovmaf_device_info describe_device(const Api &api, int device);

/// Copies as much as fits, zero-terminated.
template <std::size_t size>
void copy_text(char (&to)[size], const std::string &from) {
    to[from.copy(to, size - 1)] = '\0';
}

/// Whether an environment variable is set to 1.
[[nodiscard]] bool is_set(const char *variable);

/// Whether recorded commands are replayed as one: the runtime can, and ISOVMAF_NO_GRAPHS does not forbid it.
[[nodiscard]] bool graphs_are_used(const Api &api);

} // namespace isovmaf::gpu

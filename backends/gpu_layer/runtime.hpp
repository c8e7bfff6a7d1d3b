// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "gpu_layer/failure.hpp"

namespace isovmaf::gpu {

/// The runtime of this process, opened and started by the first call and kept. Throws FailedOutcome, UNAVAILABLE: the
/// same sentence each time.
[[nodiscard]] const Api &runtime();

/// Devices it has, at least one. Throws FailedOutcome, UNAVAILABLE.
[[nodiscard]] int device_count(const Api &api);

[[nodiscard]] isovmaf_runtime_info describe_runtime(const Api &api);

/// The device is the calling thread's.
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

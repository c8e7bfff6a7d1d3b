// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "device/device.hpp"

namespace isovmaf {

/// Names the environment variable that decides in place of the measurement: 1 has kernels read pictures of the host in
/// place, 0 has them uploaded. It changes nothing on a device that shares no memory.
inline constexpr const char *host_pictures_variable = "ISOVMAF_SHARED_MEMORY";

/// What a few milliseconds of measuring say about a device that shares the host's memory: whether kernels that read
/// pictures where the host wrote them are faster than copies. Both give the same words. A process measures a device
/// once. Fails when the variable has another value. Thread-safe.
[[nodiscard]] Result<HostPictures> find_host_pictures(const Device &device);

} // namespace isovmaf

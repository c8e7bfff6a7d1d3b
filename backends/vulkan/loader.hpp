// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

namespace isovmaf::vulkan {

/// Opens Vulkan's loader, once: the file that ISOVMAF_VULKAN_LOADER names, else the system's. It stays open for as long
/// as the process lives. The name of its file. Throws FailedOutcome, UNAVAILABLE. One thread at a time.
[[nodiscard]] const std::string &open_loader();

} // namespace isovmaf::vulkan

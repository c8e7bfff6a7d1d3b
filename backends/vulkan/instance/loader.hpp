// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

namespace isovmaf::vulkan {

/// Opens Vulkan's loader, the file that ISOVMAF_VULKAN_LOADER names, else the system's, and returns the name of its
/// file. Later calls do nothing: the loader stays open until the process ends. One thread at a time. Throws
/// FailedOutcome: UNAVAILABLE.
[[nodiscard]] const std::string &open_loader();

} // namespace isovmaf::vulkan

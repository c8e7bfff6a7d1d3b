// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#define VK_NO_PROTOTYPES
#include <volk.h>

/// Vulkan through volk. The plugin does not link to Vulkan's loader but opens it when it is first used (docs/adr/0020).
/// Functions of an instance are volk's global function pointers; each open device has a table of its own functions.
namespace isovmaf::vulkan {

/// A structure of Vulkan in which all members except its type are zero.
template <class T>
[[nodiscard]] T structure(VkStructureType type) {
    T zero{};
    zero.sType = type;
    return zero;
}

/// An open device and its functions.
struct Api {
    VkDevice device = VK_NULL_HANDLE;
    VolkDeviceTable call{};
};

/// Opens Vulkan's loader, the file that ISOVMAF_VULKAN_LOADER names, else the system's, and returns the name of its
/// file. Later calls do nothing: the loader stays open until the process ends. One thread at a time. Throws
/// FailedOutcome: UNAVAILABLE.
[[nodiscard]] const std::string &open_loader();

} // namespace isovmaf::vulkan

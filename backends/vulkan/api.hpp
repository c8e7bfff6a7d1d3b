// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#define VK_NO_PROTOTYPES
#include <volk.h>

/// Vulkan through volk: nothing links to the loader, which is opened when it is used (docs/adr/0020). What belongs to
/// an instance is called by volk's names; each open device has a table of its own.
namespace isovmaf::vulkan {

/// A structure of Vulkan with all but its type zero.
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

} // namespace isovmaf::vulkan

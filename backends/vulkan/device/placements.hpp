// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "vulkan/api.hpp"

namespace isovmaf::vulkan {

/// A position in a buffer of Vulkan.
struct Place {
    VkBuffer buffer = VK_NULL_HANDLE;
    std::uint64_t offset = 0;
    bool external = false; ///< in memory that another API exported
};

/// Finds the buffer for a device address: callers pass addresses, and Vulkan's commands need buffers. Thread-safe.
class Placements {
  public:
    void add(VkDeviceAddress address, std::uint64_t bytes, const Place &place);
    void remove(VkDeviceAddress address);

    /// Throws FailedOutcome: INVALID unless all of the bytes lie in one buffer.
    [[nodiscard]] Place find(VkDeviceAddress address, std::uint64_t bytes) const;

  private:
    struct Placed {
        std::uint64_t bytes;
        Place place;
    };

    mutable std::mutex mutex_;
    std::map<VkDeviceAddress, Placed> placed_;
};

} // namespace isovmaf::vulkan

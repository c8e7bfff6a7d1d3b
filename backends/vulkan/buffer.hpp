// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string_view>

#include "vulkan/device.hpp"

/// Memory of a device, or memory of the host that its copies reach.
struct isovmaf_buffer {
  public:
    /// Throws Failure.
    isovmaf_buffer(isovmaf_device &device, isovmaf_memory kind, std::uint64_t bytes);

    [[nodiscard]] isovmaf_device &device() const { return device_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] VkBuffer handle() const { return memory_.buffer.get(); }
    [[nodiscard]] void *host() const { return memory_.host; } ///< nullptr for device memory

    /// Whether kernels reach it: it has an address then.
    [[nodiscard]] bool on_device() const { return memory_.address != 0; }
    [[nodiscard]] VkDeviceAddress address() const { return memory_.address; }

  private:
    isovmaf_device &device_;
    std::uint64_t bytes_;
    isovmaf::vulkan::Memory memory_;
};

namespace isovmaf::vulkan {

/// Throws Failure, INVALID, unless `bytes` bytes at a range lie inside its buffer, which belongs to `device`.
void require_inside(const isovmaf_device &device, const isovmaf_range &range, std::uint64_t bytes,
                    std::string_view what);

} // namespace isovmaf::vulkan

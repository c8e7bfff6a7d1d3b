// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "vulkan/device.hpp"

/// Memory of a device, or memory of the host that its copies reach.
struct isovmaf_buffer {
  public:
    /// Throws FailedOutcome.
    isovmaf_buffer(isovmaf_device &device, isovmaf_memory kind, std::uint64_t bytes);
    /// Bytes of another buffer of the device. Throws FailedOutcome.
    isovmaf_buffer(isovmaf_device &device, VkDeviceAddress address, std::uint64_t bytes);
    /// Memory of another API. Throws FailedOutcome.
    isovmaf_buffer(isovmaf_device &device, const isovmaf_external_memory &external);
    isovmaf_buffer(const isovmaf_buffer &) = delete;
    isovmaf_buffer &operator=(const isovmaf_buffer &) = delete;
    ~isovmaf_buffer();

    [[nodiscard]] isovmaf_device &device() const { return device_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] const isovmaf::vulkan::Place &place() const { return place_; }
    [[nodiscard]] void *host() const { return memory_.host; } ///< nullptr for device memory

    /// Whether kernels reach it: it has an address then.
    [[nodiscard]] bool on_device() const { return address_ != 0; }
    [[nodiscard]] VkDeviceAddress address() const { return address_; }

  private:
    isovmaf_device &device_;
    std::uint64_t bytes_;
    isovmaf::vulkan::Memory memory_; ///< empty when another buffer has it
    VkDeviceAddress address_;
    isovmaf::vulkan::Place place_;
};

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "vulkan/contract/device.hpp"

/// Memory of a device, or host memory that copies of the device can read and write.
struct isovmaf_buffer {
  public:
    /// Throws FailedOutcome.
    isovmaf_buffer(isovmaf_device &device, isovmaf_memory kind, std::uint64_t bytes);
    /// A part of another buffer of the device, which has to stay alive. Throws FailedOutcome.
    isovmaf_buffer(isovmaf_device &device, VkDeviceAddress address, std::uint64_t bytes);
    /// Memory that another API exported. Throws FailedOutcome.
    isovmaf_buffer(isovmaf_device &device, const isovmaf_external_memory &external);
    isovmaf_buffer(const isovmaf_buffer &) = delete;
    isovmaf_buffer &operator=(const isovmaf_buffer &) = delete;
    ~isovmaf_buffer();

    [[nodiscard]] isovmaf_device &device() const { return device_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] const isovmaf::vulkan::Place &place() const { return place_; }
    [[nodiscard]] void *host() const { return memory_.host; } ///< nullptr for device memory

    /// Whether kernels can access the buffer: only then has it an address.
    [[nodiscard]] bool on_device() const { return address_ != 0; }
    [[nodiscard]] VkDeviceAddress address() const { return address_; }

  private:
    isovmaf_device &device_;
    std::uint64_t bytes_;
    isovmaf::vulkan::Memory memory_; ///< empty for a part of another buffer
    VkDeviceAddress address_;
    isovmaf::vulkan::Place place_;
};

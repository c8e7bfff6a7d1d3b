// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <string>
#include <vector>

#define VK_NO_PROTOTYPES
#include <volk.h>

#include "engine/testing/external_pool.hpp"

namespace isovmaf::testing {

/// Somebody else who uses the GPU, a decoder say: an instance and a device of Vulkan of its own, which allocates
/// memory, fills it with copies on its queue, and exports it. One at a time in a process; throws std::runtime_error.
class Exporter {
  public:
    /// On the first device of that name.
    explicit Exporter(const std::string &device_name);
    Exporter(const Exporter &) = delete;
    Exporter &operator=(const Exporter &) = delete;
    ~Exporter();

    /// Why it exports no such memory; empty when it does.
    [[nodiscard]] std::string missing(ExternalKind kind) const;

    [[nodiscard]] std::unique_ptr<ExportedMemory> allocate(ExternalKind kind, std::uint64_t bytes) const;

  private:
    void open_instance();
    void choose_device(const std::string &name);
    void open_device();
    [[nodiscard]] bool has_extension(const char *name) const;

    VkInstance instance_ = VK_NULL_HANDLE;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    std::uint32_t family_ = 0;
    std::vector<std::string> extensions_; ///< of the device
};

} // namespace isovmaf::testing

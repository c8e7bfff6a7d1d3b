// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <string>
#include <vector>

#define VK_NO_PROTOTYPES
#include <volk.h>

#include "engine/testing/external_pool.hpp"

namespace isovmaf::testing {

/// Another user of the GPU, such as a decoder: it has its own instance and device of Vulkan, allocates memory, fills it
/// with copies on its queue, and exports it. Only one may exist at a time. Throws std::runtime_error.
class Exporter {
  public:
    /// Uses the first device of that name.
    explicit Exporter(const std::string &device_name);
    Exporter(const Exporter &) = delete;
    Exporter &operator=(const Exporter &) = delete;
    ~Exporter();

    /// The reason why the device cannot export such memory; empty when it can.
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

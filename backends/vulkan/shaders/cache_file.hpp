// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "vulkan/api.hpp"

namespace isovmaf::vulkan {

/// A file that keeps the kernels as the driver compiled them, from one run to the next. A file that is damaged or
/// belongs to another program counts as absent. If the folder cannot be written to, no file is kept. Neither is a
/// failure.
class CacheFile {
  public:
    /// Reads the file. Without a path nothing is read or stored.
    explicit CacheFile(std::filesystem::path path);

    /// The file of a device, its driver and this build of the plugin, in the user's folder for caches.
    [[nodiscard]] static CacheFile of_device(const VkPhysicalDeviceProperties &properties);

    /// The content that was read; empty when there was no file.
    [[nodiscard]] std::span<const std::byte> data() const { return data_; }

    /// Replaces the file by a rename, unless it has this content already.
    void store(std::span<const std::byte> data) const noexcept;

    [[nodiscard]] const std::filesystem::path &path() const { return path_; }

  private:
    std::filesystem::path path_;
    std::vector<std::byte> data_;
};

} // namespace isovmaf::vulkan

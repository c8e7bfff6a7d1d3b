// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "vulkan/api.hpp"

namespace isovmaf::vulkan {

/// What a driver made of the kernels, kept in a file from one run to the next. A file that is not whole, or not ours,
/// is taken for none; a folder that cannot be written to means no file. Neither is a failure.
class CacheFile {
  public:
    /// Reads what there is. No path: nothing is kept.
    explicit CacheFile(std::filesystem::path path);

    /// The file of a device, its driver and this build of the plugin, in the user's folder for caches.
    [[nodiscard]] static CacheFile of_device(const VkPhysicalDeviceProperties &properties);

    /// As it was read; empty when there was none.
    [[nodiscard]] std::span<const std::byte> data() const { return data_; }

    /// Replaces the file in one step, unless it has that content.
    void store(std::span<const std::byte> data) const noexcept;

    [[nodiscard]] const std::filesystem::path &path() const { return path_; }

  private:
    std::filesystem::path path_;
    std::vector<std::byte> data_;
};

} // namespace isovmaf::vulkan

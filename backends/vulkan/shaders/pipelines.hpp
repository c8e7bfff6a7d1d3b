// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "vulkan/api.hpp"
#include "vulkan/shaders/cache_file.hpp"
#include "vulkan/shaders/kernels.hpp"

/// Lives as long as its LogicalDevice.
struct isovmaf_kernel {
    const isovmaf::vulkan::KernelImage *image;
    isovmaf::vulkan::Pipeline pipeline;
};

namespace isovmaf::vulkan {

/// The kernels of a device. A kernel is compiled when it is first requested; a cache file keeps the result.
/// Thread-safe.
class Pipelines {
  public:
    Pipelines(const Api &api, const VkPhysicalDeviceProperties &properties, bool int64_atomics);
    Pipelines(const Pipelines &) = delete;
    Pipelines &operator=(const Pipelines &) = delete;

    /// Throws FailedOutcome: UNSUPPORTED when there is no such kernel.
    [[nodiscard]] isovmaf_kernel *find(const char *name);

    /// Writes the cache file if a kernel was compiled since the last call.
    void store() noexcept;

    /// The layout that all kernels share: one block of arguments, at a dynamic offset.
    [[nodiscard]] VkDescriptorSetLayout arguments_layout() const { return arguments_.get(); }
    [[nodiscard]] VkPipelineLayout layout() const { return layout_.get(); }

  private:
    [[nodiscard]] Pipeline compile(const KernelImage &image) const;

    const Api &api_;
    bool int64_atomics_;
    CacheFile file_;
    DescriptorSetLayout arguments_;
    PipelineLayout layout_;
    PipelineCache cache_;
    std::mutex mutex_; ///< guards the members below, and compiling
    std::map<std::string, isovmaf_kernel, std::less<>> kernels_;
    bool stored_ = true; ///< whether the cache file has all compiled kernels
};

} // namespace isovmaf::vulkan

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "vulkan/cache_file.hpp"
#include "vulkan/handle.hpp"
#include "vulkan/kernels.hpp"

/// Lives as long as its device.
struct isovmaf_kernel {
    const isovmaf::vulkan::KernelImage *image;
    isovmaf::vulkan::Pipeline pipeline;
};

namespace isovmaf::vulkan {

/// A device's kernels, each compiled when it is first asked for, with a cache that outlives the process. Thread-safe.
class Pipelines {
  public:
    Pipelines(const Api &api, const VkPhysicalDeviceProperties &properties, bool int64_atomics);
    Pipelines(const Pipelines &) = delete;
    Pipelines &operator=(const Pipelines &) = delete;

    /// Throws FailedOutcome: UNSUPPORTED when there is no such kernel.
    [[nodiscard]] isovmaf_kernel *find(const char *name);

    /// Writes the cache if it has grown.
    void store() noexcept;

    /// Of all kernels: one block of arguments, at a dynamic offset.
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
    std::mutex mutex_; ///< guards what follows, and compiling
    std::map<std::string, isovmaf_kernel, std::less<>> kernels_;
    bool stored_ = true; ///< all that was compiled
};

} // namespace isovmaf::vulkan

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "vulkan/api.hpp"

namespace isovmaf::vulkan {

/// Queues of one family.
struct QueueFamily {
    std::uint32_t index;
    std::uint32_t queues;         ///< how many of them the plugin uses
    std::uint32_t timestamp_bits; ///< 0: its queues have no timestamps
};

struct QueueFamilies {
    QueueFamily compute;                 ///< for kernels, and for copies if there is no transfer family
    std::optional<QueueFamily> transfer; ///< a family for copies only, which run beside kernels
};

[[nodiscard]] std::vector<VkQueueFamilyProperties> families_of(VkPhysicalDevice device);

/// Chooses for compute a family without graphics if there is one, then the one with most queues, then the first.
/// Chooses for transfers the first family that can copy and cannot compute, draw or process video. None if no family
/// computes.
[[nodiscard]] std::optional<QueueFamilies> choose_queue_families(std::span<const VkQueueFamilyProperties> families);

/// A queue of Vulkan, which several queues of the plugin contract may share. The thread that submits holds the mutex.
struct SubmitQueue {
    VkQueue handle = VK_NULL_HANDLE;
    std::mutex mutex;
    std::size_t users = 0; ///< queues of the contract that submit here; SubmitQueues counts them
};

/// The queues of one family, the best one first. Thread-safe.
///
/// Which of Vulkan's queues a session submits to changes how fast it is, though all queues of a family have the same
/// properties (docs/research/vulkan.md). So a session gets the best queues that no other session uses, whatever ran
/// before it in the process.
class SubmitQueues {
  public:
    /// Adds a queue that is used when those before it have more users.
    void add(VkQueue queue);

    /// The queue with the fewest users; of several the first. The caller gives it back with `release`.
    [[nodiscard]] SubmitQueue &acquire();
    void release(SubmitQueue &queue);

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<SubmitQueue>> queues_;
};

} // namespace isovmaf::vulkan

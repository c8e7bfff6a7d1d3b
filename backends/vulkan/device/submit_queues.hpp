// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "vulkan/api.hpp"

namespace isovmaf::vulkan {

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

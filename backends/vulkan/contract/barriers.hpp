// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <vector>

#include "vulkan/contract/operation.hpp"

namespace isovmaf::vulkan {

/// Records barriers between the operations of a sequence, so that each operation sees the effects of those before it.
///
/// A barrier is recorded before every operation, from the pipeline stage of the previous operation to that of the next.
/// Through the chain of barriers all earlier writes become visible too. Successive copies and fills that touch
/// different bytes need no barrier. A launch always needs one, because the bytes that it reads and writes are not
/// known.
class Barriers {
  public:
    Barriers(const Api &api, VkCommandBuffer commands) : api_(api), commands_(commands) {}

    void before_transfer(const std::vector<Access> &accesses);
    void before_launch();

    /// The next operation starts after all operations recorded so far, whichever bytes it touches.
    void separate_next() { separate_next_ = true; }

    /// Makes everything that was written visible to the host.
    void before_host();

  private:
    void barrier(VkPipelineStageFlags from, VkPipelineStageFlags to, VkAccessFlags access);

    const Api &api_;
    VkCommandBuffer commands_;
    VkPipelineStageFlags stage_ = 0;  ///< of the last recorded operation; 0: there is none yet
    VkPipelineStageFlags stages_ = 0; ///< of all recorded operations
    bool separate_next_ = false;
    std::vector<Access> unordered_; ///< accesses of the copies and fills since the last barrier
};

} // namespace isovmaf::vulkan

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <vector>

#include "vulkan/operation.hpp"

namespace isovmaf::vulkan {

/// Puts the barriers between a sequence's operations, so that each sees the effects of those before it.
///
/// A barrier goes before every operation, from the stage of the one before to its own; over that chain all earlier
/// writes are visible too. Copies and fills that follow each other and touch different bytes need none. What a launch
/// reads and writes is not known.
class Barriers {
  public:
    Barriers(const Api &api, VkCommandBuffer commands) : api_(api), commands_(commands) {}

    void before_transfer(const std::vector<Access> &accesses);
    void before_launch();

    /// What follows starts after what was recorded so far, whatever it touches.
    void divide() { divided_ = true; }

    /// The host sees what was written.
    void before_host();

  private:
    void barrier(VkPipelineStageFlags from, VkPipelineStageFlags to, VkAccessFlags access);

    const Api &api_;
    VkCommandBuffer commands_;
    VkPipelineStageFlags stage_ = 0;  ///< of what was recorded last; 0: nothing yet
    VkPipelineStageFlags stages_ = 0; ///< of all that was recorded
    bool divided_ = false;
    std::vector<Access> open_; ///< of the copies and fills since the last barrier
};

} // namespace isovmaf::vulkan

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <span>

#include "vulkan/contract/commands.hpp"

/// A queue of the plugin contract. Each submission waits on the queue's timeline for the one before it. So several
/// queues of the contract may share one queue of Vulkan. A ticket is the value to which its submission raises the
/// timeline.
struct isovmaf_queue {
  public:
    /// Throws FailedOutcome.
    explicit isovmaf_queue(isovmaf_device &device);
    isovmaf_queue(const isovmaf_queue &) = delete;
    isovmaf_queue &operator=(const isovmaf_queue &) = delete;
    ~isovmaf_queue();

    [[nodiscard]] isovmaf_device &device() const { return device_; }

    /// Throws FailedOutcome.
    [[nodiscard]] std::uint64_t submit(isovmaf_commands &commands, std::span<const isovmaf_ticket> waits);

    /// False when `timeout_ns` passed first. Throws FailedOutcome.
    [[nodiscard]] bool wait(std::uint64_t ticket, std::uint64_t timeout_ns) const;

  private:
    void require_issued(std::uint64_t ticket) const;

    /// The queue of Vulkan that takes this queue's submissions to a family; chosen at the first one.
    [[nodiscard]] isovmaf::vulkan::SubmitQueue &submit_queue(std::uint32_t family);

    isovmaf_device &device_;
    isovmaf::vulkan::Timeline timeline_;
    std::uint64_t first_;             ///< the timeline's value before this queue used it
    std::atomic<std::uint64_t> last_; ///< the newest ticket
    std::map<std::uint32_t, isovmaf::vulkan::SubmitQueue *> submit_queues_; ///< by family
};

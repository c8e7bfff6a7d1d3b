// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "vulkan/commands.hpp"

/// An order of submissions, kept by a timeline: each waits for the one before it, so they may go to different queues of
/// Vulkan, which other orders use too. A ticket is the value that its submission counts up to.
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

    /// False when the time was up. Throws FailedOutcome.
    [[nodiscard]] bool wait(std::uint64_t ticket, std::uint64_t timeout_ns) const;

  private:
    void require_given_out(std::uint64_t ticket) const;

    isovmaf_device &device_;
    std::uint32_t number_; ///< of the queue among all of the device
    isovmaf::vulkan::Timeline timeline_;
    std::uint64_t first_;             ///< what a queue before this one counted up to
    std::atomic<std::uint64_t> last_; ///< the newest ticket
};

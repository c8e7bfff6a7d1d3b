// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "gpu_layer/operation.hpp"

/// A stream, and an event for each submission that may still run. Tickets count from 1.
///
/// A thread that waits owns the event together with the queue, so that `submit` does not reuse it meanwhile.
struct isovmaf_queue {
  public:
    /// Throws FailedOutcome.
    isovmaf_queue(isovmaf_device &device, isovmaf::gpu::hipStream_t borrowed)
        : device_(device), stream_(borrowed ? isovmaf::gpu::Stream(borrowed) : isovmaf::gpu::Stream(device.api())) {}

    [[nodiscard]] isovmaf_device &device() const { return device_; }

    /// For another library that uses the same runtime.
    [[nodiscard]] isovmaf::gpu::hipStream_t stream() const { return stream_.get(); }

    /// Throws FailedOutcome.
    [[nodiscard]] std::uint64_t submit(isovmaf_commands &commands, std::span<const isovmaf_ticket> waits);

    /// False when the ticket was not done in time. Throws FailedOutcome.
    [[nodiscard]] bool wait(std::uint64_t ticket, std::uint64_t timeout_ns);

  private:
    using SharedEvent = std::shared_ptr<isovmaf::gpu::Event>;

    [[nodiscard]] SharedEvent event_of(std::uint64_t ticket);
    [[nodiscard]] SharedEvent unused_event();
    void retire(std::uint64_t ticket);

    isovmaf_device &device_;
    isovmaf::gpu::Stream stream_;
    std::mutex mutex_; ///< guards the members below
    std::uint64_t last_ = 0;
    std::uint64_t done_ = 0;           ///< this ticket and all before it are done
    std::deque<SharedEvent> running_;  ///< of the tickets after done_
    std::vector<SharedEvent> retired_; ///< reused once no thread waits for them
};

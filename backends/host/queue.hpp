// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "host/commands.hpp"

namespace isovmaf::host {

/// The newest finished ticket of a queue. Shared with other queues, which may still wait for it after its queue is
/// gone.
class Progress {
  public:
    /// Marks `ticket` as finished: its work no longer accesses memory.
    void advance(std::uint64_t ticket, const Outcome &outcome);

    /// Waits until `ticket` is finished. NOT_READY after `timeout_ns`; a failure when `ticket` or an earlier one
    /// failed.
    [[nodiscard]] Outcome wait(std::uint64_t ticket, std::uint64_t timeout_ns) const;

  private:
    mutable std::mutex mutex_;
    mutable std::condition_variable advanced_;
    std::uint64_t done_ = 0;
    Outcome failure_;
    std::uint64_t failed_ticket_ = 0; ///< the first ticket that failed; 0: none
};

} // namespace isovmaf::host

/// Executes submissions on a thread of its own. After a failure it executes nothing more: its later tickets, and the
/// submissions of other queues that wait for them, fail with the same sentence.
struct isovmaf_queue {
  public:
    explicit isovmaf_queue(isovmaf_device &device);
    ~isovmaf_queue();
    isovmaf_queue(const isovmaf_queue &) = delete;
    isovmaf_queue &operator=(const isovmaf_queue &) = delete;

    [[nodiscard]] isovmaf::host::Outcome submit(isovmaf_commands &commands, std::span<const isovmaf_ticket> waits,
                                                std::uint64_t &ticket);
    [[nodiscard]] isovmaf::host::Outcome wait(std::uint64_t ticket, std::uint64_t timeout_ns) const;

  private:
    struct Wait {
        std::shared_ptr<const isovmaf::host::Progress> progress;
        std::uint64_t ticket;
    };
    struct Submission {
        isovmaf_commands *commands;
        std::vector<Wait> waits;
        std::uint64_t ticket;
    };

    void work();
    [[nodiscard]] std::optional<Submission> next();
    [[nodiscard]] isovmaf::host::Outcome check_ticket(std::uint64_t ticket) const;
    [[nodiscard]] isovmaf::host::Outcome perform(const Submission &submission);

    isovmaf_device &device_;
    const std::shared_ptr<isovmaf::host::Progress> progress_ = std::make_shared<isovmaf::host::Progress>();
    isovmaf::host::ThreadPool pool_;
    std::mutex mutex_;
    std::condition_variable submitted_;
    std::deque<Submission> submissions_;
    std::atomic<std::uint64_t> last_ticket_{0}; ///< accessed relaxed, so that it orders nothing
    bool stop_ = false;
    std::thread worker_; ///< the last member, because the thread uses all others
};

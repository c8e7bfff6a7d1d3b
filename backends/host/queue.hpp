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

/// How far a queue has come. Other queues hold on to it for as long as they wait for it.
class Progress {
  public:
    /// `ticket` is done: nothing touches any more what it was about.
    void advance(std::uint64_t ticket, const Outcome &outcome);

    /// Until `ticket` is done; NOT_READY when `timeout_ns` have passed, a failure when it or one before it failed.
    [[nodiscard]] Outcome wait(std::uint64_t ticket, std::uint64_t timeout_ns) const;

  private:
    mutable std::mutex mutex_;
    mutable std::condition_variable advanced_;
    std::uint64_t done_ = 0;
    Outcome failure_;
    std::uint64_t failed_ticket_ = 0; ///< the first
};

} // namespace isovmaf::host

/// Works through submissions on a thread of its own. After a failure it works no more: its later tickets, and whatever
/// waits for them, fail with the same sentence.
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
    std::atomic<std::uint64_t> last_ticket_{0}; ///< relaxed: looking at it orders nothing
    bool stop_ = false;
    std::thread worker_; ///< last: it uses all the others
};

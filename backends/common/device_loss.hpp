// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "common/outcome.hpp"

namespace isovmaf::plugin {

/// What made a device useless; the first sentence stays. Thread-safe.
class DeviceLoss {
  public:
    [[nodiscard]] bool happened() const { return happened_.load(std::memory_order_acquire); }

    [[nodiscard]] Outcome outcome() const {
        const std::lock_guard lock(mutex_);
        return {ISOVMAF_DEVICE_LOST, sentence_};
    }

    /// Remembers an outcome that is a loss, and gives it back in any case.
    [[nodiscard]] Outcome remember(Outcome outcome) {
        if (outcome.status == ISOVMAF_DEVICE_LOST) {
            const std::lock_guard lock(mutex_);
            if (sentence_.empty())
                sentence_ = outcome.sentence;
            happened_.store(true, std::memory_order_release);
        }
        return outcome;
    }

  private:
    std::atomic<bool> happened_{false};
    mutable std::mutex mutex_;
    std::string sentence_;
};

} // namespace isovmaf::plugin

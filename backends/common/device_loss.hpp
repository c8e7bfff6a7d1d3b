// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "common/outcome.hpp"

namespace isovmaf::plugin {

/// Remembers that a device was lost, and the sentence of the first failure that said so. Thread-safe.
class DeviceLoss {
  public:
    [[nodiscard]] bool happened() const { return happened_.load(std::memory_order_acquire); }

    [[nodiscard]] Outcome outcome() const {
        const std::lock_guard lock(mutex_);
        return {ISOVMAF_DEVICE_LOST, sentence_};
    }

    /// Remembers `outcome` if it is ISOVMAF_DEVICE_LOST. Returns it unchanged.
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

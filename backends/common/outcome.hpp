// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "isovmaf/backend.h"

/// How the entries of a plugin's table report success and failure.
namespace isovmaf::plugin {

/// A status and, unless it is ISOVMAF_OK, one sentence: what was attempted, on what, what came back.
struct Outcome {
    isovmaf_status status = ISOVMAF_OK;
    std::string sentence;

    [[nodiscard]] bool ok() const { return status == ISOVMAF_OK; }
};

/// An Outcome that is not OK, thrown inside a plugin. `run_entry` catches it.
class FailedOutcome final : public std::exception {
  public:
    FailedOutcome(isovmaf_status status, std::string sentence) : outcome_{status, std::move(sentence)} {}

    [[nodiscard]] const Outcome &outcome() const { return outcome_; }
    [[nodiscard]] const char *what() const noexcept override { return outcome_.sentence.c_str(); }

  private:
    Outcome outcome_;
};

/// Throws FailedOutcome with ISOVMAF_INVALID unless `condition` holds. `sentence` says what the plugin's caller did
/// wrong.
inline void require(bool condition, const char *sentence) {
    if (!condition)
        throw FailedOutcome(ISOVMAF_INVALID, sentence);
}

/// Runs `function`, which returns an Outcome, a status or nothing, or throws FailedOutcome. Returns the outcome.
template <class Function>
Outcome outcome_of(const Function &function) {
    try {
        if constexpr (std::is_void_v<decltype(function())>)
            function();
        else if constexpr (std::is_same_v<decltype(function()), isovmaf_status>)
            return {function(), {}};
        else
            return function();
    } catch (const FailedOutcome &failure) {
        return failure.outcome();
    }
    return {};
}

/// Copies as much of a sentence as fits.
inline void write_message(isovmaf_message &message, const std::string &sentence) noexcept {
    message.text[sentence.copy(message.text, sizeof(message.text) - 1)] = '\0';
}

/// Runs `function` (see outcome_of) as the body of an entry of the table. Writes the sentence to `message` and returns
/// the status. No exception leaves it.
template <class Function>
isovmaf_status run_entry(isovmaf_message *message, const Function &function) noexcept {
    try {
        const Outcome outcome = outcome_of(function);
        if (!outcome.ok())
            write_message(*message, outcome.sentence);
        return outcome.status;
    } catch (const std::bad_alloc &) {
        write_message(*message, "out of memory of the host");
        return ISOVMAF_OUT_OF_MEMORY;
    } catch (const std::exception &error) {
        write_message(*message, error.what());
        return ISOVMAF_FAILED;
    }
}

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

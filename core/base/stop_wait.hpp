// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace isovmaf {

/// Sleeps for `time`, or until the token is asked to stop. Says whether it was.
inline bool wait_for_stop(const std::stop_token &stopped, std::chrono::steady_clock::duration time) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any changed;
    changed.wait_for(lock, stopped, time, [] { return false; });
    return stopped.stop_requested();
}

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch_stop.hpp"

#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include "batch/time_budget.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/exit_code.hpp"

namespace isovmaf::tool {

BatchStop::BatchStop(std::optional<Clock::time_point> end)
    : end_(end), watch_([this](const std::stop_token &ended) { watch(ended); }) {}

bool BatchStop::requested() const {
    return guard_.interrupted() || (end_ && Clock::now() >= *end_ - batch::TimeBudget::reserve);
}

void BatchStop::watch(const std::stop_token &ended) const {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any changed;
    const auto wait = [&](Clock::duration time) { changed.wait_for(lock, ended, time, [] { return false; }); };
    while (!requested() && !ended.stop_requested())
        wait(std::chrono::milliseconds(100));
    wait(patience);
    if (ended.stop_requested())
        return;
    print_error("isovmaf: error: the work did not stop within {} s, because a file, a device or a program that was "
                "asked does not answer; the process ends now, and the same command goes on\n",
                patience.count());
    std::_Exit(exit_interrupted);
}

} // namespace isovmaf::tool

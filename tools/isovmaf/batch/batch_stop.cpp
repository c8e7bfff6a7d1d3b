// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_stop.hpp"

#include <cstdlib>

#include "base/stop_wait.hpp"
#include "batch/work/time_budget.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/exit_code.hpp"

namespace isovmaf::tool {

BatchStop::BatchStop(std::optional<Clock::time_point> end)
    : end_(end), watch_([this](const std::stop_token &ended) { watch(ended); }) {}

bool BatchStop::requested() const {
    return guard_.interrupted() || (end_ && Clock::now() >= *end_ - batch::TimeBudget::reserve);
}

void BatchStop::watch(const std::stop_token &ended) const {
    constexpr std::chrono::milliseconds between_looks{100};
    while (!requested() && !wait_for_stop(ended, between_looks))
        ;
    if (wait_for_stop(ended, patience))
        return;
    print_error("isovmaf: error: the work did not stop within {} s, because a file, a device or a program that was "
                "asked does not answer; the process ends now, and the same command goes on\n",
                patience.count());
    std::_Exit(exit_interrupted);
}

} // namespace isovmaf::tool

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/time_budget.hpp"

#include <algorithm>

namespace isovmaf::batch {

namespace {

constexpr double margin = 1.2; ///< units of equal size differ in time

} // namespace

bool TimeBudget::fits(const Work &work, double bytes, double seconds_left) {
    return work.bytes > 0 && margin * bytes * work.seconds <= seconds_left * work.bytes;
}

UnitChoice TimeBudget::choose(std::size_t worker, double bytes, Clock::time_point now) const {
    if (!end_)
        return UnitChoice::begin;
    const double seconds_left = std::chrono::duration<double>(*end_ - reserve - now).count();
    const std::lock_guard lock(mutex_);
    if (workers_[worker].bytes <= 0 || fits(workers_[worker], bytes, seconds_left))
        return UnitChoice::begin;
    const bool fits_another =
        std::ranges::any_of(workers_, [&](const Work &work) { return fits(work, bytes, seconds_left); });
    return fits_another ? UnitChoice::leave : UnitChoice::postpone;
}

void TimeBudget::measured(std::size_t worker, double bytes, double seconds) {
    const std::lock_guard lock(mutex_);
    workers_[worker].bytes += bytes;
    workers_[worker].seconds += seconds;
}

} // namespace isovmaf::batch

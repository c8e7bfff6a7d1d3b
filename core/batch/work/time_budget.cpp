// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/time_budget.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::int64_t most_days = 1'000'000, seconds_of_day = 86'400;

/// A number from 0 to `most`.
std::optional<std::int64_t> number(std::string_view text, std::int64_t most) {
    const std::optional<std::int64_t> value = parse_integer(text);
    return value && *value >= 0 && *value <= most ? value : std::nullopt;
}

constexpr double margin = 1.2; ///< units of equal size differ in time

} // namespace

std::optional<std::int64_t> parse_slurm_time(std::string_view text) {
    std::int64_t total = 0;
    if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
        const auto days = number(text.substr(0, dash), most_days);
        if (!days)
            return std::nullopt;
        total = *days * seconds_of_day;
        text.remove_prefix(dash + 1);
    }
    std::int64_t clock = 0;
    int parts = 0;
    for (bool more = true; more; parts++) {
        const std::size_t colon = text.find(':');
        const auto part = number(text.substr(0, colon), 59);
        if (!part || parts == 3)
            return std::nullopt;
        clock = clock * 60 + *part;
        more = colon != std::string_view::npos;
        text.remove_prefix(more ? colon + 1 : text.size());
    }
    return parts >= 2 ? std::optional(total + clock) : std::nullopt;
}

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

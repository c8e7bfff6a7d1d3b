// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_source.hpp"

#include <chrono>
#include <random>

namespace isovmaf::batch {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_looks{500}; ///< at units that other processes have

} // namespace

UnitOffer ShardUnits::offer() {
    const std::lock_guard lock(mutex_);
    return offer_locked();
}

UnitOffer ShardUnits::offer_locked() {
    if (queue_.all_settled())
        return {UnitOffer::Kind::none};
    if (queue_.rest() && Clock::now() >= next_look_)
        queue_.resume();
    if (const auto taken = queue_.take())
        return {UnitOffer::Kind::unit, *taken * shard_.count + shard_.index};
    return {UnitOffer::Kind::wait};
}

Result<std::optional<std::size_t>> ShardUnits::next(const std::function<bool()> &stop) {
    std::unique_lock lock(mutex_);
    while (!stop()) {
        const UnitOffer offer = offer_locked();
        if (offer.kind == UnitOffer::Kind::unit)
            return offer.unit;
        if (offer.kind == UnitOffer::Kind::none)
            break;
        changed_.wait_for(lock, between_looks);
    }
    return std::nullopt;
}

Result<bool> ShardUnits::take(std::size_t unit) {
    const std::lock_guard lock(mutex_);
    return unit % shard_.count == shard_.index && queue_.take(place(unit));
}

Result<void> ShardUnits::settle(std::size_t unit, const UnitOutcome &) {
    const std::lock_guard lock(mutex_);
    queue_.settle(place(unit));
    changed_.notify_all();
    return {};
}

Result<void> ShardUnits::put_back(std::size_t unit) {
    const std::lock_guard lock(mutex_);
    queue_.put_back(place(unit), std::random_device()());
    if (queue_.rest())
        next_look_ = Clock::now() + between_looks;
    return {};
}

} // namespace isovmaf::batch

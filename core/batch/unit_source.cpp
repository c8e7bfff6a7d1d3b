// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/unit_source.hpp"

#include <chrono>
#include <random>

namespace isovmaf::batch {

namespace {

constexpr std::chrono::milliseconds between_looks{500}; ///< at units that other processes have

} // namespace

Result<std::optional<std::size_t>> ShardUnits::next(const std::function<bool()> &stop) {
    std::unique_lock lock(mutex_);
    for (;;) {
        if (stop() || queue_.all_settled())
            return std::nullopt;
        if (const auto taken = queue_.take())
            return *taken * shard_.count + shard_.index;
        const bool rest = queue_.rest();
        changed_.wait_for(lock, between_looks);
        if (rest)
            queue_.resume();
    }
}

Result<void> ShardUnits::settle(std::size_t unit) {
    const std::lock_guard lock(mutex_);
    queue_.settle(place(unit));
    changed_.notify_all();
    return {};
}

Result<void> ShardUnits::put_back(std::size_t unit) {
    const std::lock_guard lock(mutex_);
    queue_.put_back(place(unit), std::random_device()()); // workers that wait need not look at it before their time
    return {};
}

} // namespace isovmaf::batch

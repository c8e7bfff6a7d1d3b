// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_locks.hpp"

#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "base/try.hpp"

namespace isovmaf::batch {

Result<UnitLocks> UnitLocks::open(const RunFolder &folder, const Shard &shard) {
    const RunSettings &settings = folder.settings();
    const std::string purpose = fmt::format("units {} {} {}", settings.rows, settings.segment_frames, shard.count);
    return UnitLocks(TRY(LockFile::open(folder.path(), purpose)), shard);
}

void UnitLocks::give_back(std::size_t unit, bool ended) {
    if (ended)
        file_->mark(number(unit), 1);
    file_->unlock(number(unit));
}

Result<bool> UnitLocks::begin_results() {
    constexpr std::chrono::milliseconds between_looks{50};
    constexpr std::chrono::seconds longest_wait{60};
    const auto end = std::chrono::steady_clock::now() + longest_wait;
    while (!TRY(file_->try_lock(results, LockFile::Mode::exclusive)) && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(between_looks);
    if (file_->mark_of(results) == results_before_)
        return true;
    file_->unlock(results);
    return false;
}

void UnitLocks::end_results() {
    file_->mark(results, static_cast<std::uint8_t>(results_before_ + 1));
    file_->unlock(results);
}

std::size_t UnitLocks::count_elsewhere() const {
    return static_cast<std::size_t>(file_->count_elsewhere(0, static_cast<std::int64_t>(shard_.count) * most_units));
}

} // namespace isovmaf::batch

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_locks.hpp"

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
        file_->mark(number(unit));
    file_->unlock(number(unit));
}

std::size_t UnitLocks::count_elsewhere() const {
    return static_cast<std::size_t>(file_->count_elsewhere(0, static_cast<std::int64_t>(shard_.count) * most_units));
}

} // namespace isovmaf::batch

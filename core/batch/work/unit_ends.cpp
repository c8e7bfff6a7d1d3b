// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_ends.hpp"

#include "batch/inputs/inputs.hpp"

namespace isovmaf::batch {

namespace {

constexpr int most_processes = 3; ///< that try a unit which fails for a reason that may be of the moment

} // namespace

std::optional<UnitEnd> UnitEnds::known(const Row &row, const PairJob &job, const FrameRange &frames) {
    const DigestSource digests = [this](const std::string &path) {
        return known_digest(index_, path, options_.fast_keys);
    };
    const Result<std::optional<std::string>> key = unit_key(digests, job, row, frames);
    if (!key || !*key) // a file that is not there is found again when the unit is worked on
        return std::nullopt;
    return of(**key);
}

std::optional<UnitEnd> UnitEnds::of(const std::string &key) {
    const std::lock_guard lock(mutex_);
    if (finished_.contains(key) || index_.finished(key))
        return UnitEnd::known;
    if (options_.retry_failed)
        return std::nullopt;
    if (index_.fails_with(key, options_.versions))
        return UnitEnd::permanent;
    return index_.transient_failures(key) >= most_processes ? std::optional(UnitEnd::transient) : std::nullopt;
}

void UnitEnds::add_finished(const std::string &key) {
    const std::lock_guard lock(mutex_);
    finished_.insert(key);
}

} // namespace isovmaf::batch

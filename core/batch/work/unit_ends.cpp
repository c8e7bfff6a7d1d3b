// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_ends.hpp"

#include <fmt/format.h>

#include "batch/inputs/inputs.hpp"
#include "input/libav/libav_decoder.hpp"
#include "isovmaf/isovmaf.hpp"
#include "run/video_request.hpp"

namespace isovmaf::batch {

namespace {

constexpr int most_processes = 3; ///< that try a unit which fails for a reason that may be of the moment

} // namespace

bool is_permanent(ErrorCode code) {
    const ErrorOrigin origin = origin_of(code);
    return origin == ErrorOrigin::input || origin == ErrorOrigin::options;
}

const std::string &versions_in_use() {
    static const std::string versions =
        fmt::format("isovmaf {} (accepted pairs {}), {}", version(), accepted_pairs_revision, decoder_versions());
    return versions;
}

std::optional<UnitEnd> UnitEnds::known(const Row &row, const PairJob &job, const FrameRange &frames) {
    const DigestSource digests = [this](const InputName &input) {
        return known_digests(index_, lists_, input, options_.fast_keys, stop_);
    };
    const Result<std::vector<std::string>> keys = unit_keys(digests, job, row, frames);
    if (!keys) // a file that is not there is found again when the unit is worked on
        return std::nullopt;
    const std::optional<Found> found = of_any(*keys);
    return found ? std::optional(found->end) : std::nullopt;
}

std::optional<UnitEnds::Found> UnitEnds::of_any(const std::vector<std::string> &keys) {
    std::optional<Found> found;
    for (const std::string &key : keys)
        if (const std::optional<UnitEnd> end = of(key); end && (!found || *end < found->end))
            found = Found{*end, key};
    return found;
}

std::optional<UnitEnd> UnitEnds::of(const std::string &key) {
    const std::lock_guard lock(mutex_);
    if (finished_.contains(key) || index_.finished(key))
        return UnitEnd::known;
    if (options_.retry_failed)
        return std::nullopt;
    if (index_.fails(key) && index_.fails_with(key, versions_in_use()))
        return UnitEnd::permanent;
    return index_.transient_failures(key) >= most_processes ? std::optional(UnitEnd::transient) : std::nullopt;
}

void UnitEnds::add_finished(const std::string &key) {
    const std::lock_guard lock(mutex_);
    finished_.insert(key);
}

} // namespace isovmaf::batch

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/settled_pairs.hpp"

#include <nlohmann/json.hpp>

#include "base/try.hpp"
#include "batch/inputs/inputs.hpp"

namespace isovmaf::batch {

namespace {

/// What names a pair: its options, and what its files look like.
Result<std::string> name_of(const PairJob &job, const std::string &options) {
    nlohmann::json name = nlohmann::json::array({options});
    for (const VideoSide *const side : {&job.videos.reference, &job.videos.distorted}) {
        const InputRecord seen = TRY(look_at(side->path));
        name.push_back({seen.path, seen.inode, seen.bytes, seen.modified_ns, seen.changed_ns});
    }
    return name.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

Result<void> SettledPairs::settle(const PairJob &own, const std::string &options, bool may_remember, PairJob &job) {
    constexpr std::size_t most_remembered = 4096;
    if (is_settled(job.videos))
        return {};
    if (!may_remember)
        return settle_job(job);
    const std::string name = TRY(name_of(own, options));
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = known_.find(name); known != known_.end()) {
            take_decisions(known->second, job.videos);
            return {};
        }
    }
    TRY(settle_job(job));
    const std::lock_guard lock(mutex_);
    if (known_.size() >= most_remembered)
        known_.clear();
    known_.emplace(name, job.videos);
    return {};
}

} // namespace isovmaf::batch

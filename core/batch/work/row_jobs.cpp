// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/row_jobs.hpp"

#include <utility>

#include "base/try.hpp"
#include "batch/store/run_folder.hpp"

namespace isovmaf::batch {

namespace {

Result<PairJob> parse_options(const Fields &options) { return parse_request(TRY(read_request_options(options))); }

} // namespace

Result<PairJob> RowJobs::parsed(const Fields &options) {
    constexpr std::size_t most_remembered = 4096;
    const std::lock_guard lock(mutex_);
    if (const auto known = jobs_.find(options); known != jobs_.end())
        return known->second;
    if (jobs_.size() >= most_remembered)
        jobs_.clear();
    return jobs_.emplace(options, parse_options(options)).first->second;
}

Result<PairJob> RowJobs::make(const Row &row, const ExecutionOptions &execution) {
    PairJob job = TRY(parsed(row.options));
    job.videos.reference.path = resolve_video(base_, row.reference);
    job.videos.distorted.path = resolve_video(base_, row.distorted);
    job.execution = execution;
    return job;
}

} // namespace isovmaf::batch

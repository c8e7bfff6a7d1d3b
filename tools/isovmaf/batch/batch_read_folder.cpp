// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_read_folder.hpp"

#include <chrono>
#include <utility>

#include "base/try.hpp"
#include "batch/work/lease.hpp"
#include "tools/isovmaf/batch/batch_jobs.hpp"

namespace isovmaf::tool {

Result<std::unique_ptr<ReadFolder>> ReadFolder::open(batch::RunFolder folder, batch::RunResults::Lookup lookup) {
    batch::RowTable rows = TRY(batch::RowTable::open(folder.rows()));
    std::unique_ptr<ReadFolder> read(new ReadFolder(std::move(folder), std::move(rows)));
    TRY(read->index_.refresh());
    const auto units = TRY(batch::plan_units(read->rows_, read->folder_.settings().segment_frames));
    read->results_.emplace(read->folder_, read->rows_, units, make_job_parser({}), read->index_, lookup, false);
    return read;
}

Result<std::size_t> ReadFolder::in_work() const {
    const auto leases =
        TRY(batch::Leases::create(folder_.leases(), std::chrono::seconds(BatchArguments().lease_seconds)));
    return leases->count_live();
}

} // namespace isovmaf::tool

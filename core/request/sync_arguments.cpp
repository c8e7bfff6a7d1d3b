// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/sync_arguments.hpp"

#include <algorithm>

namespace isovmaf {

void add_offset(std::int64_t offset, PairOptions &options) {
    options.skip_distorted += std::max<std::int64_t>(offset, 0);
    options.skip_reference += std::max<std::int64_t>(-offset, 0);
}

Result<void> apply_sync(const SyncArguments &arguments, PairOptions &options) {
    options.sync = {
        std::ranges::find(sync_modes, arguments.sync, &std::pair<std::string_view, SyncMode>::first)->second,
        arguments.sync_tolerance};
    if (arguments.sync_tolerance && options.sync.mode == SyncMode::index)
        return fail(ErrorCode::invalid_argument,
                    "--sync index pairs by number: give --sync-tolerance with --sync pts or pts-absolute");
    add_offset(arguments.offset, options);
    return {};
}

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/status.hpp"

namespace isovmaf::capi {

int report_failure(const Log &log, const Error &error) noexcept {
    log.error(error.message);
    return error.code == ErrorCode::out_of_memory ? status_no_memory : status_invalid;
}

} // namespace isovmaf::capi

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/fault.hpp"

#include <atomic>

namespace isovmaf::host {

namespace {

// Accessed relaxed: if the counter ordered queues that do not wait for each other, ThreadSanitizer would miss their
// races.
std::atomic<std::uint64_t> operations{0};

} // namespace

bool Fault::is_due(FaultKind of) const {
    return kind == of && operations.fetch_add(1, std::memory_order_relaxed) + 1 == count;
}

} // namespace isovmaf::host

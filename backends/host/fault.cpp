// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/fault.hpp"

#include <atomic>

namespace isovmaf::host {

namespace {

// Relaxed: the count must not order queues that do not wait for each other, or no race between them would show.
std::atomic<std::uint64_t> operations{0};

} // namespace

bool Fault::strikes(FaultKind of) const {
    return kind == of && operations.fetch_add(1, std::memory_order_relaxed) + 1 == count;
}

} // namespace isovmaf::host

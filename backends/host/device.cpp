// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/device.hpp"

#include <unistd.h>

namespace isovmaf::host {

namespace {

std::uint64_t pages(int name) {
    const long count = sysconf(name), page_bytes = sysconf(_SC_PAGESIZE);
    return count > 0 && page_bytes > 0 ? static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(page_bytes) : 0;
}

} // namespace

Outcome check_device(const isovmaf_device &device) {
    if (device.lost.load(std::memory_order_relaxed))
        return {ISOVMAF_DEVICE_LOST, "host CPU: the device was lost, as ISOVMAF_HOST_FAIL asked for"};
    return {};
}

std::uint64_t memory_bytes() { return pages(_SC_PHYS_PAGES); }
std::uint64_t memory_free_bytes() { return pages(_SC_AVPHYS_PAGES); }

} // namespace isovmaf::host

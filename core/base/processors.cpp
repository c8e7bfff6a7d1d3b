// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <thread>

namespace isovmaf {

namespace {

struct FreeSet {
    void operator()(cpu_set_t *set) const { CPU_FREE(set); }
};

} // namespace

int usable_processors() {
    constexpr std::size_t most_processors = 1 << 20;
    for (std::size_t room = 1024; room <= most_processors; room *= 4) {
        const std::unique_ptr<cpu_set_t, FreeSet> set(CPU_ALLOC(room));
        const std::size_t bytes = CPU_ALLOC_SIZE(room);
        if (set && sched_getaffinity(0, bytes, set.get()) == 0)
            return std::max(1, CPU_COUNT_S(bytes, set.get()));
        if (errno != EINVAL) // the kernel has more processors than there is room for
            break;
    }
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "base/cpu_quota.hpp"

namespace isovmaf {

namespace {

struct FreeSet {
    void operator()(cpu_set_t *set) const { CPU_FREE(set); }
};

/// A set with room for `room` processors.
struct ProcessorSet {
    explicit ProcessorSet(std::size_t room) : set(CPU_ALLOC(room)), bytes(CPU_ALLOC_SIZE(room)) {
        if (set)
            CPU_ZERO_S(bytes, set.get());
    }

    std::unique_ptr<cpu_set_t, FreeSet> set;
    std::size_t bytes;
};

} // namespace

std::vector<int> usable_processor_numbers() {
    constexpr std::size_t most_processors = 1 << 20;
    for (std::size_t room = 1024; room <= most_processors; room *= 4) {
        const ProcessorSet processors(room);
        if (!processors.set)
            return {};
        if (sched_getaffinity(0, processors.bytes, processors.set.get()) == 0) {
            std::vector<int> numbers;
            for (std::size_t i = 0; i < room; i++)
                if (CPU_ISSET_S(i, processors.bytes, processors.set.get()))
                    numbers.push_back(static_cast<int>(i));
            return numbers;
        }
        if (errno != EINVAL) // the kernel has more processors than there is room for
            break;
    }
    return {};
}

int usable_processors(const std::filesystem::path &root) {
    const std::vector<int> numbers = usable_processor_numbers();
    const int all =
        std::max(1, static_cast<int>(numbers.empty() ? std::thread::hardware_concurrency() : numbers.size()));
    return std::min(all, processors_of_quota(root).value_or(all));
}

Result<void> bind_thread(std::span<const int> processors) {
    const int last = processors.empty() ? 0 : *std::ranges::max_element(processors);
    const ProcessorSet chosen(static_cast<std::size_t>(last) + 1);
    if (!chosen.set)
        return fail(ErrorCode::out_of_memory, "out of memory: a set of processors");
    for (const int processor : processors)
        CPU_SET_S(static_cast<std::size_t>(processor), chosen.bytes, chosen.set.get());
    if (sched_setaffinity(0, chosen.bytes, chosen.set.get()) != 0)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("cannot bind a thread to {} processors up to number {}: {}", processors.size(), last,
                                std::generic_category().message(errno)));
    return {};
}

} // namespace isovmaf

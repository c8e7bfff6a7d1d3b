// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "host/operation.hpp"

/// A recorded sequence of operations.
struct isovmaf_commands {
    struct Mark {};
    using Operation = std::variant<isovmaf::host::Fill, isovmaf::host::Copy, isovmaf::host::Dispatch, Mark>;

    isovmaf_device *device;
    bool timed;
    bool finished = false;
    std::vector<Operation> list{};
    std::uint32_t marks = 0;
    std::vector<std::chrono::steady_clock::time_point> times{}; ///< of the last submission
    std::atomic<bool> in_flight{false}; ///< accessed relaxed: only waiting for a ticket may order the work's accesses
};

namespace isovmaf::host {

[[nodiscard]] Outcome record_fill(isovmaf_commands &commands, const isovmaf_range &range, std::uint64_t bytes,
                                  std::uint32_t word);
[[nodiscard]] Outcome record_copy(isovmaf_commands &commands, const isovmaf_copy &copy);
[[nodiscard]] Outcome record_dispatch(isovmaf_commands &commands, const isovmaf_dispatch &dispatch);
[[nodiscard]] Outcome record_mark(isovmaf_commands &commands);
[[nodiscard]] Outcome finish_recording(isovmaf_commands &commands);
[[nodiscard]] Outcome move_dispatches(isovmaf_commands &commands, std::span<const isovmaf_move> moves);
[[nodiscard]] Outcome read_times(const isovmaf_commands &commands, double *milliseconds, std::uint32_t count);

/// Executes the operations of the list, on the thread of a queue.
[[nodiscard]] Outcome execute(isovmaf_commands &commands, ThreadPool &pool);

} // namespace isovmaf::host

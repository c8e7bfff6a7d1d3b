// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <variant>
#include <vector>

#include "host/block.hpp"
#include "host/device.hpp"
#include "host/thread_pool.hpp"

namespace isovmaf::host {

struct FillCommand {
    std::byte *to;
    std::uint64_t words;
    std::uint32_t word;
};

struct CopyCommand {
    const std::byte *from;
    std::byte *to;
    std::uint64_t from_stride, to_stride, row_bytes, rows;
};

struct DispatchCommand {
    Launch launch;
    std::vector<const isovmaf_buffer *> buffers;
};

struct MarkCommand {};

using Command = std::variant<FillCommand, CopyCommand, DispatchCommand, MarkCommand>;

} // namespace isovmaf::host

struct isovmaf_commands {
    isovmaf_device *device;
    bool timed;
    bool finished = false;
    std::vector<isovmaf::host::Command> list{};
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
[[nodiscard]] Outcome read_times(const isovmaf_commands &commands, double *milliseconds, std::uint32_t count);

/// Executes the commands of the list, on the thread of a queue.
[[nodiscard]] Outcome execute(isovmaf_commands &commands, ThreadPool &pool);

} // namespace isovmaf::host

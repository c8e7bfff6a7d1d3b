// SPDX-License-Identifier: BSD-2-Clause-Patent
// The execution of recorded commands on a queue's thread.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "host/commands.hpp"

namespace isovmaf::host {

namespace {

class Executor {
  public:
    Executor(isovmaf_commands &commands, ThreadPool &pool) : commands_(commands), pool_(pool) {}

    Outcome operator()(const FillCommand &fill) const {
        for (std::uint64_t i = 0; i < fill.words; i++)
            std::memcpy(fill.to + 4 * i, &fill.word, 4);
        return {};
    }

    Outcome operator()(const CopyCommand &copy) const {
        if (Outcome outcome = strike(FaultKind::copy, "a copy"); !outcome.ok())
            return outcome;
        for (std::uint64_t row = 0; row < copy.rows; row++)
            std::memcpy(copy.to + row * copy.to_stride, copy.from + row * copy.from_stride, copy.row_bytes);
        return {};
    }

    Outcome operator()(const DispatchCommand &dispatch) const {
        const char *const name = dispatch.launch.kernel->name;
        if (Outcome outcome = strike(FaultKind::launch, name); !outcome.ok())
            return outcome;
        if (Outcome outcome = pool_.run(dispatch.launch); !outcome.ok())
            return outcome;
        for (const isovmaf_buffer *buffer : dispatch.buffers)
            if (buffer->own && !buffer->own->intact())
                return {ISOVMAF_FAILED,
                        fmt::format("kernel {} wrote outside a buffer of {} bytes", name, buffer->bytes)};
        return {};
    }

    Outcome operator()(const MarkCommand &) const {
        if (commands_.timed)
            commands_.times.push_back(std::chrono::steady_clock::now());
        return {};
    }

  private:
    [[nodiscard]] Outcome strike(FaultKind kind, const char *what) const {
        const Fault &fault = commands_.device->settings.fault;
        if (fault.is_due(FaultKind::lost)) {
            commands_.device->lost.store(true, std::memory_order_relaxed);
            return check_device(*commands_.device);
        }
        if (fault.is_due(kind))
            return {ISOVMAF_FAILED, fmt::format("host CPU: {} failed, as ISOVMAF_HOST_FAIL asked for", what)};
        return {};
    }

    isovmaf_commands &commands_;
    ThreadPool &pool_;
};

} // namespace

Outcome execute(isovmaf_commands &commands, ThreadPool &pool) {
    const Executor executor(commands, pool);
    commands.times.clear();
    for (const Command &command : commands.list) {
        if (Outcome outcome = check_device(*commands.device); !outcome.ok())
            return outcome;
        if (Outcome outcome = std::visit(executor, command); !outcome.ok())
            return outcome;
    }
    return {};
}

Outcome read_times(const isovmaf_commands &commands, double *milliseconds, std::uint32_t count) {
    if (Outcome outcome = check_device(*commands.device); !outcome.ok())
        return outcome;
    if (!commands.timed || commands.in_flight.load(std::memory_order_relaxed) ||
        count + 1 != std::max<std::size_t>(commands.times.size(), 1))
        return {ISOVMAF_INVALID, fmt::format("host CPU: {} times were requested, and the last submission has {} marks",
                                             count, commands.times.size())};
    for (std::size_t i = 0; i < count; i++)
        milliseconds[i] = std::chrono::duration<double, std::milli>(commands.times[i + 1] - commands.times[i]).count();
    return {};
}

} // namespace isovmaf::host

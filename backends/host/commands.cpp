// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/commands.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace isovmaf::host {

namespace {

Outcome check_recording(const isovmaf_commands &commands) {
    if (commands.finished)
        return {ISOVMAF_INVALID, "host CPU: a command was recorded after commands_finish"};
    return check_device(*commands.device);
}

class Executor {
  public:
    Executor(isovmaf_commands &commands, ThreadPool &pool) : commands_(commands), pool_(pool) {}

    Outcome operator()(const Fill &fill) const {
        perform(fill);
        return {};
    }

    Outcome operator()(const Copy &copy) const { return perform(copy, *commands_.device); }
    Outcome operator()(const Dispatch &dispatch) const { return perform(dispatch, *commands_.device, pool_); }

    Outcome operator()(const isovmaf_commands::Mark &) const {
        if (commands_.timed)
            commands_.times.push_back(std::chrono::steady_clock::now());
        return {};
    }

  private:
    isovmaf_commands &commands_;
    ThreadPool &pool_;
};

} // namespace

Outcome record_fill(isovmaf_commands &commands, const isovmaf_range &range, std::uint64_t bytes, std::uint32_t word) {
    if (Outcome outcome = check_recording(commands); !outcome.ok())
        return outcome;
    Fill fill{};
    if (Outcome outcome = make_fill(range, bytes, word, fill); !outcome.ok())
        return outcome;
    commands.list.emplace_back(fill);
    return {};
}

Outcome record_copy(isovmaf_commands &commands, const isovmaf_copy &requested) {
    if (Outcome outcome = check_recording(commands); !outcome.ok())
        return outcome;
    Copy copy{};
    if (Outcome outcome = make_copy(requested, copy); !outcome.ok())
        return outcome;
    commands.list.emplace_back(copy);
    return {};
}

Outcome record_dispatch(isovmaf_commands &commands, const isovmaf_dispatch &requested) {
    if (Outcome outcome = check_recording(commands); !outcome.ok())
        return outcome;
    Dispatch dispatch{};
    if (Outcome outcome = make_dispatch(requested, dispatch); !outcome.ok())
        return outcome;
    commands.list.emplace_back(std::move(dispatch));
    return {};
}

Outcome record_mark(isovmaf_commands &commands) {
    if (Outcome outcome = check_recording(commands); !outcome.ok())
        return outcome;
    commands.list.emplace_back(isovmaf_commands::Mark{});
    commands.marks++;
    return {};
}

Outcome finish_recording(isovmaf_commands &commands) {
    if (Outcome outcome = check_recording(commands); !outcome.ok())
        return outcome;
    commands.times.reserve(commands.marks);
    commands.finished = true;
    return {};
}

Outcome move_dispatches(isovmaf_commands &commands, std::span<const isovmaf_move> moves) {
    if (Outcome outcome = check_device(*commands.device); !outcome.ok())
        return outcome;
    if (!commands.finished || commands.in_flight.load(std::memory_order_relaxed))
        return {ISOVMAF_INVALID, "host CPU: ranges are moved while commands are recorded or in flight"};
    for (const isovmaf_move &move : moves)
        if (Outcome outcome = check_move(move); !outcome.ok())
            return outcome;
    for (isovmaf_commands::Operation &operation : commands.list)
        if (Dispatch *const dispatch = std::get_if<Dispatch>(&operation))
            move_ranges(*dispatch, moves);
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

Outcome execute(isovmaf_commands &commands, ThreadPool &pool) {
    const Executor executor(commands, pool);
    commands.times.clear();
    for (const isovmaf_commands::Operation &operation : commands.list) {
        if (Outcome outcome = check_device(*commands.device); !outcome.ok())
            return outcome;
        if (Outcome outcome = std::visit(executor, operation); !outcome.ok())
            return outcome;
    }
    return {};
}

} // namespace isovmaf::host

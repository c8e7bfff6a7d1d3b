// SPDX-License-Identifier: BSD-2-Clause-Patent
// Records commands, and checks them completely, so that a mistake of the caller gives an error sentence here where a
// GPU would crash.
#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "host/commands.hpp"

namespace isovmaf::host {

namespace {

Outcome invalid(std::string sentence) { return {ISOVMAF_INVALID, "host CPU: " + std::move(sentence)}; }

Outcome check_recording(const isovmaf_commands &commands) {
    if (commands.finished)
        return invalid("a command was recorded after commands_finish");
    return check_device(*commands.device);
}

bool inside(const isovmaf_range &range, std::uint64_t bytes) {
    return range.buffer && range.offset <= range.buffer->bytes && bytes <= range.buffer->bytes - range.offset;
}

/// The number of bytes from the first to the last byte of rows; the largest number if that overflows.
std::uint64_t extent(std::uint64_t stride, std::uint64_t row_bytes, std::uint64_t rows) {
    std::uint64_t bytes = 0;
    if (rows == 0 || __builtin_mul_overflow(stride, rows - 1, &bytes) ||
        __builtin_add_overflow(bytes, row_bytes, &bytes))
        return std::numeric_limits<std::uint64_t>::max();
    return bytes;
}

std::byte *address(const isovmaf_range &range) { return range.buffer->data + range.offset; }

Outcome check_launch(const isovmaf_dispatch &dispatch) {
    const isovmaf_kernel &kernel = *dispatch.kernel;
    const std::uint64_t threads =
        std::uint64_t{dispatch.group_size[0]} * dispatch.group_size[1] * dispatch.group_size[2];
    if (threads != kernel.threads)
        return invalid(fmt::format("kernel {} has blocks of {} threads, not of {} x {} x {}", kernel.name,
                                   kernel.threads, dispatch.group_size[0], dispatch.group_size[1],
                                   dispatch.group_size[2]));
    if (std::ranges::any_of(dispatch.groups, [](std::uint32_t count) { return count == 0 || count > 65535; }))
        return invalid(fmt::format("kernel {} was launched with {} x {} x {} blocks: 1 to 65535 each are possible",
                                   kernel.name, dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]));
    if (dispatch.range_count != kernel.range_count || dispatch.params_bytes != kernel.params_bytes)
        return invalid(fmt::format("kernel {} takes {} pointers and {} bytes, not {} and {}", kernel.name,
                                   kernel.range_count, kernel.params_bytes, dispatch.range_count,
                                   dispatch.params_bytes));
    return {};
}

Outcome check_ranges(const isovmaf_dispatch &dispatch) {
    for (std::uint32_t i = 0; i < dispatch.range_count; i++) {
        const isovmaf_range &range = dispatch.ranges[i];
        if (!inside(range, 1) || range.offset % ISOVMAF_RANGE_ALIGNMENT != 0)
            return invalid(fmt::format("kernel {}: range {} starts at {}, which is not a multiple of 256 inside a "
                                       "buffer",
                                       dispatch.kernel->name, i, range.offset));
        if (range.buffer->on_host())
            return invalid(fmt::format("kernel {}: range {} is host memory, which only copies can access",
                                       dispatch.kernel->name, i));
    }
    return {};
}

} // namespace

Outcome record_fill(isovmaf_commands &commands, const isovmaf_range &range, std::uint64_t bytes, std::uint32_t word) {
    if (Outcome outcome = check_recording(commands); !outcome.ok())
        return outcome;
    if (!inside(range, bytes) || range.offset % 4 != 0 || bytes % 4 != 0)
        return invalid(fmt::format("{} bytes at {} cannot be filled: they have to lie inside a buffer and be multiples "
                                   "of 4",
                                   bytes, range.offset));
    if (range.buffer->on_host())
        return invalid("host memory cannot be filled: only copies can access it");
    commands.list.emplace_back(FillCommand{address(range), bytes / 4, word});
    return {};
}

Outcome record_copy(isovmaf_commands &commands, const isovmaf_copy &copy) {
    if (Outcome outcome = check_recording(commands); !outcome.ok())
        return outcome;
    const std::uint64_t from_bytes = extent(copy.from_stride, copy.row_bytes, copy.rows);
    const std::uint64_t to_bytes = extent(copy.to_stride, copy.row_bytes, copy.rows);
    if (!inside(copy.from, from_bytes) || !inside(copy.to, to_bytes))
        return invalid(
            fmt::format("a copy of {} rows of {} bytes does not lie inside its buffers", copy.rows, copy.row_bytes));
    if (copy.rows > 1 && (copy.from_stride < copy.row_bytes || copy.to_stride < copy.row_bytes))
        return invalid(fmt::format("a copy has rows of {} bytes, but they are {} and {} bytes apart", copy.row_bytes,
                                   copy.from_stride, copy.to_stride));
    if (copy.from.buffer->on_host() && copy.to.buffer->on_host())
        return invalid("a copy is from host memory to host memory");
    const std::byte *const from = address(copy.from);
    std::byte *const to = address(copy.to);
    if (from < to + to_bytes && to < from + from_bytes)
        return invalid("a copy's two sides overlap");
    commands.list.emplace_back(CopyCommand{from, to, copy.from_stride, copy.to_stride, copy.row_bytes, copy.rows});
    return {};
}

Outcome record_dispatch(isovmaf_commands &commands, const isovmaf_dispatch &dispatch) {
    if (Outcome outcome = check_recording(commands); !outcome.ok())
        return outcome;
    if (Outcome outcome = check_launch(dispatch); !outcome.ok())
        return outcome;
    if (Outcome outcome = check_ranges(dispatch); !outcome.ok())
        return outcome;
    DispatchCommand command{};
    command.launch.kernel = dispatch.kernel;
    std::ranges::copy(dispatch.groups, command.launch.groups.begin());
    std::ranges::copy(dispatch.group_size, command.launch.group_size.begin());
    for (std::uint32_t i = 0; i < dispatch.range_count; i++) {
        command.launch.addresses[i] = address(dispatch.ranges[i]);
        command.buffers.push_back(dispatch.ranges[i].buffer);
    }
    if (dispatch.params_bytes > 0)
        std::memcpy(command.launch.params.data(), dispatch.params, dispatch.params_bytes);
    commands.list.emplace_back(std::move(command));
    return {};
}

Outcome record_mark(isovmaf_commands &commands) {
    if (Outcome outcome = check_recording(commands); !outcome.ok())
        return outcome;
    commands.list.emplace_back(MarkCommand{});
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

} // namespace isovmaf::host

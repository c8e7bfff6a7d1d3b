// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/operation.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "common/moves.hpp"

namespace isovmaf::host {

namespace {

Outcome invalid(std::string sentence) { return {ISOVMAF_INVALID, "host CPU: " + std::move(sentence)}; }

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

/// Fails when ISOVMAF_HOST_FAIL asks for a failure of this operation.
Outcome strike(isovmaf_device &device, FaultKind kind, const char *what) {
    const Fault &fault = device.settings.fault;
    if (fault.is_due(FaultKind::lost)) {
        device.lost.store(true, std::memory_order_relaxed);
        return check_device(device);
    }
    if (fault.is_due(kind))
        return {ISOVMAF_FAILED, fmt::format("host CPU: {} failed, as ISOVMAF_HOST_FAIL asked for", what)};
    return {};
}

} // namespace

Outcome make_fill(const isovmaf_range &range, std::uint64_t bytes, std::uint32_t word, Fill &fill) {
    if (!inside(range, bytes) || range.offset % 4 != 0 || bytes % 4 != 0)
        return invalid(fmt::format("{} bytes at {} cannot be filled: they have to lie inside a buffer and be multiples "
                                   "of 4",
                                   bytes, range.offset));
    if (range.buffer->on_host())
        return invalid("host memory cannot be filled: only copies can access it");
    fill = {address(range), bytes / 4, word};
    return {};
}

Outcome make_copy(const isovmaf_copy &requested, Copy &copy) {
    const std::uint64_t row_bytes = requested.row_bytes, rows = requested.rows;
    const std::uint64_t from_bytes = extent(requested.from_stride, row_bytes, rows);
    const std::uint64_t to_bytes = extent(requested.to_stride, row_bytes, rows);
    if (!inside(requested.from, from_bytes) || !inside(requested.to, to_bytes))
        return invalid(fmt::format("a copy of {} rows of {} bytes does not lie inside its buffers", rows, row_bytes));
    if (rows > 1 && (requested.from_stride < row_bytes || requested.to_stride < row_bytes))
        return invalid(fmt::format("a copy has rows of {} bytes, but they are {} and {} bytes apart", row_bytes,
                                   requested.from_stride, requested.to_stride));
    if (requested.from.buffer->on_host() && requested.to.buffer->on_host())
        return invalid("a copy is from host memory to host memory");
    const std::byte *const from = address(requested.from);
    std::byte *const to = address(requested.to);
    if (from < to + to_bytes && to < from + from_bytes)
        return invalid("a copy's two sides overlap");
    copy = {from, to, requested.from_stride, requested.to_stride, row_bytes, rows};
    return {};
}

Outcome make_dispatch(const isovmaf_dispatch &requested, Dispatch &dispatch) {
    if (Outcome outcome = check_launch(requested); !outcome.ok())
        return outcome;
    if (Outcome outcome = check_ranges(requested); !outcome.ok())
        return outcome;
    dispatch.launch.kernel = requested.kernel;
    std::ranges::copy(requested.groups, dispatch.launch.groups.begin());
    std::ranges::copy(requested.group_size, dispatch.launch.group_size.begin());
    dispatch.recorded.assign(requested.ranges, requested.ranges + requested.range_count);
    move_ranges(dispatch, {});
    if (requested.params_bytes > 0)
        std::memcpy(dispatch.launch.params.data(), requested.params, requested.params_bytes);
    return {};
}

Outcome check_move(const isovmaf_move &move) {
    if (!inside(move.recorded, move.bytes) || !inside(move.used, move.bytes) ||
        (move.recorded.offset | move.used.offset) % ISOVMAF_RANGE_ALIGNMENT != 0)
        return invalid(fmt::format("ranges cannot be moved: {} bytes have to lie inside two buffers and start at a "
                                   "multiple of 256",
                                   move.bytes));
    if (move.used.buffer->on_host())
        return invalid("ranges cannot be moved to host memory, which only copies can access");
    return {};
}

void move_ranges(Dispatch &dispatch, std::span<const isovmaf_move> moves) {
    dispatch.buffers.clear();
    for (std::size_t i = 0; i < dispatch.recorded.size(); i++) {
        const isovmaf_range used = plugin::moved(dispatch.recorded[i], moves);
        dispatch.launch.addresses[i] = address(used);
        dispatch.buffers.push_back(used.buffer);
    }
}

void perform(const Fill &fill) {
    for (std::uint64_t i = 0; i < fill.words; i++)
        std::memcpy(fill.to + 4 * i, &fill.word, 4);
}

Outcome perform(const Copy &copy, isovmaf_device &device) {
    if (Outcome outcome = strike(device, FaultKind::copy, "a copy"); !outcome.ok())
        return outcome;
    for (std::uint64_t row = 0; row < copy.rows; row++)
        std::memcpy(copy.to + row * copy.to_stride, copy.from + row * copy.from_stride, copy.row_bytes);
    return {};
}

Outcome perform(const Dispatch &dispatch, isovmaf_device &device, ThreadPool &pool) {
    const char *const name = dispatch.launch.kernel->name;
    if (Outcome outcome = strike(device, FaultKind::launch, name); !outcome.ok())
        return outcome;
    if (Outcome outcome = pool.run(dispatch.launch); !outcome.ok())
        return outcome;
    for (const isovmaf_buffer *buffer : dispatch.buffers)
        if (buffer->own && !buffer->own->intact())
            return {ISOVMAF_FAILED, fmt::format("kernel {} wrote outside a buffer of {} bytes", name, buffer->bytes)};
    return {};
}

} // namespace isovmaf::host

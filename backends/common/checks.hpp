// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "common/outcome.hpp"

/// Checks of a command's arguments, made when the command is recorded. They are templates, because each plugin has a
/// buffer class of its own, with device(), bytes() and on_device(). All throw FailedOutcome with ISOVMAF_INVALID.
namespace isovmaf::plugin {

/// Whose buffers a command may name.
enum class Buffers {
    own,         ///< those of its device
    and_uploads, ///< and those for uploads of other devices: see isovmaf_backend::shares_uploads
};

/// Requires that `bytes` bytes from the range's offset on lie inside its buffer, and that the command may name that.
/// `what` names the command in the error.
template <class Range>
void require_inside(const isovmaf_device &device, const Range &range, std::uint64_t bytes, std::string_view what,
                    Buffers allowed = Buffers::own) {
    const auto *const buffer = range.buffer;
    if (!buffer || (&buffer->device() != &device && (allowed == Buffers::own || buffer->on_device())))
        throw FailedOutcome(ISOVMAF_INVALID, fmt::format("{} names no buffer of this device", what));
    if (range.offset > buffer->bytes() || bytes > buffer->bytes() - range.offset)
        throw FailedOutcome(ISOVMAF_INVALID, fmt::format("{} reaches {} bytes from {} on into a buffer of {}", what,
                                                         bytes, range.offset, buffer->bytes()));
}

/// Checks a fill of `bytes` bytes.
template <class Range>
void require_fill(const isovmaf_device &device, const Range &range, std::uint64_t bytes) {
    require_inside(device, range, bytes, "a fill");
    require(bytes % sizeof(std::uint32_t) == 0 && range.offset % sizeof(std::uint32_t) == 0,
            "a fill covers whole 32-bit words");
    require(range.buffer->on_device(), "a fill can write to device memory only");
}

/// The rows of a copy. Rows that follow each other without a gap on both sides are merged into one.
struct CopyRows {
    std::uint64_t from_stride, to_stride, row_bytes, rows;
    std::uint64_t from_bytes, to_bytes; ///< from the first row's first byte to the last row's last
};

/// Checks a copy and returns its rows.
template <class Copy>
[[nodiscard]] CopyRows require_copy(const isovmaf_device &device, const Copy &copy, Buffers sources = Buffers::own) {
    const auto extent = [](std::uint64_t stride, std::uint64_t row_bytes, std::uint64_t rows) {
        std::uint64_t before_last = 0, all = 0;
        require(!__builtin_mul_overflow(stride, rows - 1, &before_last) &&
                    !__builtin_add_overflow(before_last, row_bytes, &all),
                "a copy is larger than any memory");
        return all;
    };
    CopyRows it{copy.from_stride, copy.to_stride, copy.row_bytes, copy.rows, 0, 0};
    require(it.rows > 0 && it.row_bytes > 0, "a copy has at least one byte");
    const bool packed = it.rows == 1 || (it.from_stride == it.row_bytes && it.to_stride == it.row_bytes);
    require(packed || (it.from_stride >= it.row_bytes && it.to_stride >= it.row_bytes), "a copy's rows overlap");
    if (packed) {
        it.row_bytes = extent(it.row_bytes, it.row_bytes, it.rows);
        it.rows = 1;
    }
    it.from_bytes = extent(it.from_stride, it.row_bytes, it.rows);
    it.to_bytes = extent(it.to_stride, it.row_bytes, it.rows);
    require_inside(device, copy.from, it.from_bytes, "a copy's source", sources);
    require_inside(device, copy.to, it.to_bytes, "a copy's destination");
    require(copy.from.buffer->on_device() || copy.to.buffer->on_device(),
            "a copy needs device memory on at least one side");
    return it;
}

/// Checks the arguments of a dispatch.
template <class Dispatch>
void require_arguments(const isovmaf_device &device, const Dispatch &dispatch) {
    require(dispatch.kernel, "a dispatch names no kernel");
    require(dispatch.range_count <= ISOVMAF_MAX_RANGES, "a dispatch has too many ranges");
    require(dispatch.params_bytes <= ISOVMAF_MAX_PARAMS_BYTES && dispatch.params_bytes % 4 == 0,
            "a dispatch's parameters have the wrong size");
    for (std::uint32_t i = 0; i < dispatch.range_count; i++) {
        require_inside(device, dispatch.ranges[i], 0, "a dispatch");
        require(dispatch.ranges[i].offset % ISOVMAF_RANGE_ALIGNMENT == 0,
                "a dispatch's range starts between multiples of 256");
        require(dispatch.ranges[i].buffer->on_device(), "a dispatch's range lies in host memory");
    }
}

/// Checks a move of the ranges of dispatches.
template <class Move>
void require_move(const isovmaf_device &device, const Move &move) {
    require_inside(device, move.recorded, move.bytes, "a move's recorded range");
    require_inside(device, move.used, move.bytes, "a move's used range");
    require((move.recorded.offset | move.used.offset) % ISOVMAF_RANGE_ALIGNMENT == 0,
            "a move's range starts between multiples of 256");
    require(move.used.buffer->on_device(), "a move's used range lies in host memory");
}

} // namespace isovmaf::plugin

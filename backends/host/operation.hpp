// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/buffer.hpp"
#include "host/thread_pool.hpp"

/// The operations of a recorded sequence. Functions `make_...` check the arguments of a call completely, so that a
/// mistake of the caller gives an error sentence where a GPU would crash. Functions `perform` execute an operation on
/// the thread of a queue.
namespace isovmaf::host {

struct Fill {
    std::byte *to;
    std::uint64_t words;
    std::uint32_t word;
};

struct Copy {
    const std::byte *from;
    std::byte *to;
    std::uint64_t from_stride, to_stride, row_bytes, rows;
};

struct Dispatch {
    Launch launch;
    std::vector<isovmaf_range> recorded;
    std::vector<const isovmaf_buffer *> buffers; ///< that are used
};

[[nodiscard]] Outcome make_fill(const isovmaf_range &range, std::uint64_t bytes, std::uint32_t word, Fill &fill);
[[nodiscard]] Outcome make_copy(const isovmaf_copy &requested, Copy &copy);
/// Whether dispatches can use the memory of a move.
[[nodiscard]] Outcome check_move(const isovmaf_move &move);

/// Makes a dispatch use the memory that `moves`, which are checked, say.
void move_ranges(Dispatch &dispatch, std::span<const isovmaf_move> moves);

[[nodiscard]] Outcome make_dispatch(const isovmaf_dispatch &requested, Dispatch &dispatch);

void perform(const Fill &fill);
[[nodiscard]] Outcome perform(const Copy &copy, isovmaf_device &device);
[[nodiscard]] Outcome perform(const Dispatch &dispatch, isovmaf_device &device, ThreadPool &pool);

} // namespace isovmaf::host

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>

#include "isovmaf/backend.h"

namespace isovmaf::plugin {

/// What a range of a dispatch that was recorded as `range` uses after `moves`.
[[nodiscard]] inline isovmaf_range moved(const isovmaf_range &range, std::span<const isovmaf_move> moves) {
    for (const isovmaf_move &move : moves)
        if (range.buffer == move.recorded.buffer && range.offset >= move.recorded.offset &&
            range.offset - move.recorded.offset < move.bytes)
            return {move.used.buffer, move.used.offset + (range.offset - move.recorded.offset)};
    return range;
}

} // namespace isovmaf::plugin

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "frame/frame.hpp"

namespace isovmaf {

/// Digests of a reference frame and of the distorted frame beside it.
struct PairDigest {
    std::uint64_t reference = 0;
    std::uint64_t distorted = 0;

    friend bool operator==(const PairDigest &, const PairDigest &) = default;
};

/// XXH64 of the samples of all planes, row by row: the hash of a row is the seed of the next. Bytes between rows do not
/// count. Different pictures have different digests unless they are made to collide.
[[nodiscard]] std::uint64_t frame_digest(const Frame &frame);

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/xxh64.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace isovmaf {

std::uint64_t xxh64(std::span<const std::byte> bytes, std::uint64_t seed) {
    return XXH64(bytes.data(), bytes.size(), seed);
}

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace isovmaf {

/// The hash XXH64 (xxHash, 64 bits) of `bytes`. It finds accidental differences and reads memory at several gigabytes
/// per second; it does not resist somebody who looks for two inputs with one hash.
[[nodiscard]] std::uint64_t xxh64(std::span<const std::byte> bytes, std::uint64_t seed = 0);

} // namespace isovmaf

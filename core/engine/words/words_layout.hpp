// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

/// What the reader and the writer of words files agree on beyond the order of the fields (docs/words-file.md).
namespace isovmaf::words_layout {

static_assert(std::endian::native == std::endian::little, "numbers are copied to and from the file as they are");

inline constexpr std::array<char, 8> magic{'I', 'S', 'O', 'W', 'O', 'R', 'D', 'S'};
inline constexpr std::uint32_t format_version = 2; ///< changes with every change of the format

/// Before the body: magic, version, length of the file in bytes, XXH64 of the body.
inline constexpr std::size_t version_at = magic.size(), length_at = version_at + 4, checksum_at = length_at + 8,
                             body_at = checksum_at + 8;

} // namespace isovmaf::words_layout

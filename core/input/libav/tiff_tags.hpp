// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace isovmaf {

/// Removes the tags of a TIFF file's first picture that say nothing about its samples, such as the unit of its
/// resolution: a decoder of libavcodec that has to refuse damage refuses all tags that it does not know. The tags that
/// are left stay in order; nothing else in the file moves. Returns how many were removed, or with `only_count` would
/// be. A file whose tags cannot be found stays as it is.
std::size_t remove_harmless_tags(std::span<std::uint8_t> file, bool only_count = false);

} // namespace isovmaf

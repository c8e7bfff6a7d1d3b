// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <span>

namespace isovmaf {

/// Whether `head`, the first bytes of a file, are those of a file that libavformat knows: a container, a stream of a
/// codec, or a picture. Raw video has no such beginning, save by rare chance.
[[nodiscard]] bool begins_like_known_video(std::span<const std::byte> head);

} // namespace isovmaf

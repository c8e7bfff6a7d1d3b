// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <vector>

#include "engine/words/words_file.hpp"

namespace isovmaf {

/// The segments sorted by their first frames.
[[nodiscard]] std::vector<const WordsFile *> in_frame_order(std::span<const WordsFile> segments);

} // namespace isovmaf

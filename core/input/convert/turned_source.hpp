// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>

#include "input/source.hpp"

namespace isovmaf {

/// Gives the pictures of `source` as players show them: turned and mirrored as the file says. A source that says
/// neither comes back as it is. Fails for angles that are no multiple of 90 degrees, and for 4:2:2 that would have to
/// be turned by 90 or 270: no format has such chroma.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> make_turned_source(std::unique_ptr<FrameSource> source);

} // namespace isovmaf

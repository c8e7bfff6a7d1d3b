// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diff/content.hpp"
#include "diff/pictures.hpp"
#include "diff/side.hpp"
#include "tools/isovmaf/diff_arguments.hpp"

namespace isovmaf::tool {

/// What a command line of `isovmaf diff` asks for, understood.
struct DiffJob {
    diff::SideRequest sides;
    std::optional<SessionOptions> scoring; ///< none: everything there is; with Semantics of `semantics`
    Semantics semantics = Semantics::libvmaf_3_2;
    std::optional<VideoRequest> videos;
    diff::ContentChoice choice;
    std::uint32_t seed = 1;
    diff::Reduction reduction;
};

/// Checks what the parser cannot: combinations, and texts with a grammar of their own.
[[nodiscard]] Result<DiffJob> parse_arguments(const DiffArguments &arguments);

/// The videos as pictures that can be read again and again, which standard input cannot.
[[nodiscard]] Result<diff::Pictures> video_pictures(const VideoRequest &request);

/// Generated pictures.
[[nodiscard]] diff::Pictures content_pictures(const diff::Content &content);

} // namespace isovmaf::tool

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diff/content.hpp"
#include "diff/harness.hpp"
#include "diff/pictures.hpp"
#include "diff/side.hpp"
#include "tools/isovmaf/diff/diff.hpp"

namespace isovmaf::tool {

/// A command line of `isovmaf diff` after parsing.
struct DiffJob {
    diff::SideRequest sides;
    std::optional<ScoringOptions>
        scoring; ///< none: all features and models that diff::score_everything lists, with `semantics`
    Semantics semantics = Semantics::libvmaf_3_2;
    std::optional<VideoRequest> videos;
    diff::ContentChoice choice;
    std::uint32_t seed = 1;
    diff::Reduction reduction;
};

/// Parses what CLI11 cannot: combinations of options, and texts with a grammar of their own.
[[nodiscard]] Result<DiffJob> parse_arguments(const DiffArguments &arguments);

/// The videos as pictures that can be read any number of times, so not from standard input.
[[nodiscard]] Result<diff::Pictures> video_pictures(const VideoRequest &request);

/// Generated pictures.
[[nodiscard]] diff::Pictures content_pictures(const diff::Content &content);

/// Where all sides compute, but for what each side says itself.
[[nodiscard]] ExecutionOptions common_execution(const DiffArguments &arguments);

/// Compares the sides on the job's videos or generated pictures.
[[nodiscard]] Result<void> compare_sides(const DiffArguments &arguments, const DiffJob &job, diff::Harness &harness);

/// Compares all sides with the file `arguments.against`: a report about the job's videos, or a golden file.
[[nodiscard]] Result<void> compare_with_stored(const DiffArguments &arguments, const DiffJob &job,
                                               diff::Harness &harness);

} // namespace isovmaf::tool

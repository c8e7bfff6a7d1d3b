// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "diff/content.hpp"
#include "diff/diff_arguments.hpp"
#include "diff/harness.hpp"
#include "diff/pictures.hpp"
#include "diff/result.hpp"
#include "diff/side.hpp"

namespace isovmaf::diff {

/// A command line of `isovmaf diff` after parsing.
struct DiffJob {
    SideRequest sides;
    std::optional<ScoringOptions>
        scoring; ///< none: all features and models that score_everything lists, with `semantics`
    Semantics semantics = Semantics::libvmaf_3_2;
    std::optional<VideoRequest> videos;
    ContentChoice choice;
    std::uint32_t seed = 1;
    Reduction reduction;
};

/// Parses what no option says alone: combinations of options, and texts with a grammar of their own.
[[nodiscard]] Result<DiffJob> parse_arguments(const DiffArguments &arguments);

/// The videos as pictures that can be read any number of times, so not from standard input.
[[nodiscard]] Result<Pictures> video_pictures(const VideoRequest &request);

/// Generated pictures.
[[nodiscard]] Pictures content_pictures(const Content &content);

/// Where all sides compute, but for what each side says itself.
[[nodiscard]] ExecutionOptions common_execution(const DiffArguments &arguments);

/// A job whose sides are open.
struct OpenedDiff {
    DiffJob job;
    Sides sides;

    /// Of generated pictures; nothing when others are compared.
    std::optional<std::uint32_t> seed = {};
};

/// Parses the arguments and opens the sides. Fails when there is nothing to compare.
[[nodiscard]] Result<OpenedDiff> open_diff(const DiffArguments &arguments);

/// Who watches a comparison.
struct DiffObserver {
    std::function<bool()> stop = [] { return false; };                        ///< whether to end it early
    std::function<void(const DiffResult &)> step = [](const DiffResult &) {}; ///< sees the counts so far
};

/// Compares the sides on the job's videos or generated pictures, or with the file `arguments.against`. The result says
/// so when the observer ended it.
[[nodiscard]] Result<DiffResult> run_diff(const DiffArguments &arguments, OpenedDiff opened,
                                          const DiffObserver &observer);

} // namespace isovmaf::diff

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "batch/inputs.hpp"
#include "batch/row.hpp"
#include "batch/row_table.hpp"
#include "batch/run_folder.hpp"
#include "engine/segments.hpp"
#include "run/videos.hpp"

namespace isovmaf::batch {

/// What a row asks for, ready to be computed.
struct PairJob {
    VideoRequest videos;
    SessionOptions session; ///< all but the format, which is that of the videos
};

/// Turns a row into a job. Its videos are opened by the paths `reference` and `distorted`. Used by one thread.
using JobParser =
    std::function<Result<PairJob>(const Row &row, const std::string &reference, const std::string &distorted)>;

/// What is computed at a time: the frames `frames` of the pair in row `row`.
struct Unit {
    std::size_t row = 0;
    FrameRange frames = {};
};

/// All units of a run, in the order of the rows, without the rows that have a problem.
[[nodiscard]] Result<std::vector<Unit>> plan_units(const RowTable &rows);

/// The name of a unit for leases: workers that read the same rows give it the same name.
[[nodiscard]] std::string unit_name(const Row &row, const FrameRange &frames);

/// Gives the digest of a file's content, or nothing.
using DigestSource = std::function<Result<std::optional<std::string>>(const std::string &path)>;

/// The key of a unit's words: a digest of the contents of the files that the job reads, the options, isovmaf's version
/// and the frames. Equal keys mean equal words. Nothing when a digest is not known.
[[nodiscard]] Result<std::optional<std::string>> unit_key(const DigestSource &digest, const PairJob &job,
                                                          const Row &row, const FrameRange &frames);

/// Extracts the words of a pair. `cancelled` is asked between frames; when it says yes, the error is `interrupted`.
[[nodiscard]] Result<WordsFile> extract_unit(const PairJob &job, const std::function<bool()> &cancelled,
                                             const LogSink &log);

} // namespace isovmaf::batch

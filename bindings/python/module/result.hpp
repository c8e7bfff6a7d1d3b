// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "isovmaf/isovmaf.hpp"
#include "report/report.hpp"

/// Scores as Python objects: what the classes of isovmaf/_result.py are made from.
namespace isovmaf::python {

/// The scores of a whole video.
struct VideoScores {
    Report report = {};
    std::size_t first_model = 0;         ///< columns of the scores from here on are those of models
    std::vector<std::string> notes = {}; ///< all that the run had to say
};

/// Puts the scores of a session that has finished into the report, and where they were computed.
/// Fails when there were no frames.
[[nodiscard]] Result<VideoScores> collect_scores(const Session &session, Report report);

[[nodiscard]] pybind11::dict to_python(VideoScores scores);
[[nodiscard]] pybind11::object to_python(Execution execution);

} // namespace isovmaf::python

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include "isovmaf/isovmaf.hpp"

/// Scores as Python objects: what the classes of isovmaf/_result.py are made from.
namespace isovmaf::python {

/// The scores of a whole video.
struct VideoScores {
    std::vector<std::string> names = {};
    std::vector<FrameScores> frames = {};
    std::vector<PooledScore> pooled = {}; ///< of each name
    std::vector<std::pair<std::string, double>> aggregates = {};
    Execution execution = {};
    std::vector<std::string> notes = {};
};

/// Pools the scores of a session that has finished.
[[nodiscard]] Result<VideoScores> collect_scores(const Session &session);

[[nodiscard]] pybind11::dict to_python(const VideoScores &scores);
[[nodiscard]] pybind11::dict to_python(const Execution &execution);

} // namespace isovmaf::python

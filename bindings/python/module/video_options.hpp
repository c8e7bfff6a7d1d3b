// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <pybind11/pybind11.h>

#include "request/pair_job.hpp"

namespace isovmaf::python {

/// Two videos that are scored, and how the job was asked for.
struct VideoJob : PairJob {
    RequestArguments asked = {};
};

/// The options of isovmaf.score, which has two video files. Raises an exception on an option that is unknown, of
/// another type, or wrong.
[[nodiscard]] VideoJob read_score_options(const pybind11::dict &given);

} // namespace isovmaf::python

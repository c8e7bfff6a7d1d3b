// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <pybind11/pybind11.h>

#include "isovmaf/isovmaf.hpp"
#include "request/pair_job.hpp"

/// Options as Python gives them: a dictionary of those that are not None, by the names that `isovmaf.score` has.
namespace isovmaf::python {

/// Raises an exception on an option that is unknown, of another type, or wrong.
[[nodiscard]] PairJob read_score_options(const pybind11::dict &given);
[[nodiscard]] SessionOptions read_session_options(const pybind11::dict &given);

} // namespace isovmaf::python

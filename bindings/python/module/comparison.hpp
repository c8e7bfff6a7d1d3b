// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <pybind11/pybind11.h>

namespace isovmaf::python {

/// Compares backends as `isovmaf diff` does, and returns its JSON report (docs/diff-report.md). Looks for signals 20
/// times a second: an exception of their handlers ends the comparison.
[[nodiscard]] pybind11::str compare_backends(const pybind11::dict &options);

} // namespace isovmaf::python

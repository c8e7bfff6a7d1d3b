// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include <pybind11/pybind11.h>

namespace isovmaf::python {

/// The report of a result as text. `result` has what to_python gave; `format` is "json", "csv" or "html".
[[nodiscard]] pybind11::str report_text(const pybind11::dict &result, const std::string &format,
                                        const std::string &precision);

/// Writes the text of a report to a file as `isovmaf score` does: it appears complete or not at all, and replaces only
/// reports, without `force`, and never one of the videos.
void write_report_file(const pybind11::dict &result, const std::string &path, const pybind11::str &text, bool force);

} // namespace isovmaf::python

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>

#include "errors.hpp"
#include "options.hpp"
#include "report_fields.hpp"
#include "score_page/score_page.hpp"

namespace py = pybind11;

namespace isovmaf::python {

namespace {

void fill_scores(const py::dict &result, ScoreTable &table) {
    const auto frames = result["frames"].cast<py::array_t<std::int64_t>>();
    table.frames.resize(static_cast<std::size_t>(frames.size()));
    for (std::size_t i = 0; i < table.frames.size(); i++)
        table.frames[i].frame = frames.at(i);
    for (const auto &[name, values] : result["scores"].cast<py::dict>()) {
        table.names.push_back(to_bytes(py::reinterpret_borrow<py::object>(name)));
        const auto column = values.cast<py::array_t<double>>();
        for (std::size_t i = 0; i < table.frames.size(); i++)
            table.frames[i].scores.push_back(column.at(i));
    }
    for (const auto &[name, value] : result["aggregates"].cast<py::dict>())
        table.aggregates.emplace_back(to_bytes(py::reinterpret_borrow<py::object>(name)), value.cast<double>());
}

Report report_of(const py::dict &result) {
    Report report;
    from_object(result["report"], report);
    fill_scores(result, report.scores);
    return report;
}

std::string page_of(const py::dict &result, const Report &report) {
    return score_page_html({.report = report, .first_model = result["first_model"].cast<std::size_t>()});
}

} // namespace

py::str report_text(const py::dict &result, const std::string &format, const std::string &precision) {
    value_or_raise(check_choice("precision", precision, precision_names()));
    const Report report = report_of(result);
    if (format == "html")
        return to_text(page_of(result, report));
    return to_text(
        write_report(report, format == "csv" ? ReportFormat::csv : ReportFormat::json, precision_of(precision)));
}

void write_report_file(const py::dict &result, const std::string &path, const py::str &text, bool force) {
    Report report;
    from_object(result["report"], report);
    const ReportRules rules{{report.reference.path, report.distorted.path}, force};
    ReportFile file = value_or_raise(ReportFile::create(path, rules));
    value_or_raise(file.commit(to_bytes(text)));
}

} // namespace isovmaf::python

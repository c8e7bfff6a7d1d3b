// SPDX-License-Identifier: BSD-2-Clause-Patent
// The extension module of frames. People use the package isovmaf, which has the documentation.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "base/float_environment.hpp"
#include "errors.hpp"
#include "model/model.hpp"
#include "options.hpp"
#include "report/backends_report.hpp"
#include "report_fields.hpp"
#include "score_page/score_page.hpp"
#include "session.hpp"
#include "text.hpp"

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

/// The report of a result as text. `result` has what to_python gave; `format` is "json", "csv" or "html".
py::str report_text(const py::dict &result, const std::string &format, const std::string &precision) {
    value_or_raise(check_choice("precision", precision, precision_names()));
    const Report report = report_of(result);
    if (format == "html")
        return to_text(page_of(result, report));
    return to_text(
        write_report(report, format == "csv" ? ReportFormat::csv : ReportFormat::json, precision_of(precision)));
}

/// Writes the text of a report to a file as `isovmaf score` does: it appears complete or not at all, and replaces only
/// reports, without `force`, and never one of the videos.
void write_report_file(const py::dict &result, const std::string &path, const py::str &text, bool force) {
    Report report;
    from_object(result["report"], report);
    const ReportRules rules{{report.reference.path, report.distorted.path}, force};
    ReportFile file = value_or_raise(ReportFile::create(path, rules));
    value_or_raise(file.commit(to_bytes(text)));
}

py::str backends_text(const std::vector<std::string> &folders) {
    Result<BackendsReport> report;
    {
        const py::gil_scoped_release released; // devices are tested, which may take seconds
        report = examine_backends(folders);
    }
    return to_text(backends_json(value_or_raise(std::move(report), ReadFiles{{}, folders}), false));
}

std::vector<std::string> model_versions() {
    const auto versions = builtin_model_versions();
    return {versions.begin(), versions.end()};
}

} // namespace

} // namespace isovmaf::python

PYBIND11_MODULE(_isovmaf, module) {
    using namespace isovmaf::python;
    module.attr("version") = std::string(isovmaf::version());
    module.attr("pybind11_version") = fmt::format("{}.{}", PYBIND11_VERSION_MAJOR, PYBIND11_VERSION_MINOR);
    const py::call_guard<isovmaf::FloatEnvironment> floats; // for all that computes, or reads or writes numbers
    module.def("backends_json", &backends_text, py::arg("folders"), floats);
    module.def("model_versions", &model_versions);
    module.def("report_text", &report_text, py::arg("result"), py::arg("format"), py::arg("precision"), floats);
    module.def("write_report_file", &write_report_file, py::arg("result"), py::arg("path"), py::arg("text"),
               py::arg("force"), floats);
    py::class_<PythonSession>(module, "Session")
        .def(py::init<const py::dict &>(), py::arg("options"), floats)
        .def("push", &PythonSession::push, py::arg("reference"), py::arg("distorted"), floats)
        .def("next_result", &PythonSession::next_result, floats)
        .def("finish", &PythonSession::finish, floats)
        .def("close", &PythonSession::close)
        .def_property_readonly("score_names", &PythonSession::score_names)
        .def_property_readonly("execution", &PythonSession::execution);
}

// SPDX-License-Identifier: BSD-2-Clause-Patent
// The extension module of frames. People use the package isovmaf, which has the documentation.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "base/float_environment.hpp"
#include "errors.hpp"
#include "model/model.hpp"
#include "report.hpp"
#include "report/backends_report.hpp"
#include "session.hpp"
#include "text.hpp"

namespace py = pybind11;

namespace isovmaf::python {

namespace {

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

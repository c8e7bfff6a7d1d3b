// SPDX-License-Identifier: BSD-2-Clause-Patent
// The extension module of frames. People use the package isovmaf, which has the documentation.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "report.hpp"
#include "session.hpp"

namespace py = pybind11;

PYBIND11_MODULE(_isovmaf, module) {
    using namespace isovmaf::python;
    module.attr("version") = std::string(isovmaf::version());
    module.def("report_text", &report_text, py::arg("result"), py::arg("format"), py::arg("precision"));
    module.def("write_report_file", &write_report_file, py::arg("result"), py::arg("path"), py::arg("text"),
               py::arg("force"));
    py::class_<PythonSession>(module, "Session")
        .def(py::init<const py::dict &>(), py::arg("options"))
        .def("push", &PythonSession::push, py::arg("reference"), py::arg("distorted"))
        .def("next_result", &PythonSession::next_result)
        .def("finish", &PythonSession::finish)
        .def("close", &PythonSession::close)
        .def_property_readonly("score_names", &PythonSession::score_names)
        .def_property_readonly("execution", &PythonSession::execution);
}

// SPDX-License-Identifier: BSD-2-Clause-Patent
// The extension module. People use the package isovmaf, which has the documentation.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "errors.hpp"
#include "options.hpp"
#include "session.hpp"
#include "video_run.hpp"

namespace py = pybind11;

namespace isovmaf::python {

namespace {

constexpr std::chrono::milliseconds between_looks{50};

void report_warnings(VideoRun &run) {
    const py::object category = py::module_::import("isovmaf._errors").attr("ScoreWarning");
    for (const std::string &warning : run.take_warnings())
        if (PyErr_WarnEx(category.ptr(), warning.c_str(), 3) != 0) // the caller of the decorated isovmaf.score
            throw py::error_already_set();
}

/// Scores two videos. Looks for signals and reports progress 20 times a second: an exception of either ends the run.
py::dict score_files(const py::dict &options, const py::object &progress) {
    PairJob job = read_score_options(options);
    ReadFiles read = files_read(job.scoring, job.execution);
    read.files.insert(read.files.begin(), {job.videos.reference.path, job.videos.distorted.path});
    VideoRun run(std::move(job));
    std::int64_t reported = -1;
    for (bool ended = false; !ended;) {
        {
            const py::gil_scoped_release released;
            ended = run.wait(between_looks);
        }
        if (PyErr_CheckSignals() != 0)
            throw py::error_already_set();
        report_warnings(run);
        if (const std::int64_t scored = run.scored();
            !progress.is_none() && scored > std::max<std::int64_t>(reported, 0)) {
            reported = scored;
            progress(scored, run.expected());
        }
    }
    return to_python(value_or_raise(run.take_result(), read));
}

} // namespace

} // namespace isovmaf::python

PYBIND11_MODULE(_isovmaf, module) {
    using namespace isovmaf::python;
    module.attr("version") = std::string(isovmaf::version());
    module.def("score_files", &score_files, py::arg("options"), py::arg("progress"));
    py::class_<PythonSession>(module, "Session")
        .def(py::init<const py::dict &>(), py::arg("options"))
        .def("push", &PythonSession::push, py::arg("reference"), py::arg("distorted"))
        .def("next_result", &PythonSession::next_result)
        .def("finish", &PythonSession::finish)
        .def("close", &PythonSession::close)
        .def_property_readonly("score_names", &PythonSession::score_names)
        .def_property_readonly("execution", &PythonSession::execution);
}

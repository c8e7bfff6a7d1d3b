// SPDX-License-Identifier: BSD-2-Clause-Patent
// The extension module that reads video files: the only one that needs FFmpeg (docs/adr/0065).
#include <algorithm>
#include <chrono>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "base/float_environment.hpp"
#include "comparison.hpp"
#include "errors.hpp"
#include "input/libav/describe_json.hpp"
#include "text.hpp"
#include "video_options.hpp"
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
    VideoJob job = read_score_options(options);
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
        value_or_raise(run.check_process()); // a handler of a signal may have forked
        report_warnings(run);
        if (const std::int64_t scored = run.scored();
            !progress.is_none() && scored > std::max<std::int64_t>(reported, 0)) {
            reported = scored;
            progress(scored, run.expected());
            value_or_raise(run.check_process());
        }
    }
    return to_python(value_or_raise(run.take_result(), read));
}

py::str probe_text(const std::string &path) {
    Result<FileDescription> file;
    {
        const py::gil_scoped_release released;
        file = describe_file(path);
    }
    return to_text(describe_json({value_or_raise(std::move(file), ReadFiles{{path}, {}})}, version()));
}

} // namespace

} // namespace isovmaf::python

PYBIND11_MODULE(_files, module) {
    const py::call_guard<isovmaf::FloatEnvironment> floats; // the threads that these functions start inherit it
    module.def("probe_json", &isovmaf::python::probe_text, py::arg("path"), floats);
    module.def("diff_json", &isovmaf::python::compare_backends, py::arg("options"), floats);
    module.def("score_files", &isovmaf::python::score_files, py::arg("options"), py::arg("progress"), floats);
}

// SPDX-License-Identifier: BSD-2-Clause-Patent
// The extension module that reads video files: the only one that needs FFmpeg (docs/adr/0065).
#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <utility>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "base/float_environment.hpp"
#include "base/try.hpp"
#include "diff/diff_job.hpp"
#include "diff/reports.hpp"
#include "engine/guarded.hpp"
#include "errors.hpp"
#include "input/libav/describe_json.hpp"
#include "options.hpp"
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

void take_sides(Given &given, diff::DiffArguments &arguments) {
    given.take("backends", arguments.backends);
    given.take("devices", arguments.devices);
    given.take("backend_dir", arguments.backend_folders);
    given.take("frames_in_flight", arguments.frames_in_flight);
    given.take("threads", arguments.threads);
    given.take("repeat", arguments.repeat);
    bool locate = true;
    given.take("locate", locate);
    arguments.no_locate = !locate;
}

void take_pictures(Given &given, diff::DiffArguments &arguments) {
    given.take("reference", arguments.reference);
    given.take("distorted", arguments.distorted);
    given.take("against", arguments.against);
    given.take("ref_format", arguments.reference_format);
    given.take("dis_format", arguments.distorted_format);
    given.take("frame_cnt", arguments.frame_count);
    given.take("generate", arguments.fills);
    given.take("size", arguments.sizes);
    given.take("chroma", arguments.chroma);
    given.take("bit_depth", arguments.depths);
    given.take("frames", arguments.frames);
    given.take("seed", arguments.seed);
    given.take("fuzz", arguments.fuzz_seconds);
}

Result<void> check(const diff::DiffArguments &arguments) {
    TRY(check_choice("devices", arguments.devices, {"first", "all"}));
    for (const std::string &chroma : arguments.chroma)
        TRY(check_choice("chroma", chroma, chroma_codes()));
    for (const int depth : arguments.depths)
        if (depth < 8 || depth > 16)
            return fail(ErrorCode::invalid_argument, fmt::format("bit_depth={} is not from 8 to 16", depth));
    for (const int frames : arguments.frames_in_flight)
        TRY(check_least("frames_in_flight", frames, 1));
    TRY(check_least("frame_cnt", arguments.frame_count.value_or(1), 1));
    TRY(check_least("frames", arguments.frames, 1));
    return check_least("repeat", arguments.repeat, 1);
}

diff::DiffArguments read_options(const py::dict &options) {
    Given given(options);
    diff::DiffArguments arguments;
    take_sides(given, arguments);
    take_pictures(given, arguments);
    static_cast<ScoringArguments &>(arguments) = take_scoring(given);
    given.finish();
    value_or_raise(check(arguments));
    return arguments;
}

Result<std::string> compare(const diff::DiffArguments &arguments, const std::atomic<bool> &stopped) {
    return guarded([&]() -> Result<std::string> {
        diff::OpenedDiff opened = TRY(diff::open_diff(arguments));
        const diff::DiffObserver observer{.stop = [&] { return stopped.load(); }};
        return diff::json(TRY(diff::run_diff(arguments, std::move(opened), observer)));
    });
}

/// Compares backends as `isovmaf diff` does, and returns its JSON report (docs/diff-report.md). Looks for signals 20
/// times a second: an exception of their handlers ends the comparison.
py::str compare_backends(const py::dict &options) {
    const diff::DiffArguments arguments = read_options(options);
    std::atomic<bool> stopped = false;
    std::future<Result<std::string>> report =
        std::async(std::launch::async, [&] { return compare(arguments, stopped); });
    for (bool ended = false; !ended;) {
        {
            const py::gil_scoped_release released;
            ended = report.wait_for(between_looks) == std::future_status::ready;
        }
        if (PyErr_CheckSignals() != 0) {
            stopped = true;
            const py::gil_scoped_release released;
            report.wait();
        }
        if (PyErr_Occurred())
            throw py::error_already_set();
    }
    const ReadFiles read{{arguments.reference, arguments.distorted, arguments.against}, arguments.backend_folders};
    return to_text(value_or_raise(report.get(), read));
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

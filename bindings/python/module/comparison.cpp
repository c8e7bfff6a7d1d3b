// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "comparison.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <utility>

#include "base/try.hpp"
#include "diff/diff_job.hpp"
#include "diff/reports.hpp"
#include "engine/guarded.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "text.hpp"

namespace py = pybind11;

namespace isovmaf::python {

namespace {

constexpr std::chrono::milliseconds between_signals{50};

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

} // namespace

py::str compare_backends(const py::dict &options) {
    const diff::DiffArguments arguments = read_options(options);
    std::atomic<bool> stopped = false;
    std::future<Result<std::string>> report =
        std::async(std::launch::async, [&] { return compare(arguments, stopped); });
    for (bool ended = false; !ended;) {
        {
            const py::gil_scoped_release released;
            ended = report.wait_for(between_signals) == std::future_status::ready;
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

} // namespace isovmaf::python

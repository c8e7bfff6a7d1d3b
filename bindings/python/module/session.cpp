// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "session.hpp"

#include <type_traits>
#include <utility>

#include <pybind11/stl.h>

#include "base/try.hpp"
#include "errors.hpp"
#include "host_frame.hpp"
#include "options.hpp"
#include "result.hpp"

namespace py = pybind11;

namespace isovmaf::python {

template <class Function>
auto PythonSession::use(const Function &function) {
    std::invoke_result_t<Function, Session &> result;
    {
        const py::gil_scoped_release released;
        const std::lock_guard lock(mutex_);
        if (session_)
            result = function(*session_);
        else
            result = fail(ErrorCode::invalid_argument, "the session is closed: make another one");
    }
    return value_or_raise(std::move(result));
}

PythonSession::PythonSession(const py::dict &options) {
    const SessionOptions parsed = read_session_options(options);
    format_ = parsed.format;
    Result<Session> session = [&] {
        const py::gil_scoped_release released;
        return Session::create(parsed);
    }();
    session_ = value_or_raise(std::move(session));
}

PythonSession::~PythonSession() { close(); }

void PythonSession::close() {
    const py::gil_scoped_release released;
    const std::lock_guard lock(mutex_);
    session_.reset();
}

/// mutex_ has to be held.
void PythonSession::collect() {
    while (std::optional<FrameScores> scores = session_->next_result())
        frames_.push_back(*std::move(scores));
}

void PythonSession::push(py::handle reference, py::handle distorted) {
    const std::array<py::object, 3> kept_reference = planes_of(reference, format_, "reference"),
                                    kept_distorted = planes_of(distorted, format_, "distorted");
    const FrameView reference_view = view_arrays(kept_reference, format_, "reference"),
                    distorted_view = view_arrays(kept_distorted, format_, "distorted");
    use([&](Session &session) -> Result<void> {
        TRY(session.push(reference_view, distorted_view));
        collect();
        return {};
    });
}

py::object PythonSession::next_result() {
    const std::optional<FrameScores> next = use([&](Session &) -> Result<std::optional<FrameScores>> {
        collect();
        return handed_out_ < frames_.size() ? std::optional(frames_[handed_out_++]) : std::nullopt;
    });
    return next ? py::object(py::make_tuple(next->frame, next->scores)) : py::none();
}

py::dict PythonSession::finish() {
    return to_python(use([&](Session &session) -> Result<VideoScores> {
        TRY(session.finish());
        collect();
        return collect_scores(session, frames_);
    }));
}

std::vector<std::string> PythonSession::score_names() {
    return use([](Session &session) -> Result<std::vector<std::string>> { return session.score_names(); });
}

py::dict PythonSession::execution() {
    return to_python(use([](Session &session) -> Result<Execution> { return session.execution(); }));
}

} // namespace isovmaf::python

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "session.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "base/try.hpp"
#include "device/backends.hpp"
#include "device/recorder.hpp"
#include "errors.hpp"
#include "host_frame.hpp"
#include "options.hpp"
#include "result.hpp"
#include "run_report/scoring_report.hpp"

namespace py = pybind11;

namespace isovmaf::python {

namespace {

/// The legacy default stream as a handle of CUDA and HIP.
void *default_stream() { return reinterpret_cast<void *>(std::uintptr_t{1}); }

/// What DLPack calls the device of a session. Its number is that of the runtime, in DLPack too.
Result<TensorPlace> place_of(const Execution &execution, const DeviceHandle &device) {
    const auto id = static_cast<std::int32_t>(device->index());
    const bool amd = execution.arch.starts_with("gfx");
    if (execution.backend == "host") // the stand-in's device memory is that of the host
        return TensorPlace{{dlpack::cpu, 0}, std::nullopt, device->info().name, device};
    if (execution.backend == "cuda" || execution.backend == "hip") // DLPack's number of the default stream
        return TensorPlace{{amd ? dlpack::rocm : dlpack::cuda, id}, amd ? 0 : 1, device->info().name, device};
    return fail(ErrorCode::unsupported,
                fmt::format("a session on {} takes no tensors of a GPU: give it the backend cuda or hip, or NumPy "
                            "arrays",
                            execution.backend));
}

} // namespace

Result<TensorQueue> TensorQueue::open(const Execution &execution, const DeviceHandle &device) {
    TensorQueue queue(TRY(place_of(execution, device)));
    if (queue.place_.stream) {
        Recorder recorder(*device);
        queue.marker_ = TRY(recorder.finish());
        queue.queue_ = TRY(device->create_queue(default_stream()));
    }
    return queue;
}

Result<void> TensorQueue::wait() {
    if (!place_.stream)
        return {};
    const isovmaf_ticket ticket = TRY(queue_.submit(marker_));
    constexpr std::chrono::microseconds short_wait{300}; // a sleep would take longer than most producers
    const auto start = std::chrono::steady_clock::now();
    while (!TRY(queue_.done(ticket.value))) {
        if (std::chrono::steady_clock::now() - start > short_wait)
            return queue_.wait(ticket.value);
        std::this_thread::yield();
    }
    return {};
}

template <class Function>
auto PythonSession::use(const Function &function) {
    value_or_raise(creator_.check("the session")); // before the lock, which a thread of the other process may have held
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
    FramesRequest request = read_session_options(options);
    options_ = std::move(request.options);
    report_ = describe_scoring(request.asked, options_.scoring, options_.format);
    report_.reference = report_.distorted = {"frames of a program", "memory", "none", options_.format};
    Result<Session> session = [&] {
        const py::gil_scoped_release released;
        return Session::create(options_);
    }();
    session_ = value_or_raise(std::move(session), files_read(options_.scoring, options_.execution));
    planes_read_ = session_->planes_read();
    stand_in_ = session_->execution().backend == "host";
}

PythonSession::~PythonSession() { close(); }

void PythonSession::close() {
    if (!creator_.is_current()) {
        session_.reset(); // frees nothing here
        if (!tensors_.empty())
            new auto(std::move(tensors_)); // never destroyed: their devices are not inherited
        return;
    }
    {
        const py::gil_scoped_release released;
        const std::lock_guard lock(mutex_);
        session_.reset();
        tensors_.clear();
    }
    returned_->release();
}

/// What takes frames for the session. mutex_ has to be held while it is used.
SessionSink PythonSession::sink_of(Session &session) {
    return {{&session, 1}, [this](std::size_t, FrameScores scores) { ready_.push_back(std::move(scores)); }};
}

std::pair<std::size_t, TensorPlace> PythonSession::tensor_place(const std::array<py::object, 3> &planes) {
    const std::optional<dlpack::Device> device = tensor_device(planes[0]);
    return use([&](Session &session) -> Result<std::pair<std::size_t, TensorPlace>> {
        const std::vector<DeviceHandle> devices = session.devices();
        if (devices.empty())
            return fail(ErrorCode::unsupported, "a session on the CPU takes no tensors of a GPU: give it the backend "
                                                "cuda or hip, or copy the tensors into NumPy arrays");
        if (tensors_.empty()) {
            std::vector<TensorQueue> opened;
            for (const DeviceHandle &one : devices)
                opened.push_back(TRY(TensorQueue::open(session.execution(), one)));
            tensors_ = std::move(opened);
        }
        for (std::size_t i = 0; device && i < tensors_.size(); i++)
            if (is_at(*device, tensors_[i].place()))
                return std::pair(i, tensors_[i].place());
        return std::pair(std::size_t{0}, tensors_[0].place());
    });
}

/// Whether the planes are tensors in the memory of a device.
bool PythonSession::holds_tensors(const std::array<py::object, 3> &planes) const {
    const std::optional<dlpack::Device> device = tensor_device(planes[0]);
    return device && (device->type != dlpack::cpu || stand_in_);
}

void PythonSession::push(py::handle reference, py::handle distorted) {
    const VideoFormat &format = options_.format;
    const std::array<py::object, 3> references = planes_of(reference, format, "reference"),
                                    distorteds = planes_of(distorted, format, "distorted");
    if (holds_tensors(references) || holds_tensors(distorteds))
        return push_tensors(references, distorteds);
    const std::array<py::array, 3> reference_arrays = as_arrays(references, format, "reference"),
                                   distorted_arrays = as_arrays(distorteds, format, "distorted");
    push_frames({frame_of(reference_arrays, format), frame_of(distorted_arrays, format)}, std::nullopt);
}

void PythonSession::push_tensors(const std::array<py::object, 3> &reference,
                                 const std::array<py::object, 3> &distorted) {
    std::size_t device = 0; // of both frames, which the session demands
    const auto take = [&](const std::array<py::object, 3> &planes, const char *side) {
        TensorPlace place;
        std::tie(device, place) = tensor_place(planes);
        return take_tensors(planes, options_.format, side, place, planes_read_, returned_);
    };
    const Frame reference_frame = take(reference, "reference"), distorted_frame = take(distorted, "distorted");
    push_frames({reference_frame, distorted_frame}, device);
    returned_->release();
}

/// `device`: the one that has the frames, whose work before them is waited for; nothing: they lie in host memory.
void PythonSession::push_frames(const FramePair &pair, std::optional<std::size_t> device) {
    use([&](Session &session) -> Result<void> {
        if (device)
            TRY(tensors_[*device].wait());
        SessionSink sink = sink_of(session);
        return sink.push(pair.reference, {&pair.distorted, 1});
    });
}

py::object PythonSession::next_result() {
    const std::optional<FrameScores> next = use([&](Session &session) -> Result<std::optional<FrameScores>> {
        if (ready_.empty())
            return session.next_result();
        std::optional<FrameScores> oldest = std::move(ready_.front());
        ready_.pop_front();
        return oldest;
    });
    return next ? py::object(py::make_tuple(next->frame, next->scores)) : py::none();
}

py::dict PythonSession::finish() {
    VideoScores scores = use([&](Session &session) -> Result<VideoScores> {
        TRY(sink_of(session).end(0, true));
        return collect_scores(session, report_);
    });
    returned_->release();
    return to_python(std::move(scores));
}

std::vector<std::string> PythonSession::score_names() {
    return use([](Session &session) -> Result<std::vector<std::string>> { return session.score_names(); });
}

py::object PythonSession::execution() {
    return to_python(use([](Session &session) -> Result<Execution> { return session.execution(); }));
}

} // namespace isovmaf::python

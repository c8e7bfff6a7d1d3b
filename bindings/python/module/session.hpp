// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <pybind11/pybind11.h>

#include "base/creator_process.hpp"
#include "device/device.hpp"
#include "engine/feed.hpp"
#include "isovmaf/isovmaf.hpp"
#include "report/report.hpp"
#include "tensor.hpp"

namespace isovmaf::python {

/// The default stream of a session's GPU. Producers of tensors order their work before it (DLPack), and the session may
/// read the tensors when that work has ended.
class TensorQueue {
  public:
    /// On one of the session's devices. Fails with `unsupported` where no tensors can be.
    [[nodiscard]] static Result<TensorQueue> open(const Execution &execution, const DeviceHandle &device);

    [[nodiscard]] const TensorPlace &place() const { return place_; }

    /// Waits for what was submitted to the stream before, and for nothing else on the device. Without the GIL.
    [[nodiscard]] Result<void> wait();

  private:
    explicit TensorQueue(TensorPlace place) : place_(std::move(place)) {}

    TensorPlace place_; ///< holds the device, which outlives the queue
    Commands marker_;   ///< empty
    Queue queue_;       ///< of the default stream; without one on the CPU
};

/// A session for Python. Several threads of Python may use it: one after the other works, the others wait without the
/// GIL. In a process that was forked since, all methods fail but `close`, which frees nothing there.
class PythonSession {
  public:
    explicit PythonSession(const pybind11::dict &options);
    ~PythonSession();
    PythonSession(const PythonSession &) = delete;
    PythonSession &operator=(const PythonSession &) = delete;

    void push(pybind11::handle reference, pybind11::handle distorted);

    /// The number of the next frame and its scores, or None.
    [[nodiscard]] pybind11::object next_result();

    /// All scores: see to_python.
    [[nodiscard]] pybind11::dict finish();

    /// Frees memory and device. Nothing can be done with the session after.
    void close();

    [[nodiscard]] std::vector<std::string> score_names();
    [[nodiscard]] pybind11::object execution();

  private:
    /// Calls `function` with the session, without the GIL and on one thread at a time. Raises its error.
    template <class Function>
    auto use(const Function &function);
    [[nodiscard]] SessionSink sink_of(Session &session);

    /// The session's device where the planes lie, by its number among them, or its first one: tensors have to lie
    /// there.
    [[nodiscard]] std::pair<std::size_t, TensorPlace> tensor_place(const std::array<pybind11::object, 3> &planes);
    [[nodiscard]] bool holds_tensors(const std::array<pybind11::object, 3> &planes) const;
    void push_frames(const FramePair &pair, std::optional<std::size_t> device);
    void push_tensors(const std::array<pybind11::object, 3> &reference,
                      const std::array<pybind11::object, 3> &distorted);

    SessionOptions options_;
    Report report_;         ///< without scores
    int planes_read_ = 1;   ///< by the session's features, of each frame
    bool stand_in_ = false; ///< device memory is that of the host
    std::shared_ptr<ReturnedTensors> returned_ = std::make_shared<ReturnedTensors>();
    CreatorProcess creator_;
    std::mutex mutex_;                 ///< guards what follows
    std::vector<TensorQueue> tensors_; ///< of each device, since the first tensor
    std::optional<Session> session_;
    std::deque<FrameScores> ready_; ///< that next_result has not given
};

} // namespace isovmaf::python

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tensor_queue.hpp"

#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "base/try.hpp"
#include "device/backends.hpp"
#include "device/recorder.hpp"

namespace isovmaf::python {

namespace {

/// The legacy default stream as a handle of CUDA and HIP.
void *default_stream() { return reinterpret_cast<void *>(std::uintptr_t{1}); }

/// What DLPack calls the device of a session. Its number is that of the runtime, in DLPack too.
Result<TensorPlace> place_of(const Execution &execution, const DeviceHandle &device) {
    const auto id = static_cast<std::int32_t>(device->index());
    const bool amd = execution.arch.starts_with("gfx");
    if (execution.backend == "host") // the stand-in's device memory is that of the host
        return TensorPlace{{dlpack::cpu, 0}, std::nullopt, execution.device, device};
    if (execution.backend == "cuda" || execution.backend == "hip") // DLPack's number of the default stream
        return TensorPlace{{amd ? dlpack::rocm : dlpack::cuda, id}, amd ? 0 : 1, execution.device, device};
    return fail(ErrorCode::unsupported,
                fmt::format("a session on {} takes no tensors of a GPU: give it the backend cuda or hip, or NumPy "
                            "arrays",
                            execution.backend));
}

} // namespace

Result<TensorQueue> TensorQueue::open(const Session &session) {
    const DeviceHandle device = session.device();
    if (!device)
        return fail(ErrorCode::unsupported, "a session on the CPU takes no tensors of a GPU: give it the backend cuda "
                                            "or hip, or copy the tensors into NumPy arrays");
    TensorQueue queue(TRY(place_of(session.execution(), device)));
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

} // namespace isovmaf::python

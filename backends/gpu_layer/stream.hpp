// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "gpu_layer/api.hpp"

namespace isovmaf::gpu {

/// A point in a stream's work.
class Event {
  public:
    enum class Timing { off, on };

    Event(const Api &api, Timing timing) : handle_(api, create(api, timing)) {}

    void record(hipStream_t stream) { check(api(), api().hipEventRecord(handle_.get(), stream), "recording an event"); }

    [[nodiscard]] hipEvent_t get() const { return handle_.get(); }

    /// Whether the work before the event has ended. Throws FailedOutcome when that work failed.
    [[nodiscard]] bool done() const {
        const hipError_t error = api().hipEventQuery(handle_.get());
        if (error == hipErrorNotReady)
            return false;
        check(api(), error, "running submitted work");
        return true;
    }

    /// Blocks until the event is done. Throws FailedOutcome like `done`.
    void synchronize() const { check(api(), api().hipEventSynchronize(handle_.get()), "running submitted work"); }

    /// Both events have timing on and are done.
    [[nodiscard]] double milliseconds_since(const Event &earlier) const {
        float milliseconds = 0;
        check(api(), api().hipEventElapsedTime(&milliseconds, earlier.get(), handle_.get()), "reading a time");
        return static_cast<double>(milliseconds);
    }

  private:
    [[nodiscard]] const Api &api() const { return handle_.api(); }

    static hipEvent_t create(const Api &api, Timing timing) {
        hipEvent_t event = nullptr;
        const unsigned int flags = hipEventBlockingSync | (timing == Timing::off ? hipEventDisableTiming : 0u);
        check(api, api.hipEventCreateWithFlags(&event, flags), "creating an event");
        return event;
    }

    Handle<hipEvent_t, &Api::hipEventDestroy> handle_;
};

/// Runs its work in order, independently of the runtime's default stream.
class Stream {
  public:
    /// Creates a stream.
    explicit Stream(const Api &api) : owned_(api, create(api)), stream_(owned_.get()) {}

    /// Uses a stream of the caller, who keeps it alive.
    explicit Stream(hipStream_t borrowed) : stream_(borrowed) {}

    [[nodiscard]] hipStream_t get() const { return stream_; }

  private:
    static hipStream_t create(const Api &api) {
        hipStream_t stream = nullptr;
        check(api, api.hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), "creating a stream");
        return stream;
    }

    Handle<hipStream_t, &Api::hipStreamDestroy> owned_;
    hipStream_t stream_;
};

} // namespace isovmaf::gpu

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "common/outcome.hpp"
#include "gpu_layer/allocator.hpp"
#include "gpu_layer/module.hpp"
#include "gpu_layer/stream.hpp"
#include "isovmaf/backend.h"

namespace isovmaf::gpu {

/// Recorded operations that the runtime launches as one.
using Graph = Handle<hipGraphExec_t, &Api::hipGraphExecDestroy>;

} // namespace isovmaf::gpu

/// A kernel of a device. It lives as long as the device.
struct isovmaf_kernel {
    std::string name;
    isovmaf::gpu::hipFunction_t function = nullptr;
};

/// What the plugin keeps for one open device. Functions that call the runtime have to be called inside `run` or
/// `release`.
struct isovmaf_device {
  public:
    /// The device has to be the calling thread's current device. Throws FailedOutcome.
    isovmaf_device(const isovmaf::gpu::Api &api, int index);

    [[nodiscard]] const isovmaf::gpu::Api &api() const { return api_; }
    [[nodiscard]] int index() const { return index_; }
    [[nodiscard]] isovmaf::gpu::CachingAllocator &allocator() { return allocator_; }
    [[nodiscard]] bool uses_graphs() const { return uses_graphs_; }

    /// Throws FailedOutcome, with ISOVMAF_UNSUPPORTED when there is no such kernel.
    [[nodiscard]] isovmaf_kernel *find_kernel(const char *name);

    /// Allocates pinned host memory, which kernels reach at the same address; `free_pinned` frees it. Throws
    /// FailedOutcome.
    [[nodiscard]] void *allocate_pinned(std::uint64_t bytes);
    void free_pinned(void *memory, std::uint64_t bytes) noexcept;

    [[nodiscard]] isovmaf_memory_statistics statistics() const;

    /// Makes one graph of what `record` submits to the stream that it is given. The graph is empty when the runtime
    /// cannot make it. Throws FailedOutcome when the device is lost.
    [[nodiscard]] isovmaf::gpu::Graph capture(const std::function<void(isovmaf::gpu::hipStream_t)> &record);

    /// Runs `function`, which returns a status or nothing and may throw, with this device as the calling thread's
    /// current device. Once the device is lost, `function` is not run any more: the result is the failure that lost it.
    template <class Function>
    [[nodiscard]] isovmaf_status run(isovmaf_message *message, const Function &function) noexcept {
        return isovmaf::plugin::run_entry(message, [&]() -> isovmaf::plugin::Outcome {
            if (device_loss_.happened())
                return device_loss_.outcome();
            return device_loss_.remember(with_device_number(isovmaf::plugin::outcome_of([&] {
                const isovmaf::gpu::DeviceGuard guard(api_, index_);
                return function();
            })));
        });
    }

    /// Runs `function`, which frees something and cannot fail, on a lost device too.
    template <class Function>
    void release(const Function &function) noexcept {
        isovmaf_message ignored;
        (void)isovmaf::plugin::run_entry(&ignored, [&] {
            int previous = -1;
            const bool entered = api_.enter_device(api_, index_, previous) == isovmaf::gpu::hipSuccess;
            function();
            if (entered)
                api_.leave_device(api_, previous);
        });
    }

  private:
    [[nodiscard]] isovmaf::plugin::Outcome with_device_number(isovmaf::plugin::Outcome outcome) const;

    const isovmaf::gpu::Api &api_;
    int index_;
    bool uses_graphs_;
    isovmaf::gpu::CachingAllocator allocator_;
    std::optional<isovmaf::gpu::Stream> capture_stream_; ///< guarded by capture_mutex_
    std::mutex capture_mutex_;
    isovmaf::gpu::Modules modules_; ///< guarded by kernels_mutex_
    std::mutex kernels_mutex_;
    std::map<std::string, isovmaf_kernel, std::less<>> kernels_;
    std::atomic<std::uint64_t> pinned_bytes_{0}, host_allocations_{0};
    isovmaf::plugin::DeviceLoss device_loss_;
};

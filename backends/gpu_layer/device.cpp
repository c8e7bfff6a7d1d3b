// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "gpu_layer/device.hpp"

#include <fmt/format.h>

#include "gpu_layer/platform.hpp"
#include "gpu_layer/runtime.hpp"

using namespace isovmaf::gpu;

isovmaf_device::isovmaf_device(const Api &api, int index)
    : api_(api), index_(index), uses_graphs_(graphs_are_used(api)),
      allocator_(api, !is_set("ISOVMAF_NO_MEMORY_CACHING")), modules_(api, platform::device_arch(api, index)) {}

isovmaf_kernel *isovmaf_device::find_kernel(const char *name) {
    const std::lock_guard lock(kernels_mutex_);
    auto found = kernels_.find(name);
    if (found == kernels_.end()) {
        const hipFunction_t function = modules_.find_function(name);
        if (!function)
            throw FailedOutcome(ISOVMAF_UNSUPPORTED, fmt::format("this plugin has no kernel {}", name));
        found = kernels_.emplace(name, isovmaf_kernel{name, function}).first;
    }
    return &found->second;
}

void *isovmaf_device::allocate_pinned(std::uint64_t bytes) {
    void *memory = nullptr;
    host_allocations_++;
    const hipError_t error = api_.hipHostMalloc(&memory, bytes, hipHostMallocDefault);
    if (error != hipSuccess)
        throw runtime_failure(api_, error, fmt::format("allocating {} bytes of pinned host memory", bytes));
    pinned_bytes_ += bytes;
    return memory;
}

void isovmaf_device::free_pinned(void *memory, std::uint64_t bytes) noexcept {
    (void)api_.hipHostFree(memory);
    pinned_bytes_ -= bytes;
}

isovmaf_memory_statistics isovmaf_device::statistics() const {
    isovmaf_memory_statistics statistics = allocator_.statistics();
    statistics.pinned_bytes = pinned_bytes_;
    statistics.allocations += host_allocations_;
    return statistics;
}

Graph isovmaf_device::capture(const std::function<void(hipStream_t)> &record) {
    const std::lock_guard lock(capture_mutex_);
    if (!capture_stream_)
        capture_stream_.emplace(api_);
    const hipStream_t stream = capture_stream_->get();
    hipGraph_t graph = nullptr;
    hipGraphExec_t executable = nullptr;
    try {
        check(api_, api_.hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed), "recording commands");
        record(stream);
        check(api_, api_.hipStreamEndCapture(stream, &graph), "recording commands");
        const hipError_t error = api_.hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0);
        (void)api_.hipGraphDestroy(graph);
        check(api_, error, "preparing recorded commands");
    } catch (const FailedOutcome &failure) {
        capture_stream_.reset(); // it may still be capturing
        if (failure.outcome().status == ISOVMAF_DEVICE_LOST)
            throw;
        return {};
    }
    return {api_, executable};
}

/// Puts the device's number in front of the sentence of a failure.
Outcome isovmaf_device::with_device_number(Outcome outcome) const {
    if (!outcome.sentence.empty())
        outcome.sentence = fmt::format("device {}: {}", index_, outcome.sentence);
    return outcome;
}

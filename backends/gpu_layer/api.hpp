// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "common/outcome.hpp"
#include "gpu_layer/hip_types.hpp"

/// A GPU's runtime as a table of functions, which is filled when the runtime is opened. Names and types are HIP's,
/// whichever library is behind the table (docs/adr/0020, docs/adr/0021).
namespace isovmaf::gpu {

/// X(name, parameters) for each function that a runtime must have. All return hipError_t.
#define ISOVMAF_HIP_REQUIRED(X)                                                                                        \
    X(hipInit, (unsigned int))                                                                                         \
    X(hipGetDeviceCount, (int *))                                                                                      \
    X(hipSetDevice, (int))                                                                                             \
    X(hipDeviceGetAttribute, (int *, hipDeviceAttribute_t, int))                                                       \
    X(hipMalloc, (void **, std::size_t))                                                                               \
    X(hipFree, (void *))                                                                                               \
    X(hipHostMalloc, (void **, std::size_t, unsigned int))                                                             \
    X(hipHostFree, (void *))                                                                                           \
    X(hipMemcpyAsync, (void *, const void *, std::size_t, hipMemcpyKind, hipStream_t))                                 \
    X(hipMemcpy2DAsync,                                                                                                \
      (void *, std::size_t, const void *, std::size_t, std::size_t, std::size_t, hipMemcpyKind, hipStream_t))          \
    X(hipStreamCreateWithFlags, (hipStream_t *, unsigned int))                                                         \
    X(hipStreamDestroy, (hipStream_t))                                                                                 \
    X(hipStreamWaitEvent, (hipStream_t, hipEvent_t, unsigned int))                                                     \
    X(hipEventCreateWithFlags, (hipEvent_t *, unsigned int))                                                           \
    X(hipEventDestroy, (hipEvent_t))                                                                                   \
    X(hipEventRecord, (hipEvent_t, hipStream_t))                                                                       \
    X(hipEventQuery, (hipEvent_t))                                                                                     \
    X(hipEventSynchronize, (hipEvent_t))                                                                               \
    X(hipEventElapsedTime, (float *, hipEvent_t, hipEvent_t))                                                          \
    X(hipModuleLoadData, (hipModule_t *, const void *))                                                                \
    X(hipModuleUnload, (hipModule_t))                                                                                  \
    X(hipModuleGetFunction, (hipFunction_t *, hipModule_t, const char *))                                              \
    X(hipModuleLaunchKernel, (hipFunction_t, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,     \
                              unsigned int, unsigned int, hipStream_t, void **, void **))

/// X(name, parameters) for each function that a runtime may lack. Its pointer is nullptr then.
#define ISOVMAF_HIP_OPTIONAL(X)                                                                                        \
    X(hipGetDevice, (int *))                                                                                           \
    X(hipDeviceGetName, (char *, int, hipDevice_t))                                                                    \
    X(hipRuntimeGetVersion, (int *))                                                                                   \
    X(hipDeviceGetPCIBusId, (char *, int, int))                                                                        \
    X(hipDeviceTotalMem, (std::size_t *, hipDevice_t))                                                                 \
    X(hipMemGetInfo, (std::size_t *, std::size_t *))                                                                   \
    X(hipImportExternalMemory, (hipExternalMemory_t *, const hipExternalMemoryHandleDesc *))                           \
    X(hipExternalMemoryGetMappedBuffer, (void **, hipExternalMemory_t, const hipExternalMemoryBufferDesc *))           \
    X(hipDestroyExternalMemory, (hipExternalMemory_t))                                                                 \
    X(hipMemsetD32Async, (hipDeviceptr_t, int, std::size_t, hipStream_t))                                              \
    X(hipMemsetAsync, (void *, int, std::size_t, hipStream_t))                                                         \
    X(hipStreamBeginCapture, (hipStream_t, hipStreamCaptureMode))                                                      \
    X(hipStreamEndCapture, (hipStream_t, hipGraph_t *))                                                                \
    X(hipGraphInstantiate, (hipGraphExec_t *, hipGraph_t, hipGraphNode_t *, char *, std::size_t))                      \
    X(hipGraphLaunch, (hipGraphExec_t, hipStream_t))                                                                   \
    X(hipGraphDestroy, (hipGraph_t))                                                                                   \
    X(hipGraphExecDestroy, (hipGraphExec_t))

struct Api {
#define ISOVMAF_HIP_MEMBER(name, parameters) hipError_t(*name) parameters = nullptr;
    ISOVMAF_HIP_REQUIRED(ISOVMAF_HIP_MEMBER)
    ISOVMAF_HIP_OPTIONAL(ISOVMAF_HIP_MEMBER)
#undef ISOVMAF_HIP_MEMBER

    /// The runtime's name of an error code. May be nullptr.
    const char *(*hipGetErrorName)(hipError_t) = nullptr;

    /// Makes `device` the calling thread's current device and sets `previous`, with which `leave_device` undoes it.
    hipError_t (*enter_device)(const Api &api, int device, int &previous) = nullptr;
    void (*leave_device)(const Api &api, int previous) = nullptr;

    std::string library; ///< name of the library behind the table: "libamdhip64.so.7"
    std::string file;    ///< path of that library's file; empty when it is not known

    /// Whether memory of other APIs can be imported. An import does not close the caller's descriptor.
    [[nodiscard]] bool has_external_memory() const {
        return hipImportExternalMemory && hipExternalMemoryGetMappedBuffer && hipDestroyExternalMemory;
    }

    /// Whether recorded commands can be replayed as one graph.
    [[nodiscard]] bool has_graphs() const {
        return hipStreamBeginCapture && hipStreamEndCapture && hipGraphInstantiate && hipGraphLaunch &&
               hipGraphDestroy && hipGraphExecDestroy;
    }
};

using plugin::FailedOutcome;
using plugin::Outcome;

/// The plugin's status for an error code of the runtime.
[[nodiscard]] isovmaf_status status_of(hipError_t error);

/// The error's name and number: "hipErrorNoDevice (100)".
[[nodiscard]] std::string error_text(const Api &api, hipError_t error);

/// The sentence starts with `attempted`: "copying 64 bytes".
[[nodiscard]] FailedOutcome runtime_failure(const Api &api, hipError_t error, std::string_view attempted);

/// Throws FailedOutcome unless the runtime's call succeeded.
inline void check(const Api &api, hipError_t error, std::string_view attempted) {
    if (error != hipSuccess)
        throw runtime_failure(api, error, attempted);
}

/// Owns an object of the runtime. The object's device has to be the calling thread's current device when the handle is
/// destroyed.
template <class T, hipError_t (*Api::*destroy)(T)>
class Handle {
  public:
    Handle() = default;
    Handle(const Api &api, T value) : api_(&api), value_(value) {}
    Handle(Handle &&other) noexcept : api_(other.api_), value_(std::exchange(other.value_, nullptr)) {}
    Handle &operator=(Handle &&other) noexcept {
        std::swap(api_, other.api_);
        std::swap(value_, other.value_);
        return *this;
    }
    ~Handle() {
        if (value_)
            (void)(api_->*destroy)(value_); // a destructor cannot report an error
    }

    [[nodiscard]] T get() const { return value_; }
    [[nodiscard]] const Api &api() const { return *api_; }
    [[nodiscard]] explicit operator bool() const { return value_ != nullptr; }

  private:
    const Api *api_ = nullptr;
    T value_ = nullptr;
};

/// Makes a device the calling thread's current device for as long as the guard lives.
class DeviceGuard {
  public:
    DeviceGuard(const Api &api, int device) : api_(api) {
        check(api, api.enter_device(api, device, previous_), "selecting the device");
    }
    DeviceGuard(const DeviceGuard &) = delete;
    DeviceGuard &operator=(const DeviceGuard &) = delete;
    ~DeviceGuard() { api_.leave_device(api_, previous_); }

  private:
    const Api &api_;
    int previous_ = -1;
};

} // namespace isovmaf::gpu

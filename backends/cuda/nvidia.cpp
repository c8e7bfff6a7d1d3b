// SPDX-License-Identifier: BSD-2-Clause-Patent
// The table over the CUDA driver: functions with HIP's signatures that call libcuda.
#include <array>
#include <mutex>

#include <cuda.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "common/library_file.hpp"
#include "cuda/large_pages.hpp"
#include "gpu_layer/platform.hpp"

namespace isovmaf::gpu::platform {

namespace {

constexpr const char *library_name = "libcuda.so.1";
constexpr std::size_t device_limit = 64;

// X(function, symbol): a symbol that ends in _v2 is the version of the function that this code calls.
#define ISOVMAF_CUDA_FUNCTIONS(X)                                                                                      \
    X(cuInit, "cuInit")                                                                                                \
    X(cuDriverGetVersion, "cuDriverGetVersion")                                                                        \
    X(cuGetErrorName, "cuGetErrorName")                                                                                \
    X(cuDeviceGetCount, "cuDeviceGetCount")                                                                            \
    X(cuDeviceGetName, "cuDeviceGetName")                                                                              \
    X(cuDeviceGetAttribute, "cuDeviceGetAttribute")                                                                    \
    X(cuDeviceGetPCIBusId, "cuDeviceGetPCIBusId")                                                                      \
    X(cuDeviceTotalMem, "cuDeviceTotalMem_v2")                                                                         \
    X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain")                                                            \
    X(cuCtxPushCurrent, "cuCtxPushCurrent_v2")                                                                         \
    X(cuCtxPopCurrent, "cuCtxPopCurrent_v2")                                                                           \
    X(cuMemGetInfo, "cuMemGetInfo_v2")                                                                                 \
    X(cuMemAlloc, "cuMemAlloc_v2")                                                                                     \
    X(cuMemFree, "cuMemFree_v2")                                                                                       \
    X(cuMemHostAlloc, "cuMemHostAlloc")                                                                                \
    X(cuMemFreeHost, "cuMemFreeHost")                                                                                  \
    X(cuMemHostRegister, "cuMemHostRegister_v2")                                                                       \
    X(cuMemHostUnregister, "cuMemHostUnregister")                                                                      \
    X(cuMemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2")                                                       \
    X(cuImportExternalMemory, "cuImportExternalMemory")                                                                \
    X(cuExternalMemoryGetMappedBuffer, "cuExternalMemoryGetMappedBuffer")                                              \
    X(cuDestroyExternalMemory, "cuDestroyExternalMemory")                                                              \
    X(cuMemcpyAsync, "cuMemcpyAsync")                                                                                  \
    X(cuMemcpy2DAsync, "cuMemcpy2DAsync_v2")                                                                           \
    X(cuMemsetD32Async, "cuMemsetD32Async")                                                                            \
    X(cuStreamCreate, "cuStreamCreate")                                                                                \
    X(cuStreamDestroy, "cuStreamDestroy_v2")                                                                           \
    X(cuStreamWaitEvent, "cuStreamWaitEvent")                                                                          \
    X(cuStreamBeginCapture, "cuStreamBeginCapture_v2")                                                                 \
    X(cuStreamEndCapture, "cuStreamEndCapture")                                                                        \
    X(cuEventCreate, "cuEventCreate")                                                                                  \
    X(cuEventDestroy, "cuEventDestroy_v2")                                                                             \
    X(cuEventRecord, "cuEventRecord")                                                                                  \
    X(cuEventQuery, "cuEventQuery")                                                                                    \
    X(cuEventSynchronize, "cuEventSynchronize")                                                                        \
    X(cuEventElapsedTime, "cuEventElapsedTime")                                                                        \
    X(cuModuleLoadData, "cuModuleLoadData")                                                                            \
    X(cuModuleUnload, "cuModuleUnload")                                                                                \
    X(cuModuleGetFunction, "cuModuleGetFunction")                                                                      \
    X(cuLaunchKernel, "cuLaunchKernel")                                                                                \
    X(cuGraphInstantiateWithFlags, "cuGraphInstantiateWithFlags")                                                      \
    X(cuGraphLaunch, "cuGraphLaunch")                                                                                  \
    X(cuGraphDestroy, "cuGraphDestroy")                                                                                \
    X(cuGraphExecDestroy, "cuGraphExecDestroy")

struct Driver {
#define ISOVMAF_CUDA_MEMBER(function, symbol) decltype(&::function) function##_ = nullptr;
    ISOVMAF_CUDA_FUNCTIONS(ISOVMAF_CUDA_MEMBER)
#undef ISOVMAF_CUDA_MEMBER

    std::mutex mutex;
    std::array<CUcontext, device_limit> contexts{}; ///< primary ones, kept from first use to the end of the process
    LargePages &large_pages = *new LargePages;      ///< kept: memory may be freed while the process ends
};
Driver driver;

/// HIP's error codes are CUDA's numbers. A CUDA error for which HIP has no name keeps its number.
hipError_t hip(CUresult result) { return static_cast<hipError_t>(result); }

CUdeviceptr address(const void *memory) { return reinterpret_cast<CUdeviceptr>(memory); }
CUstream cuda(hipStream_t stream) { return reinterpret_cast<CUstream>(stream); }
CUevent cuda(hipEvent_t event) { return reinterpret_cast<CUevent>(event); }
CUmodule cuda(hipModule_t module) { return reinterpret_cast<CUmodule>(module); }
CUgraph cuda(hipGraph_t graph) { return reinterpret_cast<CUgraph>(graph); }
CUgraphExec cuda(hipGraphExec_t graph) { return reinterpret_cast<CUgraphExec>(graph); }

/// Stores an object that CUDA created as HIP's handle. `created` is a reference, because the call that gives `result`
/// and sets `created` may be evaluated after the other arguments.
template <class Hip, class Cuda>
hipError_t store_handle(CUresult result, const Cuda &created, Hip *handle) {
    if (result == CUDA_SUCCESS)
        *handle = reinterpret_cast<Hip>(created);
    return hip(result);
}

hipError_t primary_context(int device, CUcontext &context) {
    if (device < 0 || static_cast<std::size_t>(device) >= device_limit)
        return hipErrorInvalidDevice;
    const std::lock_guard lock(driver.mutex);
    CUcontext &kept = driver.contexts[static_cast<std::size_t>(device)];
    const CUresult result = kept ? CUDA_SUCCESS : driver.cuDevicePrimaryCtxRetain_(&kept, device);
    context = kept;
    return hip(result);
}

/// leave_device makes the context current again that was current before.
hipError_t enter_device(const Api &, int device, int &) {
    CUcontext context = nullptr;
    const hipError_t error = primary_context(device, context);
    return error == hipSuccess ? hip(driver.cuCtxPushCurrent_(context)) : error;
}

void leave_device(const Api &, int) {
    CUcontext left = nullptr;
    (void)driver.cuCtxPopCurrent_(&left);
}

hipError_t device_attribute(int *value, hipDeviceAttribute_t attribute, int device) {
    const auto get = [&](CUdevice_attribute which) { return hip(driver.cuDeviceGetAttribute_(value, which, device)); };
    switch (attribute) {
    case hipDeviceAttributeMultiprocessorCount:
        return get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    case hipDeviceAttributeIntegrated:
        return get(CU_DEVICE_ATTRIBUTE_INTEGRATED);
    case hipDeviceAttributeWarpSize:
        return get(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    case hipDeviceAttributeComputeCapabilityMajor:
        return get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    case hipDeviceAttributeComputeCapabilityMinor:
        return get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    default:
        return hipErrorInvalidValue;
    }
}

/// Addresses are unified: the driver knows from an address whether it is host or device memory.
hipError_t copy_rows(void *to, std::size_t to_stride, const void *from, std::size_t from_stride, std::size_t row_bytes,
                     std::size_t rows, hipMemcpyKind, hipStream_t stream) {
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy.srcDevice = address(from);
    copy.srcPitch = from_stride;
    copy.dstDevice = address(to);
    copy.dstPitch = to_stride;
    copy.WidthInBytes = row_bytes;
    copy.Height = rows;
    return hip(driver.cuMemcpy2DAsync_(&copy, cuda(stream)));
}

void fill_devices(Api &api) {
    api.hipInit = [](unsigned int flags) { return hip(driver.cuInit_(flags)); };
    api.hipRuntimeGetVersion = [](int *version) { return hip(driver.cuDriverGetVersion_(version)); };
    api.hipGetErrorName = [](hipError_t error) {
        const char *name = nullptr;
        return driver.cuGetErrorName_(static_cast<CUresult>(error), &name) == CUDA_SUCCESS ? name : nullptr;
    };
    api.hipGetDeviceCount = [](int *count) { return hip(driver.cuDeviceGetCount_(count)); };
    api.hipDeviceGetName = [](char *name, int length, hipDevice_t device) {
        return hip(driver.cuDeviceGetName_(name, length, device));
    };
    api.hipDeviceGetAttribute = device_attribute;
    api.hipDeviceGetPCIBusId = [](char *id, int length, int device) {
        return hip(driver.cuDeviceGetPCIBusId_(id, length, device));
    };
    api.hipDeviceTotalMem = [](std::size_t *bytes, hipDevice_t device) {
        return hip(driver.cuDeviceTotalMem_(bytes, device));
    };
    api.enter_device = enter_device;
    api.leave_device = leave_device;
}

/// Pins memory in large pages, and lets the driver allocate what cannot be had so: it pins its own small pages in ten
/// times as long (docs/research/gpu-speed.md). Kernels have to reach the memory at the host's address.
hipError_t allocate_pinned(void **memory, std::size_t bytes, unsigned int flags) {
    if (void *const pages = driver.large_pages.map(bytes)) {
        constexpr unsigned int of_all_contexts = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP;
        if (driver.cuMemHostRegister_(pages, bytes, of_all_contexts) == CUDA_SUCCESS) {
            CUdeviceptr on_device = 0;
            if (driver.cuMemHostGetDevicePointer_(&on_device, pages, 0) == CUDA_SUCCESS &&
                on_device == address(pages)) {
                *memory = pages;
                return hipSuccess;
            }
            (void)driver.cuMemHostUnregister_(pages);
        }
        driver.large_pages.unmap(pages);
    }
    return hip(driver.cuMemHostAlloc_(memory, bytes, flags));
}

hipError_t free_pinned(void *memory) {
    if (!driver.large_pages.has(memory))
        return hip(driver.cuMemFreeHost_(memory));
    const CUresult result = driver.cuMemHostUnregister_(memory);
    driver.large_pages.unmap(memory);
    return hip(result);
}

void fill_memory(Api &api) {
    api.hipMemGetInfo = [](std::size_t *free_bytes, std::size_t *total_bytes) {
        return hip(driver.cuMemGetInfo_(free_bytes, total_bytes));
    };
    api.hipMalloc = [](void **memory, std::size_t bytes) {
        CUdeviceptr allocated = 0;
        return store_handle(driver.cuMemAlloc_(&allocated, bytes), allocated, memory);
    };
    api.hipFree = [](void *memory) { return hip(driver.cuMemFree_(address(memory))); };
    api.hipHostMalloc = allocate_pinned;
    api.hipHostFree = free_pinned;
    api.hipMemcpyAsync = [](void *to, const void *from, std::size_t bytes, hipMemcpyKind, hipStream_t stream) {
        return hip(driver.cuMemcpyAsync_(address(to), address(from), bytes, cuda(stream)));
    };
    api.hipMemcpy2DAsync = copy_rows;
    api.hipMemsetD32Async = [](hipDeviceptr_t to, int word, std::size_t words, hipStream_t stream) {
        return hip(driver.cuMemsetD32Async_(address(to), static_cast<unsigned int>(word), words, cuda(stream)));
    };
}

/// The driver owns a descriptor that it has imported, so it is given a duplicate.
hipError_t import_external(hipExternalMemory_t *memory, const hipExternalMemoryHandleDesc *description) {
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC handle{};
    handle.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    handle.handle.fd = fcntl(description->handle.fd, F_DUPFD_CLOEXEC, 0);
    handle.size = description->size;
    handle.flags = description->flags;
    CUexternalMemory imported = nullptr;
    const CUresult result = driver.cuImportExternalMemory_(&imported, &handle);
    if (result != CUDA_SUCCESS)
        (void)close(handle.handle.fd);
    return store_handle(result, imported, memory);
}

hipError_t map_external(void **data, hipExternalMemory_t memory, const hipExternalMemoryBufferDesc *description) {
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC part{};
    part.offset = description->offset;
    part.size = description->size;
    CUdeviceptr mapped = 0;
    return store_handle(driver.cuExternalMemoryGetMappedBuffer_(&mapped, static_cast<CUexternalMemory>(memory), &part),
                        mapped, data);
}

void fill_external_memory(Api &api) {
    api.hipImportExternalMemory = import_external;
    api.hipExternalMemoryGetMappedBuffer = map_external;
    api.hipDestroyExternalMemory = [](hipExternalMemory_t memory) {
        return hip(driver.cuDestroyExternalMemory_(static_cast<CUexternalMemory>(memory)));
    };
}

/// HIP's flags of streams and events have CUDA's values.
void fill_streams(Api &api) {
    api.hipStreamCreateWithFlags = [](hipStream_t *stream, unsigned int flags) {
        CUstream created = nullptr;
        return store_handle(driver.cuStreamCreate_(&created, flags), created, stream);
    };
    api.hipStreamDestroy = [](hipStream_t stream) { return hip(driver.cuStreamDestroy_(cuda(stream))); };
    api.hipStreamWaitEvent = [](hipStream_t stream, hipEvent_t event, unsigned int flags) {
        return hip(driver.cuStreamWaitEvent_(cuda(stream), cuda(event), flags));
    };
    api.hipEventCreateWithFlags = [](hipEvent_t *event, unsigned int flags) {
        CUevent created = nullptr;
        return store_handle(driver.cuEventCreate_(&created, flags), created, event);
    };
    api.hipEventDestroy = [](hipEvent_t event) { return hip(driver.cuEventDestroy_(cuda(event))); };
    api.hipEventRecord = [](hipEvent_t event, hipStream_t stream) {
        return hip(driver.cuEventRecord_(cuda(event), cuda(stream)));
    };
    api.hipEventQuery = [](hipEvent_t event) { return hip(driver.cuEventQuery_(cuda(event))); };
    api.hipEventSynchronize = [](hipEvent_t event) { return hip(driver.cuEventSynchronize_(cuda(event))); };
    api.hipEventElapsedTime = [](float *milliseconds, hipEvent_t start, hipEvent_t end) {
        return hip(driver.cuEventElapsedTime_(milliseconds, cuda(start), cuda(end)));
    };
}

void fill_kernels(Api &api) {
    api.hipModuleLoadData = [](hipModule_t *module, const void *image) {
        CUmodule loaded = nullptr;
        return store_handle(driver.cuModuleLoadData_(&loaded, image), loaded, module);
    };
    api.hipModuleUnload = [](hipModule_t module) { return hip(driver.cuModuleUnload_(cuda(module))); };
    api.hipModuleGetFunction = [](hipFunction_t *function, hipModule_t module, const char *name) {
        CUfunction found = nullptr;
        return store_handle(driver.cuModuleGetFunction_(&found, cuda(module), name), found, function);
    };
    api.hipModuleLaunchKernel = [](hipFunction_t function, unsigned int groups_x, unsigned int groups_y,
                                   unsigned int groups_z, unsigned int size_x, unsigned int size_y, unsigned int size_z,
                                   unsigned int shared_bytes, hipStream_t stream, void **params, void **extra) {
        return hip(driver.cuLaunchKernel_(reinterpret_cast<CUfunction>(function), groups_x, groups_y, groups_z, size_x,
                                          size_y, size_z, shared_bytes, cuda(stream), params, extra));
    };
}

void fill_graphs(Api &api) {
    static_assert(int{hipStreamCaptureModeRelaxed} == int{CU_STREAM_CAPTURE_MODE_RELAXED});
    api.hipStreamBeginCapture = [](hipStream_t stream, hipStreamCaptureMode mode) {
        return hip(driver.cuStreamBeginCapture_(cuda(stream), static_cast<CUstreamCaptureMode>(mode)));
    };
    api.hipStreamEndCapture = [](hipStream_t stream, hipGraph_t *graph) {
        CUgraph captured = nullptr;
        return store_handle(driver.cuStreamEndCapture_(cuda(stream), &captured), captured, graph);
    };
    api.hipGraphInstantiate = [](hipGraphExec_t *executable, hipGraph_t graph, hipGraphNode_t *, char *, std::size_t) {
        CUgraphExec created = nullptr;
        return store_handle(driver.cuGraphInstantiateWithFlags_(&created, cuda(graph), 0), created, executable);
    };
    api.hipGraphLaunch = [](hipGraphExec_t graph, hipStream_t stream) {
        return hip(driver.cuGraphLaunch_(cuda(graph), cuda(stream)));
    };
    api.hipGraphDestroy = [](hipGraph_t graph) { return hip(driver.cuGraphDestroy_(cuda(graph))); };
    api.hipGraphExecDestroy = [](hipGraphExec_t graph) { return hip(driver.cuGraphExecDestroy_(cuda(graph))); };
}

} // namespace

plugin::Outcome open(Api &api) {
    api.library = library_name;
    void *const library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL); // stays open for as long as the process lives
    if (!library) {
        const char *const why = dlerror();
        return {ISOVMAF_UNAVAILABLE,
                fmt::format("the NVIDIA driver cannot be opened, install it ({})", why ? why : library_name)};
    }
    api.file = plugin::library_file(library);
#define ISOVMAF_CUDA_FIND(function, symbol)                                                                            \
    driver.function##_ = reinterpret_cast<decltype(driver.function##_)>(dlsym(library, symbol));                       \
    if (!driver.function##_)                                                                                           \
        return {ISOVMAF_UNAVAILABLE, fmt::format("{} has no " symbol ": the NVIDIA driver is too old", library_name)};
    ISOVMAF_CUDA_FUNCTIONS(ISOVMAF_CUDA_FIND)
#undef ISOVMAF_CUDA_FIND
    fill_devices(api);
    fill_memory(api);
    fill_external_memory(api);
    fill_streams(api);
    fill_kernels(api);
    fill_graphs(api);
    return {};
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version / 10 % 100); }

const char *driver_version_file() { return "/sys/module/nvidia/version"; }

std::string device_arch(const Api &api, int device) {
    int major = 0, minor = 0;
    if (api.hipDeviceGetAttribute(&major, hipDeviceAttributeComputeCapabilityMajor, device) != hipSuccess ||
        api.hipDeviceGetAttribute(&minor, hipDeviceAttributeComputeCapabilityMinor, device) != hipSuccess)
        return {};
    return fmt::format("sm_{}{}", major, minor);
}

/// CUDA imports dma-bufs on some of NVIDIA's embedded systems only, so they are not offered.
std::optional<hipExternalMemoryHandleDesc> external_handle(const isovmaf_external_memory &external) {
    if (external.kind != ISOVMAF_EXTERNAL_OPAQUE_FD)
        return {};
    hipExternalMemoryHandleDesc handle{};
    handle.type = hipExternalMemoryHandleTypeOpaqueFd;
    handle.handle.fd = external.fd;
    handle.size = external.bytes;
    handle.flags = external.dedicated ? CUDA_EXTERNAL_MEMORY_DEDICATED : 0;
    return handle;
}

std::optional<NativeContext> native_context(int device) {
    CUcontext context = nullptr;
    if (primary_context(device, context) != hipSuccess)
        return {};
    return NativeContext{"cuda", context};
}

/// A fatbin holds code for several architectures. The driver chooses one or refuses the file.
bool may_run(const std::string &, const std::string &) { return true; }

/// Drivers compile PTX for devices that are newer than it.
std::string build_advice(const std::string &) { return {}; }

} // namespace isovmaf::gpu::platform

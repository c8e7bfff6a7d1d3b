// SPDX-License-Identifier: BSD-2-Clause-Patent
// With FAKE_HIP_BARE, the library lacks all functions that a runtime may lack.
#include "hip/testing/fake_hip.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <string_view>
#include <thread>
#include <utility>

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpu_layer/hip_types.hpp"
#include "hip/testing/fake_kernels.hpp"

using namespace isovmaf::gpu;

using Work = std::function<bool()>; ///< false when it has to wait

struct isovmaf::gpu::ihipEvent_t {
    unsigned flags = 0;
    std::uint64_t recorded = 0, reached = 0; ///< how often
};
struct isovmaf::gpu::ihipGraph {
    std::vector<Work> work;
};
struct isovmaf::gpu::hipGraphExec {
    std::vector<Work> work;
};
struct isovmaf::gpu::ihipStream_t {
    std::deque<Work> work;
    ihipGraph *capturing = nullptr;
};
struct FakeExternalMemory {
    int fd = -1;
    unsigned long long size = 0;
};
struct isovmaf::gpu::ihipModule_t {
    std::string_view code_object;
    fake_kernels::Image image;
};
struct isovmaf::gpu::ihipModuleSymbol_t {
    std::string name;
    fake_kernels::Image image; ///< of its module
};

namespace {

std::vector<ihipStream_t *> streams;
std::map<void *, std::size_t> allocations;
std::map<void *, std::size_t> mappings; ///< of external memory
int lost = 0;                           ///< the error that every call returns once the device is lost
ihipStream_t *running = nullptr;        ///< the stream whose work runs

/// For copies and fills that ran.
void note_written(const void *memory, const void *from, std::size_t bytes) {
    if (!fake_kernels::memory_written(running, memory, from, bytes))
        lost = hipErrorLaunchFailure;
}

bool run_one(ihipStream_t &stream) {
    running = &stream;
    if (stream.work.empty() || !stream.work.front()())
        return false;
    stream.work.pop_front();
    return true;
}

void run_all() {
    for (bool progress = true; progress;) {
        progress = false;
        for (ihipStream_t *const stream : streams)
            while (run_one(*stream))
                progress = true;
    }
}

/// Every call of the runtime goes through this function.
template <class Function>
hipError_t call(const char *name, const Function &function) {
    FakeHip &fake = *fake_hip();
    const std::lock_guard lock(fake.mutex);
    if (lost)
        return static_cast<hipError_t>(lost);
    if (const auto error = fake.errors.find(name); error != fake.errors.end()) {
        fake.failed_calls++;
        return static_cast<hipError_t>(error->second);
    }
    return function(fake);
}

hipError_t submit(const char *name, ihipStream_t *stream, Work work) {
    return call(name, [&](FakeHip &fake) {
        fake_kernels::work_submitted(stream);
        if (stream->capturing)
            stream->capturing->work.push_back(std::move(work));
        else
            stream->work.push_back(std::move(work));
        if (fake.eager)
            run_all();
        return lost ? static_cast<hipError_t>(lost) : hipSuccess;
    });
}

template <class T>
hipError_t create(const char *name, T **object, T value = {}) {
    return call(name, [&](FakeHip &fake) {
        *object = new T(std::move(value));
        fake.live_objects++;
        return hipSuccess;
    });
}

/// Destroys on a lost device too.
template <class T>
hipError_t destroy(T *object) {
    FakeHip &fake = *fake_hip();
    const std::lock_guard lock(fake.mutex);
    fake.live_objects--;
    if constexpr (std::is_same_v<T, ihipStream_t>) {
        std::erase(streams, object);
        if (object->capturing)
            fake.live_objects--;
        delete object->capturing;
    }
    delete object;
    return hipSuccess;
}

hipError_t allocate(FakeHip &fake, void **memory, std::size_t bytes) {
    *memory = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    std::memset(*memory, 0xcd, bytes);
    allocations[*memory] = 0;
    fake.live_objects++;
    return hipSuccess;
}

hipError_t release(void *memory) {
    FakeHip &fake = *fake_hip();
    const std::lock_guard lock(fake.mutex);
    if (const auto mapping = mappings.find(memory); mapping != mappings.end()) {
        fake_kernels::remove_memory(memory);
        munmap(memory, mapping->second);
        mappings.erase(mapping);
        fake.live_objects--;
        return hipSuccess;
    }
    const auto found = allocations.find(memory);
    if (found == allocations.end())
        return hipErrorInvalidValue;
    fake_kernels::remove_memory(memory);
    fake.allocated_bytes -= found->second;
    fake.live_objects--;
    allocations.erase(found);
    std::free(memory);
    return hipSuccess;
}

std::string_view elf_image(const void *image) {
    const auto *const header = static_cast<const Elf64_Ehdr *>(image);
    if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return {};
    return {static_cast<const char *>(image), header->e_shoff + std::size_t{header->e_shnum} * header->e_shentsize};
}

} // namespace

extern "C" {

FakeHip *fake_hip() {
    static FakeHip *const fake = [] {
        static FakeHip made;
        const char *const devices = std::getenv("FAKE_HIP_DEVICES");
        made.devices = devices ? std::atoi(devices) : 1;
        const char *const arch = std::getenv("FAKE_HIP_ARCH");
        made.arch = arch ? arch : "";
        made.integrated = std::getenv("FAKE_HIP_INTEGRATED") != nullptr;
        made.run = [] {
            const std::lock_guard lock(fake_hip()->mutex);
            run_all();
        };
        return &made;
    }();
    return fake;
}

hipError_t hipInit(unsigned int) { return fake_hip()->devices > 0 ? hipSuccess : hipErrorInvalidDevice; }
hipError_t hipGetDeviceCount(int *count) {
    *count = fake_hip()->devices;
    return *count > 0 ? hipSuccess : hipErrorNoDevice;
}
hipError_t hipSetDevice(int device) { return device < fake_hip()->devices ? hipSuccess : hipErrorInvalidDevice; }
hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int) {
    const int lanes = fake_hip()->arch.starts_with("gfx1") ? 32 : 64;
    *value = attribute == hipDeviceAttributeWarpSize     ? lanes
             : attribute == hipDeviceAttributeIntegrated ? static_cast<int>(fake_hip()->integrated)
                                                         : 110;
    return hipSuccess;
}

hipError_t hipMalloc(void **memory, std::size_t bytes) {
    return call("hipMalloc", [&](FakeHip &fake) {
        fake.mallocs++;
        if (fake.allocated_bytes + bytes > fake.memory_bytes)
            return hipErrorOutOfMemory;
        const hipError_t error = allocate(fake, memory, bytes);
        allocations[*memory] = bytes;
        fake_kernels::add_memory(*memory, bytes, true);
        fake.allocated_bytes += bytes;
        return error;
    });
}
hipError_t hipHostMalloc(void **memory, std::size_t bytes, unsigned int) {
    return call("hipHostMalloc", [&](FakeHip &fake) {
        const hipError_t error = allocate(fake, memory, bytes);
        fake_kernels::add_memory(*memory, bytes, false);
        return error;
    });
}
hipError_t hipFree(void *memory) { return release(memory); }
hipError_t hipHostFree(void *memory) { return release(memory); }

hipError_t hipMemcpyAsync(void *to, const void *from, std::size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
    return submit("hipMemcpyAsync", stream, [=] {
        std::memcpy(to, from, bytes);
        note_written(to, from, bytes);
        fake_hip()->log.push_back("copy " + std::to_string(kind));
        return true;
    });
}
hipError_t hipMemcpy2DAsync(void *to, std::size_t to_stride, const void *from, std::size_t from_stride,
                            std::size_t row_bytes, std::size_t rows, hipMemcpyKind kind, hipStream_t stream) {
    return submit("hipMemcpy2DAsync", stream, [=] {
        for (std::size_t y = 0; y < rows; y++) {
            char *const row = static_cast<char *>(to) + y * to_stride;
            const char *const source = static_cast<const char *>(from) + y * from_stride;
            std::memcpy(row, source, row_bytes);
            note_written(row, source, row_bytes);
        }
        fake_hip()->log.push_back("copy rows " + std::to_string(kind));
        return true;
    });
}
hipError_t hipMemsetAsync(void *to, int value, std::size_t bytes, hipStream_t stream) {
    return submit("hipMemsetAsync", stream, [=] {
        std::memset(to, value, bytes);
        note_written(to, nullptr, bytes);
        fake_hip()->log.emplace_back("fill");
        return true;
    });
}

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags) {
    if (flags != hipStreamNonBlocking)
        return hipErrorInvalidValue;
    const hipError_t error = create("hipStreamCreateWithFlags", stream);
    if (error == hipSuccess) {
        const std::lock_guard lock(fake_hip()->mutex);
        streams.push_back(*stream);
    }
    return error;
}
hipError_t hipStreamDestroy(hipStream_t stream) { return destroy(stream); }
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int) {
    return submit("hipStreamWaitEvent", stream, [=, time = event->recorded] {
        if (event->reached < time)
            return false;
        fake_kernels::stream_waited(running, event);
        return true;
    });
}

hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) {
    return create("hipEventCreateWithFlags", event, ihipEvent_t{flags});
}
hipError_t hipEventDestroy(hipEvent_t event) { return destroy(event); }
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
    std::uint64_t time = 0;
    {
        const std::lock_guard lock(fake_hip()->mutex);
        time = ++event->recorded;
    }
    return submit("hipEventRecord", stream, [=] {
        event->reached = time;
        fake_kernels::event_recorded(event, running);
        return true;
    });
}
hipError_t hipEventQuery(hipEvent_t event) {
    return call("hipEventQuery", [&](FakeHip &) {
        if (event->reached != event->recorded)
            return hipErrorNotReady;
        fake_kernels::host_waited(event);
        return hipSuccess;
    });
}
hipError_t hipEventSynchronize(hipEvent_t event) {
    return call("hipEventSynchronize", [&](FakeHip &) {
        run_all();
        if (lost)
            return static_cast<hipError_t>(lost);
        if (event->reached != event->recorded)
            return hipErrorLaunchTimeOut; // no work is left that could reach it
        fake_kernels::host_waited(event);
        return hipSuccess;
    });
}
hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t end) {
    return call("hipEventElapsedTime", [&](FakeHip &) {
        if (((start->flags | end->flags) & hipEventDisableTiming) || start->recorded == 0 || end->recorded == 0)
            return hipErrorInvalidHandle;
        *milliseconds = 0.5f;
        return hipSuccess;
    });
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
    const std::string_view elf = elf_image(image);
    const std::string arch = fake_hip()->arch.substr(0, fake_hip()->arch.find(':'));
    if (elf.find("amdgcn-amd-amdhsa--" + arch) == std::string_view::npos)
        return hipErrorNoBinaryForGpu;
    std::this_thread::sleep_for(fake_hip()->loading_takes);
    const hipError_t error = create("hipModuleLoadData", module, ihipModule_t{elf, fake_kernels::load(elf)});
    if (error == hipSuccess) {
        const std::lock_guard lock(fake_hip()->mutex);
        fake_hip()->modules.push_back(elf);
        fake_hip()->module_loads++;
    }
    return error;
}
hipError_t hipModuleUnload(hipModule_t module) {
    {
        const std::lock_guard lock(fake_hip()->mutex);
        std::vector<std::string_view> &loaded = fake_hip()->modules;
        loaded.erase(std::ranges::find(loaded, module->code_object));
    }
    return destroy(module);
}
hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
    return call("hipModuleGetFunction", [&](FakeHip &) {
        static std::map<std::pair<fake_kernels::Image, std::string>, ihipModuleSymbol_t> symbols;
        if (module->code_object.find('\0' + std::string(name) + ".kd" + '\0') == std::string_view::npos)
            return hipErrorNotFound;
        *function =
            &symbols.emplace(std::pair(module->image, name), ihipModuleSymbol_t{name, module->image}).first->second;
        return hipSuccess;
    });
}
hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int groups_x, unsigned int groups_y,
                                 unsigned int groups_z, unsigned int size_x, unsigned int size_y, unsigned int size_z,
                                 unsigned int, hipStream_t stream, void **arguments, void **) {
    const auto extent = [](unsigned int x, unsigned int y, unsigned int z) {
        return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
    };
    const std::string name = function->name;
    const std::string line =
        "launch " + name + " " + extent(groups_x, groups_y, groups_z) + " of " + extent(size_x, size_y, size_z);
    const fake_kernels::Launch launch = fake_kernels::prepare(function->image, name, {groups_x, groups_y, groups_z},
                                                              {size_x, size_y, size_z}, arguments);
    return submit("hipModuleLaunchKernel", stream, [=] {
        if (name == fake_hip()->faulting_kernel)
            lost = hipErrorIllegalAddress;
        else if (!launch(running))
            lost = hipErrorLaunchFailure;
        fake_hip()->log.push_back(line);
        return true;
    });
}

#if !defined(FAKE_HIP_BARE)
hipError_t hipDeviceGetName(char *name, int length, hipDevice_t) {
    std::snprintf(name, static_cast<std::size_t>(length), "Fake GPU");
    return hipSuccess;
}

hipError_t hipMemsetD32Async(hipDeviceptr_t to, int word, std::size_t words, hipStream_t stream) {
    return submit("hipMemsetD32Async", stream, [=] {
        for (std::size_t i = 0; i < words; i++)
            std::memcpy(static_cast<char *>(to) + i * sizeof word, &word, sizeof word);
        note_written(to, nullptr, words * sizeof word);
        fake_hip()->log.emplace_back("fill");
        return true;
    });
}

const char *hipGetErrorName(hipError_t error) {
    return error == hipErrorOutOfMemory ? "hipErrorOutOfMemory" : "hipError";
}
hipError_t hipRuntimeGetVersion(int *version) {
    *version = 70051831;
    return hipSuccess;
}
hipError_t hipDeviceGetPCIBusId(char *id, int length, int) {
    std::snprintf(id, static_cast<std::size_t>(length), "0000:c1:00.0");
    return hipSuccess;
}
hipError_t hipMemGetInfo(std::size_t *free_bytes, std::size_t *total_bytes) {
    *total_bytes = fake_hip()->memory_bytes;
    *free_bytes = *total_bytes - fake_hip()->allocated_bytes;
    return hipSuccess;
}

/// Keeps a duplicate of the descriptor, as ROCm does.
hipError_t hipImportExternalMemory(hipExternalMemory_t *memory, const hipExternalMemoryHandleDesc *description) {
    if (description->type != hipExternalMemoryHandleTypeOpaqueFd || description->flags != 0)
        return hipErrorInvalidValue;
    const FakeExternalMemory made{fcntl(description->handle.fd, F_DUPFD_CLOEXEC, 0), description->size};
    FakeExternalMemory *created = nullptr;
    const hipError_t error = create("hipImportExternalMemory", &created, made);
    if (error != hipSuccess)
        close(made.fd);
    *memory = created;
    return error;
}
hipError_t hipExternalMemoryGetMappedBuffer(void **data, hipExternalMemory_t memory,
                                            const hipExternalMemoryBufferDesc *description) {
    return call("hipExternalMemoryGetMappedBuffer", [&](FakeHip &fake) {
        const auto *const external = static_cast<const FakeExternalMemory *>(memory);
        if (description->offset + description->size > external->size)
            return hipErrorInvalidValue;
        void *const mapped = mmap(nullptr, description->size, PROT_READ | PROT_WRITE, MAP_SHARED, external->fd,
                                  static_cast<off_t>(description->offset));
        if (mapped == MAP_FAILED)
            return hipErrorInvalidValue;
        mappings[mapped] = description->size;
        fake_kernels::add_memory(mapped, description->size, false);
        fake.live_objects++;
        *data = mapped;
        return hipSuccess;
    });
}
hipError_t hipDestroyExternalMemory(hipExternalMemory_t memory) {
    auto *const external = static_cast<FakeExternalMemory *>(memory);
    close(external->fd);
    return destroy(external);
}

/// A function of ROCm 6 and later. The plugin reads the architecture at this place.
hipError_t hipGetDevicePropertiesR0600(void *properties, int) {
    std::snprintf(static_cast<char *>(properties) + 1160, 256, "%s", fake_hip()->arch.c_str());
    return hipSuccess;
}

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode) {
    return call("hipStreamBeginCapture", [&](FakeHip &fake) {
        if (stream->capturing)
            return hipErrorIllegalState;
        stream->capturing = new ihipGraph;
        fake.live_objects++;
        return hipSuccess;
    });
}
hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph) {
    return call("hipStreamEndCapture", [&](FakeHip &) {
        *graph = std::exchange(stream->capturing, nullptr);
        return hipSuccess;
    });
}
hipError_t hipGraphInstantiate(hipGraphExec_t *executable, hipGraph_t graph, hipGraphNode_t *, char *, std::size_t) {
    return create("hipGraphInstantiate", executable, hipGraphExec{graph->work});
}
hipError_t hipGraphLaunch(hipGraphExec_t graph, hipStream_t stream) {
    return submit("hipGraphLaunch", stream, [work = graph->work] {
        fake_hip()->graph_launches++;
        for (const Work &node : work)
            (void)node();
        return true;
    });
}
hipError_t hipGraphDestroy(hipGraph_t graph) { return destroy(graph); }
hipError_t hipGraphExecDestroy(hipGraphExec_t graph) { return destroy(graph); }

#endif

} // extern "C"

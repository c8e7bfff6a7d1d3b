// SPDX-License-Identifier: BSD-2-Clause-Patent
// What all plugins for tests have in common: see fake_backend.hpp.
#include "device/testing/fake_backend.hpp"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "device/self_test_known.hpp"
#include "device/self_test_params.h"

using isovmaf::Defect;
using isovmaf::FakePlugin;

namespace {

FakePlugin plugin; // the one of this module

constexpr std::size_t buffer_alignment = 256;

} // namespace

struct isovmaf_device {
    Defect defect;
    std::atomic<std::uint64_t> allocated = 0, allocated_peak = 0, pinned = 0, allocations = 0;
};

struct isovmaf_buffer {
    isovmaf_device *device;
    isovmaf_memory memory;
    std::uint64_t size;
    std::byte *bytes;
};

struct isovmaf_kernel {
    std::string name;
};

struct isovmaf_commands {
    isovmaf_device *device;
    std::vector<std::function<void()>> steps;
};

struct isovmaf_queue {
    std::uint64_t submitted = 0;
};

namespace {

isovmaf_kernel kernels[] = {
    {"self_test_probes"},      {"self_test_reduce_64"}, {"self_test_reduce_256"},
    {"self_test_reduce_1024"}, {"self_test_sum"},       {"self_test_shared"},
};

isovmaf_status refuse(isovmaf_status status, const char *why, isovmaf_message *message) {
    std::strncpy(message->text, why, sizeof message->text - 1);
    return status;
}

template <class T>
T *at(const isovmaf_range &range) {
    return reinterpret_cast<T *>(range.buffer->bytes + range.offset);
}

std::uint64_t result(const SelfTestProbe &p, Defect defect) {
    if (defect == Defect::fuses_f32 && p.operation == SELF_TEST_MULTIPLY_ADD_F32)
        return self_test_bits(std::fma(self_test_f32(p.a), self_test_f32(p.b), self_test_f32(p.c)));
    if (defect == Defect::fuses_f64 && p.operation == SELF_TEST_MULTIPLY_ADD_F64)
        return self_test_bits(std::fma(self_test_f64(p.a), self_test_f64(p.b), self_test_f64(p.c)));
    if (defect == Defect::shifts_zeros_in && p.operation == SELF_TEST_SHIFT_RIGHT_I64)
        return p.a >> p.b;
    if (defect == Defect::fuses_exact_f32 && p.operation == SELF_TEST_F32_MULTIPLY_ADD)
        return self_test_bits(std::fma(self_test_f32(p.a), self_test_f32(p.b), self_test_f32(p.c)));
    const std::uint64_t right = self_test_result(p);
    if (defect == Defect::flushes_f32 && p.operation == SELF_TEST_F32_ADD && right < F32_LEADING)
        return 0;
    if (defect == Defect::trusts_quick_f32 && (p.operation & SELF_TEST_F32_REDONE) != 0)
        return right | SELF_TEST_F32_DECLARED_RIGHT;
    if (defect == Defect::approximates_roots && p.operation == SELF_TEST_F32_SQRT && right != 0)
        return right + 1;
    return right;
}

struct Launch {
    std::string kernel;
    std::uint32_t groups;
    isovmaf_range in, out;
    SelfTestReduceParams params; // the largest of the kernels' structures
};

void run_reductions(const Launch &launch, Defect defect) {
    const std::span elements(at<const std::uint64_t>(launch.in), SELF_TEST_ELEMENTS);
    for (std::uint32_t group = 0; group < launch.groups; group++) {
        auto count = static_cast<std::size_t>(launch.params.counts[group]);
        if (defect == Defect::reduces_one_wave)
            count = std::min<std::size_t>(count, 32);
        const std::vector<std::uint64_t> results = isovmaf::known_reductions(elements, count);
        std::memcpy(at<std::uint64_t>(launch.out) + group * results.size(), results.data(),
                    results.size() * sizeof(std::uint64_t));
    }
}

void run(const Launch &launch, Defect defect) {
    if (defect == Defect::launches_nothing)
        return;
    if (launch.kernel == "self_test_probes") {
        for (int i = 0; i < launch.params.counts[0]; i++)
            at<std::uint64_t>(launch.out)[i] = result(at<const SelfTestProbe>(launch.in)[i], defect);
    } else if (launch.kernel == "self_test_sum") {
        const std::span elements(at<const std::uint64_t>(launch.in), SELF_TEST_SUM_THREADS);
        *at<std::int64_t>(launch.out) +=
            isovmaf::known_sum(elements, launch.params.counts[0]) - (defect == Defect::loses_sums ? 1 : 0);
    } else if (launch.kernel == "self_test_shared") {
        std::vector<std::uint32_t> results =
            isovmaf::known_shared(std::span(at<const std::uint64_t>(launch.in), SELF_TEST_SUM_THREADS));
        if (defect == Defect::shares_bytes)
            results[3]--;
        if (defect == Defect::loses_bits)
            results.back() &= 0xff;
        std::memcpy(at<std::uint32_t>(launch.out), results.data(), results.size() * sizeof(std::uint32_t));
    } else {
        run_reductions(launch, defect);
    }
}

void round_upward() {
    if (plugin.rounds_upward)
        std::fesetround(FE_UPWARD);
}

isovmaf_status probe(isovmaf_runtime_info *info, isovmaf_message *message) {
    round_upward();
    if (const char *const file = std::getenv("FAKE_PROBED"))
        std::ofstream(file, std::ios::app) << plugin.name << " ";
    if (plugin.devices.empty())
        return refuse(ISOVMAF_UNAVAILABLE, "libfake.so.1 is not installed: install the fake driver", message);
    *info = {"libfake.so.1", "/opt/fake/libfake.so.1", "1.2.3", "4.5",
             static_cast<std::uint32_t>(plugin.devices.size())};
    return ISOVMAF_OK;
}

isovmaf_status describe(std::uint32_t, isovmaf_device_info *info, isovmaf_message *) {
    *info = {"Fake GPU",    "fake_1", "0000:c1:00.0",   std::uint64_t{8} << 30, std::uint64_t{7} << 30, 60, 64, 1,
             plugin.is_cpu, 0,        "fake driver 4.5"};
    return ISOVMAF_OK;
}

void open_slowly() {
    if (const char *const file = std::getenv("FAKE_OPENING_UNTIL")) {
        while (!std::filesystem::exists(file))
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

isovmaf_status device_open(std::uint32_t index, isovmaf_device **device, isovmaf_message *message) {
    const Defect defect = plugin.devices[index];
    if (defect == Defect::does_not_open)
        return refuse(ISOVMAF_UNSUPPORTED, "there are no kernels for its architecture", message);
    if (defect == Defect::opens_slowly)
        open_slowly();
    *device = new isovmaf_device{defect};
    return ISOVMAF_OK;
}

void device_close(isovmaf_device *device) { delete device; }

void memory_statistics(isovmaf_device *device, isovmaf_memory_statistics *statistics) {
    *statistics = {device->allocated,      device->allocated_peak, device->allocated,
                   device->allocated_peak, device->pinned,         device->allocations};
}

void memory_trim(isovmaf_device *) {}

isovmaf_status buffer_create(isovmaf_device *device, isovmaf_memory memory, std::uint64_t bytes,
                             isovmaf_buffer **buffer, isovmaf_message *) {
    *buffer = new isovmaf_buffer{device, memory, bytes,
                                 static_cast<std::byte *>(operator new (bytes, std::align_val_t{buffer_alignment}))};
    device->allocations++;
    (memory == ISOVMAF_MEMORY_DEVICE ? device->allocated : device->pinned) += bytes;
    device->allocated_peak = std::max(device->allocated_peak.load(), device->allocated.load());
    return ISOVMAF_OK;
}

void *buffer_map(isovmaf_buffer *buffer) { return buffer->memory == ISOVMAF_MEMORY_DEVICE ? nullptr : buffer->bytes; }

std::uint64_t buffer_address(isovmaf_buffer *) { return 0; }

void buffer_destroy(isovmaf_buffer *buffer) {
    if (!buffer)
        return;
    (buffer->memory == ISOVMAF_MEMORY_DEVICE ? buffer->device->allocated : buffer->device->pinned) -= buffer->size;
    operator delete (buffer->bytes, std::align_val_t{buffer_alignment});
    delete buffer;
}

isovmaf_status kernel_find(isovmaf_device *device, const char *name, isovmaf_kernel **kernel,
                           isovmaf_message *message) {
    for (isovmaf_kernel &candidate : kernels)
        if (candidate.name == name &&
            !(device->defect == Defect::lacks_a_kernel && candidate.name == "self_test_sum")) {
            *kernel = &candidate;
            return ISOVMAF_OK;
        }
    return refuse(ISOVMAF_UNSUPPORTED, "it has no such kernel", message);
}

isovmaf_status commands_create(isovmaf_device *device, std::uint32_t, isovmaf_commands **commands, isovmaf_message *) {
    *commands = new isovmaf_commands{device, {}};
    return ISOVMAF_OK;
}

isovmaf_status command_fill(isovmaf_commands *commands, isovmaf_range range, std::uint64_t bytes, std::uint32_t word,
                            isovmaf_message *) {
    if (commands->device->defect == Defect::never_fills)
        word = 0;
    commands->steps.emplace_back([=] {
        for (std::uint64_t i = 0; i < bytes / sizeof word; i++)
            std::memcpy(at<std::uint32_t>(range) + i, &word, sizeof word);
    });
    return ISOVMAF_OK;
}

isovmaf_status command_copy(isovmaf_commands *commands, const isovmaf_copy *copy, isovmaf_message *) {
    const bool packed = commands->device->defect == Defect::ignores_strides;
    commands->steps.emplace_back([packed, c = *copy] {
        for (std::uint64_t row = 0; row < c.rows; row++)
            std::memcpy(at<std::byte>(c.to) + row * (packed ? c.row_bytes : c.to_stride),
                        at<std::byte>(c.from) + row * c.from_stride, c.row_bytes);
    });
    return ISOVMAF_OK;
}

isovmaf_status command_dispatch(isovmaf_commands *commands, const isovmaf_dispatch *dispatch, isovmaf_message *) {
    Launch launch{dispatch->kernel->name, dispatch->groups[0], dispatch->ranges[0], dispatch->ranges[1], {}};
    std::memcpy(&launch.params, dispatch->params, dispatch->params_bytes);
    commands->steps.emplace_back([launch, defect = commands->device->defect] { run(launch, defect); });
    return ISOVMAF_OK;
}

isovmaf_status command_mark(isovmaf_commands *, isovmaf_message *) { return ISOVMAF_OK; }
isovmaf_status commands_finish(isovmaf_commands *, isovmaf_message *) { return ISOVMAF_OK; }
isovmaf_status commands_times(isovmaf_commands *, double *, std::uint32_t, isovmaf_message *message) {
    return refuse(ISOVMAF_UNSUPPORTED, "it has no clock", message);
}
void commands_destroy(isovmaf_commands *commands) { delete commands; }

isovmaf_status queue_create(isovmaf_device *, void *, isovmaf_queue **queue, isovmaf_message *) {
    *queue = new isovmaf_queue;
    return ISOVMAF_OK;
}
void queue_destroy(isovmaf_queue *queue) { delete queue; }

isovmaf_status queue_submit(isovmaf_queue *queue, isovmaf_commands *commands, const isovmaf_ticket *, std::uint32_t,
                            std::uint64_t *ticket, isovmaf_message *) {
    for (const auto &step : commands->steps)
        step();
    *ticket = ++queue->submitted;
    return ISOVMAF_OK;
}

isovmaf_status queue_wait(isovmaf_queue *, std::uint64_t, std::uint64_t, isovmaf_message *) { return ISOVMAF_OK; }

} // namespace

isovmaf_backend isovmaf::fake_backend(FakePlugin description) {
    plugin = std::move(description);
    round_upward();
    return {
        .magic = plugin.magic,
        .size = sizeof(isovmaf_backend),
        .layout = plugin.layout,
        .name = plugin.name,
        .summary = "fake GPUs for tests",
        .version = "0",
        .build_id = "fake",
        .shares_uploads = 0,
        .probe = probe,
        .describe = describe,
        .device_open = device_open,
        .device_close = device_close,
        .memory_statistics = memory_statistics,
        .memory_trim = memory_trim,
        .buffer_create = buffer_create,
        .buffer_import = nullptr,
        .memory_import = nullptr,
        .buffer_map = buffer_map,
        .buffer_address = buffer_address,
        .buffer_destroy = buffer_destroy,
        .kernel_find = kernel_find,
        .commands_create = commands_create,
        .command_fill = command_fill,
        .command_copy = command_copy,
        .command_dispatch = command_dispatch,
        .command_mark = command_mark,
        .commands_finish = commands_finish,
        .commands_move = nullptr,
        .commands_times = commands_times,
        .commands_destroy = commands_destroy,
        .queue_create = queue_create,
        .queue_destroy = queue_destroy,
        .queue_native = nullptr,
        .queue_submit = queue_submit,
        .queue_wait = queue_wait,
    };
}

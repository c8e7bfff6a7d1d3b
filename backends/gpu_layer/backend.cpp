// SPDX-License-Identifier: BSD-2-Clause-Patent
// The plugin's table. ISOVMAF_PLUGIN_NAME and ISOVMAF_PLUGIN_SUMMARY say which plugin this is.
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "common/entries.hpp"
#include "gpu_layer/platform.hpp"
#include "gpu_layer/queue.hpp"
#include "gpu_layer/runtime.hpp"
#include "isovmaf/backend.h"

extern const char isovmaf_build_id[]; // generated

using namespace isovmaf::gpu;
namespace plugin = isovmaf::plugin;

namespace {

using plugin::run_entry;

/// Runs `function` with device `index` as the calling thread's current device.
template <class Function>
isovmaf_status run_entry_on(std::uint32_t index, isovmaf_message *message, const Function &function) noexcept {
    return run_entry(message, [&] {
        const Api &api = runtime();
        const auto count = static_cast<std::uint32_t>(device_count(api));
        if (index >= count)
            throw FailedOutcome(ISOVMAF_INVALID,
                                fmt::format("there is no device {}: {} has {}", index, api.library, count));
        const int device = static_cast<int>(index);
        try {
            const DeviceGuard guard(api, device);
            function(api, device);
        } catch (const FailedOutcome &failure) {
            throw FailedOutcome(failure.outcome().status,
                                fmt::format("device {}: {}", index, failure.outcome().sentence));
        }
    });
}

isovmaf_status probe(isovmaf_runtime_info *info, isovmaf_message *message) {
    return run_entry(message, [&] { *info = describe_runtime(runtime()); });
}

isovmaf_status describe(std::uint32_t index, isovmaf_device_info *info, isovmaf_message *message) {
    return run_entry_on(index, message, [&](const Api &api, int device) { *info = describe_device(api, device); });
}

isovmaf_status device_open(std::uint32_t index, isovmaf_device **device, isovmaf_message *message) {
    return run_entry_on(index, message, [&](const Api &api, int i) { *device = new isovmaf_device(api, i); });
}

void device_close(isovmaf_device *device) {
    if (!device)
        return;
    const Api &api = device->api();
    int previous = -1;
    const bool entered = api.enter_device(api, device->index(), previous) == hipSuccess;
    delete device;
    if (entered)
        api.leave_device(api, previous);
}

void memory_statistics(isovmaf_device *device, isovmaf_memory_statistics *statistics) {
    *statistics = device->statistics();
}

void memory_trim(isovmaf_device *device) {
    device->release([&] { device->allocator().trim(); });
}

isovmaf_status buffer_import(isovmaf_device *device, std::uint64_t address, std::uint64_t bytes,
                             isovmaf_buffer **buffer, isovmaf_message *message) {
    return device->run(message, [&] {
        plugin::require(address != 0 && bytes != 0, "memory to import has no address or no size");
        *buffer = new isovmaf_buffer(*device, reinterpret_cast<void *>(address), bytes);
    });
}

std::uint64_t buffer_address(isovmaf_buffer *buffer) {
    return buffer->on_device() ? reinterpret_cast<std::uint64_t>(buffer->at(0)) : 0;
}

void buffer_destroy(isovmaf_buffer *buffer) {
    if (buffer)
        buffer->device().release([&] { delete buffer; });
}

isovmaf_status kernel_find(isovmaf_device *device, const char *name, isovmaf_kernel **kernel,
                           isovmaf_message *message) {
    return device->run(message, [&] { *kernel = device->find_kernel(name); });
}

void commands_destroy(isovmaf_commands *commands) {
    if (commands)
        commands->device().release([&] { delete commands; });
}

isovmaf_status queue_create(isovmaf_device *device, void *native, isovmaf_queue **queue, isovmaf_message *message) {
    return device->run(message, [&] { *queue = new isovmaf_queue(*device, static_cast<hipStream_t>(native)); });
}

void queue_destroy(isovmaf_queue *queue) {
    if (queue)
        queue->device().release([&] { delete queue; });
}

isovmaf_status queue_native(isovmaf_queue *queue, isovmaf_native_queue *native, isovmaf_message *message) {
    return queue->device().run(message, [&] {
        const auto context = platform::native_context(queue->device().index());
        if (!context)
            throw FailedOutcome(ISOVMAF_UNSUPPORTED, "decoders of other libraries cannot use the queues of "
                                                     "this backend");
        *native = {.api = {}, .context = context->context, .stream = queue->stream()};
        std::strncpy(native->api, context->api, sizeof(native->api) - 1);
    });
}

isovmaf_status queue_wait(isovmaf_queue *queue, std::uint64_t ticket, std::uint64_t timeout_ns,
                          isovmaf_message *message) {
    return queue->device().run(message,
                               [&] { return queue->wait(ticket, timeout_ns) ? ISOVMAF_OK : ISOVMAF_NOT_READY; });
}

} // namespace

extern "C" {
[[gnu::visibility("default")]] extern const isovmaf_backend isovmaf_backend_entry;
const isovmaf_backend isovmaf_backend_entry = {
    .magic = ISOVMAF_BACKEND_MAGIC,
    .size = sizeof(isovmaf_backend),
    .layout = ISOVMAF_BACKEND_LAYOUT,
    .name = ISOVMAF_PLUGIN_NAME,
    .summary = ISOVMAF_PLUGIN_SUMMARY,
    .version = ISOVMAF_VERSION,
    .build_id = isovmaf_build_id,
    .shares_uploads = 1, // both runtimes pin memory for all devices, at one address
    .probe = probe,
    .describe = describe,
    .device_open = device_open,
    .device_close = device_close,
    .memory_statistics = memory_statistics,
    .memory_trim = memory_trim,
    .buffer_create = plugin::buffer_create,
    .buffer_import = buffer_import,
    .memory_import = plugin::memory_import,
    .buffer_map = plugin::buffer_map,
    .buffer_address = buffer_address,
    .buffer_destroy = buffer_destroy,
    .kernel_find = kernel_find,
    .commands_create = plugin::commands_create,
    .command_fill = plugin::command_fill<Fill>,
    .command_copy = plugin::command_copy<Copy>,
    .command_dispatch = plugin::command_dispatch<Launch>,
    .command_mark = plugin::command_mark,
    .commands_finish = plugin::commands_finish,
    .commands_move = nullptr,
    .commands_times = plugin::commands_times,
    .commands_destroy = commands_destroy,
    .queue_create = queue_create,
    .queue_destroy = queue_destroy,
    .queue_native = queue_native,
    .queue_submit = plugin::queue_submit,
    .queue_wait = queue_wait,
};
}

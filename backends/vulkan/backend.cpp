// SPDX-License-Identifier: BSD-2-Clause-Patent
// The table of functions that the plugin exports.
#include <memory>

#include <fmt/format.h>

#include "common/entries.hpp"
#include "isovmaf/backend.h"
#include "vulkan/contract/queue.hpp"

extern const char isovmaf_build_id[]; // generated

using namespace isovmaf::vulkan;
namespace plugin = isovmaf::plugin;

namespace {

using plugin::run_entry;

/// Runs `function` with the instance, and fails if the validation layer has reported anything.
template <class Function>
isovmaf_status run_with_instance(isovmaf_message *message, const Function &function) noexcept {
    return run_entry(message, [&] {
        const std::shared_ptr<Instance> instance = Instance::get();
        function(instance);
        instance->messages().require_none();
    });
}

/// As run_with_instance, for a device that the instance has; a failure's sentence names the device.
template <class Function>
isovmaf_status run_on_device(std::uint32_t index, isovmaf_message *message, const Function &function) noexcept {
    return run_with_instance(message, [&](const std::shared_ptr<Instance> &instance) {
        const std::size_t count = instance->devices().size();
        if (index >= count)
            throw FailedOutcome(ISOVMAF_INVALID,
                                fmt::format("there is no device {}: {} has {}", index, instance->loader().name, count));
        const Outcome outcome = plugin::outcome_of([&] { function(instance); });
        if (!outcome.ok())
            throw FailedOutcome(outcome.status, fmt::format("device {}: {}", index, outcome.sentence));
    });
}

isovmaf_status probe(isovmaf_runtime_info *info, isovmaf_message *message) {
    return run_with_instance(message, [&](const auto &instance) { *info = describe_runtime(*instance); });
}

isovmaf_status describe(std::uint32_t index, isovmaf_device_info *info, isovmaf_message *message) {
    return run_on_device(index, message,
                         [&](const auto &instance) { *info = describe_device(*instance, instance->devices()[index]); });
}

isovmaf_status device_open(std::uint32_t index, isovmaf_device **device, isovmaf_message *message) {
    std::unique_ptr<isovmaf_device> opened;
    const isovmaf_status status = run_on_device(
        index, message, [&](const auto &instance) { opened = std::make_unique<isovmaf_device>(instance, index); });
    if (status == ISOVMAF_OK)
        *device = opened.release();
    return status;
}

void device_close(isovmaf_device *device) {
    delete device;
    Instance::device_closed();
}

void memory_statistics(isovmaf_device *device, isovmaf_memory_statistics *statistics) {
    *statistics = device->allocator().statistics();
}

void memory_trim(isovmaf_device *) {} // the plugin keeps no freed memory

isovmaf_status buffer_import(isovmaf_device *device, std::uint64_t address, std::uint64_t bytes,
                             isovmaf_buffer **buffer, isovmaf_message *message) {
    return device->run(message, [&] {
        plugin::require(address != 0 && bytes != 0, "memory to import has no address or no size");
        *buffer = new isovmaf_buffer(*device, address, bytes);
    });
}

std::uint64_t buffer_address(isovmaf_buffer *buffer) { return buffer->address(); }

void buffer_destroy(isovmaf_buffer *buffer) { delete buffer; }

isovmaf_status kernel_find(isovmaf_device *device, const char *name, isovmaf_kernel **kernel,
                           isovmaf_message *message) {
    return device->run(message, [&] { *kernel = device->logical().pipelines().find(name); });
}

void commands_destroy(isovmaf_commands *commands) { delete commands; }

isovmaf_status queue_create(isovmaf_device *device, void *native, isovmaf_queue **queue, isovmaf_message *message) {
    return device->run(message, [&] {
        if (native)
            throw FailedOutcome(ISOVMAF_UNSUPPORTED, "a queue of another Vulkan device cannot be borrowed");
        *queue = new isovmaf_queue(*device);
    });
}

void queue_destroy(isovmaf_queue *queue) { delete queue; }

isovmaf_status queue_wait(isovmaf_queue *queue, std::uint64_t ticket, std::uint64_t timeout_ns,
                          isovmaf_message *message) {
    return queue->device().run_wait(message,
                                    [&] { return queue->wait(ticket, timeout_ns) ? ISOVMAF_OK : ISOVMAF_NOT_READY; });
}

} // namespace

extern "C" {
[[gnu::visibility("default")]] extern const isovmaf_backend isovmaf_backend_entry;
const isovmaf_backend isovmaf_backend_entry = {
    .magic = ISOVMAF_BACKEND_MAGIC,
    .size = sizeof(isovmaf_backend),
    .layout = ISOVMAF_BACKEND_LAYOUT,
    .name = "vulkan",
    .summary = "GPUs through Vulkan",
    .version = ISOVMAF_VERSION,
    .build_id = isovmaf_build_id,
    .shares_uploads = 0, // memory belongs to one logical device
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
    .commands_move = plugin::commands_move,
    .commands_times = plugin::commands_times,
    .commands_destroy = commands_destroy,
    .queue_create = queue_create,
    .queue_destroy = queue_destroy,
    .queue_native = nullptr,
    .queue_submit = plugin::queue_submit,
    .queue_wait = queue_wait,
};
}

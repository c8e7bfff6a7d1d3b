// SPDX-License-Identifier: BSD-2-Clause-Patent
// The table of functions of the host stand-in, which runs GPU kernels on the CPU, for tests.
#include <cstring>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "common/outcome.hpp"
#include "host/queue.hpp"

extern const char isovmaf_build_id[]; // generated

namespace isovmaf::host {

namespace {

using plugin::run_entry;

/// `to` is a member of a structure of the contract.
template <std::size_t size>
void set_text(char (&to)[size], std::string_view text) {
    to[text.copy(to, size - 1)] = '\0';
}

std::string architecture() {
    utsname system{};
    return uname(&system) == 0 ? system.machine : "";
}

Outcome check_index(std::uint32_t index, const Settings &settings) {
    if (index < settings.devices)
        return {};
    return {ISOVMAF_INVALID,
            settings.devices == 1
                ? fmt::format("host CPU: there is no device {}, only device 0", index)
                : fmt::format("host CPU: there is no device {}, only devices 0 to {}", index, settings.devices - 1)};
}

isovmaf_status probe(isovmaf_runtime_info *info, isovmaf_message *message) {
    return run_entry(message, [&]() -> Outcome {
        Settings settings;
        if (Outcome outcome = read_settings(settings); !outcome.ok())
            return outcome;
        *info = {};
        set_text(info->runtime, "host stand-in");
        set_text(info->runtime_version, ISOVMAF_VERSION);
        info->device_count = settings.devices;
        return {};
    });
}

isovmaf_status describe(std::uint32_t index, isovmaf_device_info *info, isovmaf_message *message) {
    return run_entry(message, [&]() -> Outcome {
        Settings settings;
        if (Outcome outcome = read_settings(settings); !outcome.ok())
            return outcome;
        if (Outcome outcome = check_index(index, settings); !outcome.ok())
            return outcome;
        *info = {};
        set_text(info->name, "host CPU");
        set_text(info->arch, architecture());
        info->memory_bytes = memory_bytes();
        info->memory_free_bytes = memory_free_bytes();
        info->compute_units = settings.threads;
        info->wave_width = settings.wave_width;
        info->cpu = 1;
        info->shares_memory = settings.shares_memory ? 1 : 0;
        return {};
    });
}

isovmaf_status device_open(std::uint32_t index, isovmaf_device **device, isovmaf_message *message) {
    return run_entry(message, [&]() -> Outcome {
        Settings settings;
        if (Outcome outcome = read_settings(settings); !outcome.ok())
            return outcome;
        if (Outcome outcome = check_index(index, settings); !outcome.ok())
            return outcome;
        *device = new isovmaf_device{settings};
        return {};
    });
}

void device_close(isovmaf_device *device) { delete device; }

void memory_statistics(isovmaf_device *device, isovmaf_memory_statistics *statistics) {
    const std::lock_guard lock(device->statistics_mutex);
    *statistics = device->statistics;
}

void memory_trim(isovmaf_device *) {} // the stand-in keeps no freed memory

isovmaf_status buffer_create(isovmaf_device *device, isovmaf_memory memory, std::uint64_t bytes,
                             isovmaf_buffer **buffer, isovmaf_message *message) {
    return run_entry(message, [&] {
        Outcome outcome = check_device(*device);
        return outcome.ok() ? create_buffer(*device, memory, bytes, *buffer) : outcome;
    });
}

isovmaf_status buffer_import(isovmaf_device *device, std::uint64_t address, std::uint64_t bytes,
                             isovmaf_buffer **buffer, isovmaf_message *message) {
    return run_entry(message, [&] {
        Outcome outcome = check_device(*device);
        return outcome.ok() ? import_buffer(*device, address, bytes, *buffer) : outcome;
    });
}

isovmaf_status memory_import(isovmaf_device *device, const isovmaf_external_memory *external, isovmaf_buffer **buffer,
                             isovmaf_message *message) {
    return run_entry(message, [&] {
        Outcome outcome = check_device(*device);
        return outcome.ok() ? import_memory(*device, *external, *buffer) : outcome;
    });
}

void *buffer_map(isovmaf_buffer *buffer) { return buffer->is_mapped() ? buffer->data : nullptr; }

std::uint64_t buffer_address(isovmaf_buffer *buffer) {
    return buffer->on_host() ? 0 : reinterpret_cast<std::uintptr_t>(buffer->data);
}

isovmaf_status kernel_find(isovmaf_device *device, const char *name, isovmaf_kernel **kernel,
                           isovmaf_message *message) {
    return run_entry(message, [&]() -> Outcome {
        if (Outcome outcome = check_device(*device); !outcome.ok())
            return outcome;
        const bool left_out = !device->settings.matrices && std::strstr(name, ISOVMAF_MATRIX_INFIX);
        for (const KernelTable &table : kernel_tables())
            for (const isovmaf_kernel &candidate : table)
                if (!left_out && std::strcmp(candidate.name, name) == 0) {
                    *kernel = const_cast<isovmaf_kernel *>(&candidate); // opaque to the caller, which cannot change it
                    return {};
                }
        return {ISOVMAF_UNSUPPORTED, fmt::format("host CPU: there is no kernel {}", name)};
    });
}

isovmaf_status commands_create(isovmaf_device *device, std::uint32_t timed, isovmaf_commands **commands,
                               isovmaf_message *message) {
    return run_entry(message, [&] {
        Outcome outcome = check_device(*device);
        if (outcome.ok())
            *commands = new isovmaf_commands{device, timed != 0};
        return outcome;
    });
}

isovmaf_status command_fill(isovmaf_commands *commands, isovmaf_range range, std::uint64_t bytes, std::uint32_t word,
                            isovmaf_message *message) {
    return run_entry(message, [&] { return record_fill(*commands, range, bytes, word); });
}

isovmaf_status command_copy(isovmaf_commands *commands, const isovmaf_copy *copy, isovmaf_message *message) {
    return run_entry(message, [&] { return record_copy(*commands, *copy); });
}

isovmaf_status command_dispatch(isovmaf_commands *commands, const isovmaf_dispatch *dispatch,
                                isovmaf_message *message) {
    return run_entry(message, [&] { return record_dispatch(*commands, *dispatch); });
}

isovmaf_status command_mark(isovmaf_commands *commands, isovmaf_message *message) {
    return run_entry(message, [&] { return record_mark(*commands); });
}

isovmaf_status commands_finish(isovmaf_commands *commands, isovmaf_message *message) {
    return run_entry(message, [&] { return finish_recording(*commands); });
}

isovmaf_status commands_move(isovmaf_commands *commands, const isovmaf_move *moves, std::uint32_t count,
                             isovmaf_message *message) {
    return run_entry(message, [&] { return move_dispatches(*commands, {moves, count}); });
}

isovmaf_status commands_times(isovmaf_commands *commands, double *milliseconds, std::uint32_t count,
                              isovmaf_message *message) {
    return run_entry(message, [&] { return read_times(*commands, milliseconds, count); });
}

void commands_destroy(isovmaf_commands *commands) { delete commands; }

isovmaf_status queue_create(isovmaf_device *device, void *native, isovmaf_queue **queue, isovmaf_message *message) {
    return run_entry(message, [&]() -> Outcome {
        if (Outcome outcome = check_device(*device); !outcome.ok())
            return outcome;
        if (native)
            return {ISOVMAF_UNSUPPORTED, "host CPU: there is no stream that could be borrowed"};
        *queue = new isovmaf_queue(*device);
        return {};
    });
}

void queue_destroy(isovmaf_queue *queue) { delete queue; }

isovmaf_status queue_submit(isovmaf_queue *queue, isovmaf_commands *commands, const isovmaf_ticket *waits,
                            std::uint32_t wait_count, std::uint64_t *ticket, isovmaf_message *message) {
    return run_entry(message, [&] { return queue->submit(*commands, {waits, wait_count}, *ticket); });
}

isovmaf_status queue_wait(isovmaf_queue *queue, std::uint64_t ticket, std::uint64_t timeout_ns,
                          isovmaf_message *message) {
    return run_entry(message, [&] { return queue->wait(ticket, timeout_ns); });
}

} // namespace

} // namespace isovmaf::host

using namespace isovmaf::host; // the functions above have the names of the table's members

extern "C" __attribute__((visibility("default"))) constinit const isovmaf_backend isovmaf_backend_entry = {
    .magic = ISOVMAF_BACKEND_MAGIC,
    .size = sizeof(isovmaf_backend),
    .layout = ISOVMAF_BACKEND_LAYOUT,
    .name = "host",
    .summary = "the CPU in the place of a GPU, for tests",
    .version = ISOVMAF_VERSION,
    .build_id = isovmaf_build_id,
    .shares_uploads = 1,
    .probe = probe,
    .describe = describe,
    .device_open = device_open,
    .device_close = device_close,
    .memory_statistics = memory_statistics,
    .memory_trim = memory_trim,
    .buffer_create = buffer_create,
    .buffer_import = buffer_import,
    .memory_import = memory_import,
    .buffer_map = buffer_map,
    .buffer_address = buffer_address,
    .buffer_destroy = destroy_buffer,
    .kernel_find = kernel_find,
    .commands_create = commands_create,
    .command_fill = command_fill,
    .command_copy = command_copy,
    .command_dispatch = command_dispatch,
    .command_mark = command_mark,
    .commands_finish = commands_finish,
    .commands_move = commands_move,
    .commands_times = commands_times,
    .commands_destroy = commands_destroy,
    .queue_create = queue_create,
    .queue_destroy = queue_destroy,
    .queue_native = nullptr,
    .queue_submit = queue_submit,
    .queue_wait = queue_wait,
};

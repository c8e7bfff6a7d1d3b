// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>

#include "common/outcome.hpp"

/// Entries of a plugin's table that only forward to the plugin's own classes, for plugins whose device has run(message,
/// function). They are templates, whose types follow from the members of the table to which they are assigned.
namespace isovmaf::plugin {

template <class Buffer, class Device>
isovmaf_status buffer_create(Device *device, isovmaf_memory memory, std::uint64_t bytes, Buffer **buffer,
                             isovmaf_message *message) {
    return device->run(message, [&] { *buffer = new Buffer(*device, memory, bytes); });
}

template <class Buffer, class Device>
isovmaf_status memory_import(Device *device, const isovmaf_external_memory *external, Buffer **buffer,
                             isovmaf_message *message) {
    return device->run(message, [&] { *buffer = new Buffer(*device, *external); });
}

template <class Buffer>
void *buffer_map(Buffer *buffer) {
    return buffer->host();
}

template <class Commands, class Device>
isovmaf_status commands_create(Device *device, std::uint32_t timed, Commands **commands, isovmaf_message *message) {
    return device->run(message, [&] { *commands = new Commands(*device, timed != 0); });
}

template <class Fill, class Commands>
isovmaf_status command_fill(Commands *commands, isovmaf_range range, std::uint64_t bytes, std::uint32_t word,
                            isovmaf_message *message) {
    return commands->device().run(message, [&] { commands->add(Fill(commands->device(), range, bytes, word)); });
}

template <class Copy, class Commands>
isovmaf_status command_copy(Commands *commands, const isovmaf_copy *copy, isovmaf_message *message) {
    return commands->device().run(message, [&] { commands->add(Copy(commands->device(), *copy)); });
}

template <class Launch, class Commands>
isovmaf_status command_dispatch(Commands *commands, const isovmaf_dispatch *dispatch, isovmaf_message *message) {
    return commands->device().run(message, [&] { commands->add(Launch(commands->device(), *dispatch)); });
}

template <class Commands>
isovmaf_status command_mark(Commands *commands, isovmaf_message *message) {
    return commands->device().run(message, [&] { commands->mark(); });
}

template <class Commands>
isovmaf_status commands_finish(Commands *commands, isovmaf_message *message) {
    return commands->device().run(message, [&] { commands->finish(); });
}

template <class Commands>
isovmaf_status commands_move(Commands *commands, const isovmaf_move *moves, std::uint32_t count,
                             isovmaf_message *message) {
    return commands->device().run(message, [&] { commands->move(std::span(moves, count)); });
}

template <class Commands>
isovmaf_status commands_times(Commands *commands, double *milliseconds, std::uint32_t count, isovmaf_message *message) {
    return commands->device().run(message, [&] { commands->times(milliseconds, count); });
}

template <class Queue, class Commands>
isovmaf_status queue_submit(Queue *queue, Commands *commands, const isovmaf_ticket *waits, std::uint32_t wait_count,
                            std::uint64_t *ticket, isovmaf_message *message) {
    return queue->device().run(message, [&] {
        require(&commands->device() == &queue->device(), "commands and queue are of different devices");
        *ticket = queue->submit(*commands, std::span(waits, wait_count));
    });
}

} // namespace isovmaf::plugin

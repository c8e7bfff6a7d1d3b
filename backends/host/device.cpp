// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/device.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

namespace isovmaf::host {

namespace {

std::uint64_t pages(int name) {
    const long count = sysconf(name), page_bytes = sysconf(_SC_PAGESIZE);
    return count > 0 && page_bytes > 0 ? static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(page_bytes) : 0;
}

void count_created(isovmaf_buffer &buffer) {
    const std::lock_guard lock(buffer.device->statistics_mutex);
    isovmaf_memory_statistics &statistics = buffer.device->statistics;
    statistics.allocations++;
    if (buffer.on_host()) {
        statistics.pinned_bytes += buffer.bytes;
        return;
    }
    statistics.allocated_bytes += buffer.bytes;
    statistics.allocated_peak_bytes = std::max(statistics.allocated_peak_bytes, statistics.allocated_bytes);
    statistics.reserved_bytes = statistics.allocated_bytes; // nothing is cached
    statistics.reserved_peak_bytes = statistics.allocated_peak_bytes;
}

void count_destroyed(isovmaf_buffer &buffer) {
    const std::lock_guard lock(buffer.device->statistics_mutex);
    isovmaf_memory_statistics &statistics = buffer.device->statistics;
    if (buffer.on_host()) {
        statistics.pinned_bytes -= buffer.bytes;
        return;
    }
    statistics.allocated_bytes -= buffer.bytes;
    statistics.reserved_bytes = statistics.allocated_bytes;
}

} // namespace

Outcome check_device(const isovmaf_device &device) {
    if (device.lost.load(std::memory_order_relaxed))
        return {ISOVMAF_DEVICE_LOST, "host CPU: the device was lost, as ISOVMAF_HOST_FAIL asked for"};
    return {};
}

Outcome create_buffer(isovmaf_device &device, isovmaf_memory memory, std::uint64_t bytes, isovmaf_buffer *&buffer) {
    if (bytes == 0)
        return {ISOVMAF_INVALID, "host CPU: a buffer of 0 bytes was requested"};
    if (bytes > memory_bytes())
        return {ISOVMAF_OUT_OF_MEMORY,
                fmt::format("host CPU: {} bytes were requested, and this machine has {}", bytes, memory_bytes())};
    if (device.settings.fault.is_due(FaultKind::allocation))
        return {ISOVMAF_OUT_OF_MEMORY,
                fmt::format("host CPU: allocating {} bytes failed, as ISOVMAF_HOST_FAIL asked for", bytes)};
    auto created = std::make_unique<isovmaf_buffer>();
    created->device = &device;
    created->memory = memory;
    created->bytes = bytes;
    created->data = created->own.emplace(bytes).data();
    count_created(*created);
    buffer = created.release();
    return {};
}

Outcome import_buffer(isovmaf_device &device, std::uint64_t address, std::uint64_t bytes, isovmaf_buffer *&buffer) {
    if (address == 0 || bytes == 0)
        return {ISOVMAF_INVALID, fmt::format("host CPU: {} bytes at {:#x} cannot be imported", bytes, address)};
    auto created = std::make_unique<isovmaf_buffer>();
    created->device = &device;
    created->memory = ISOVMAF_MEMORY_DEVICE;
    created->bytes = bytes;
    created->data = reinterpret_cast<std::byte *>(address);
    buffer = created.release();
    return {};
}

Outcome import_memory(isovmaf_device &device, const isovmaf_external_memory &external, isovmaf_buffer *&buffer) {
    if (external.kind == ISOVMAF_EXTERNAL_DMABUF)
        return {ISOVMAF_UNSUPPORTED,
                "host CPU: a dma-buf cannot be imported, only an opaque descriptor of a file in memory"};
    if (external.kind != ISOVMAF_EXTERNAL_OPAQUE_FD)
        return {ISOVMAF_INVALID, fmt::format("host CPU: there is no external memory of kind {}", external.kind)};
    auto created = std::make_unique<isovmaf_buffer>();
    if (Outcome outcome = created->mapped.map(external); !outcome.ok())
        return outcome;
    created->device = &device;
    created->memory = ISOVMAF_MEMORY_DEVICE;
    created->bytes = external.bytes;
    created->data = created->mapped.data();
    buffer = created.release();
    return {};
}

void destroy_buffer(isovmaf_buffer *buffer) {
    if (!buffer)
        return;
    if (buffer->own)
        count_destroyed(*buffer);
    delete buffer;
}

std::uint64_t memory_bytes() { return pages(_SC_PHYS_PAGES); }
std::uint64_t memory_free_bytes() { return pages(_SC_AVPHYS_PAGES); }

} // namespace isovmaf::host

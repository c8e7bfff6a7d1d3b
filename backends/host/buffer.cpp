// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/buffer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "host/sanitizer.hpp"

namespace isovmaf::host {

namespace {

constexpr std::byte pattern{0xb5};

/// Checks that the file has the stated bytes: pages beyond its end can be mapped, but reading them kills the process.
Outcome check_file(const isovmaf_external_memory &external) {
    struct stat file {};
    if (fstat(external.fd, &file) != 0)
        return {ISOVMAF_INVALID,
                fmt::format("host CPU: descriptor {} cannot be imported: {}", external.fd, std::strerror(errno))};
    if (external.bytes == 0 || file.st_size < 0 || external.bytes > static_cast<std::uint64_t>(file.st_size))
        return {ISOVMAF_INVALID, fmt::format("host CPU: {} bytes cannot be imported from descriptor {}, which has {}",
                                             external.bytes, external.fd, file.st_size)};
    return {};
}

void count_created(isovmaf_buffer &buffer) {
    const std::lock_guard lock(buffer.device->statistics_mutex);
    isovmaf_memory_statistics &statistics = buffer.device->statistics;
    statistics.allocations++;
    if (buffer.is_mapped()) {
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
    if (buffer.is_mapped()) {
        statistics.pinned_bytes -= buffer.bytes;
        return;
    }
    statistics.allocated_bytes -= buffer.bytes;
    statistics.reserved_bytes = statistics.allocated_bytes;
}

} // namespace

GuardedMemory::GuardedMemory(std::uint64_t bytes)
    : bytes_(bytes), memory_(static_cast<std::byte *>(::operator new(bytes + 2 * guard_bytes, alignment))) {
    std::memset(memory_, static_cast<int>(pattern), bytes_ + 2 * guard_bytes);
#if defined(ISOVMAF_HOST_ASAN)
    __asan_poison_memory_region(memory_, guard_bytes);
    __asan_poison_memory_region(data() + bytes_, guard_bytes);
#endif
}

GuardedMemory::~GuardedMemory() {
#if defined(ISOVMAF_HOST_ASAN)
    __asan_unpoison_memory_region(memory_, bytes_ + 2 * guard_bytes);
#endif
    ::operator delete(memory_, alignment);
}

bool GuardedMemory::intact() const {
#if defined(ISOVMAF_HOST_ASAN)
    return true; // AddressSanitizer would have reported a write
#else
    const auto untouched = [](const std::byte *guard) {
        return std::all_of(guard, guard + guard_bytes, [](std::byte byte) { return byte == pattern; });
    };
    return untouched(memory_) && untouched(data() + bytes_);
#endif
}

MappedFile::~MappedFile() {
    if (data_)
        (void)munmap(data_, bytes_);
}

Outcome MappedFile::map(const isovmaf_external_memory &external) {
    if (Outcome outcome = check_file(external); !outcome.ok())
        return outcome;
    void *const mapped = mmap(nullptr, external.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, external.fd, 0);
    if (mapped == MAP_FAILED)
        return {errno == ENOMEM ? ISOVMAF_OUT_OF_MEMORY : ISOVMAF_INVALID,
                fmt::format("host CPU: mapping {} bytes of descriptor {} failed: {}", external.bytes, external.fd,
                            std::strerror(errno))};
    data_ = static_cast<std::byte *>(mapped);
    bytes_ = external.bytes;
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

} // namespace isovmaf::host

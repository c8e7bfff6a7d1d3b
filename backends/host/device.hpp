// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "host/external_memory.hpp"
#include "host/guarded_memory.hpp"
#include "host/settings.hpp"

struct isovmaf_device {
    const isovmaf::host::Settings settings;

    /// Never reset. Accessed relaxed, so that it does not order the accesses of queues that do not wait for each other.
    std::atomic<bool> lost{false};

    std::mutex statistics_mutex{};
    isovmaf_memory_statistics statistics{};
};

struct isovmaf_buffer {
    isovmaf_device *device;
    isovmaf_memory memory;
    std::uint64_t bytes;
    std::optional<isovmaf::host::GuardedMemory> own; ///< none when the memory is imported
    isovmaf::host::MappedFile mapped;                ///< used when another API exported the memory
    std::byte *data;

    [[nodiscard]] bool on_host() const { return memory == ISOVMAF_MEMORY_UPLOAD || memory == ISOVMAF_MEMORY_READBACK; }
};

namespace isovmaf::host {

/// DEVICE_LOST when the device is lost.
[[nodiscard]] Outcome check_device(const isovmaf_device &device);

[[nodiscard]] Outcome create_buffer(isovmaf_device &device, isovmaf_memory memory, std::uint64_t bytes,
                                    isovmaf_buffer *&buffer);
[[nodiscard]] Outcome import_buffer(isovmaf_device &device, std::uint64_t address, std::uint64_t bytes,
                                    isovmaf_buffer *&buffer);
[[nodiscard]] Outcome import_memory(isovmaf_device &device, const isovmaf_external_memory &external,
                                    isovmaf_buffer *&buffer);
void destroy_buffer(isovmaf_buffer *buffer);

/// Memory of this machine.
[[nodiscard]] std::uint64_t memory_bytes();
[[nodiscard]] std::uint64_t memory_free_bytes();

} // namespace isovmaf::host

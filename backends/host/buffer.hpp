// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>

#include "host/device.hpp"

namespace isovmaf::host {

/// Memory between two guard areas. Memory and guards are filled with a pattern that is no plausible sample or sum.
/// Under AddressSanitizer every access to a guard is an error. Without it a read of a guard gives a wrong result, and a
/// write makes `intact` false.
class GuardedMemory {
  public:
    /// Throws std::bad_alloc.
    explicit GuardedMemory(std::uint64_t bytes);
    ~GuardedMemory();
    GuardedMemory(const GuardedMemory &) = delete;
    GuardedMemory &operator=(const GuardedMemory &) = delete;

    /// A multiple of ISOVMAF_RANGE_ALIGNMENT.
    [[nodiscard]] std::byte *data() const { return memory_ + guard_bytes; }

    /// Whether nothing was written to the guards.
    [[nodiscard]] bool intact() const;

  private:
    static constexpr std::size_t guard_bytes = 4096;
    static constexpr std::align_val_t alignment{ISOVMAF_RANGE_ALIGNMENT};

    std::size_t bytes_;
    std::byte *memory_;
};

/// Maps a file in memory (memfd_create, shm_open). On the stand-in an opaque descriptor is the descriptor of such a
/// file.
class MappedFile {
  public:
    MappedFile() = default;
    ~MappedFile();
    MappedFile(const MappedFile &) = delete;
    MappedFile &operator=(const MappedFile &) = delete;

    /// May be called once. The caller keeps the descriptor and may close it afterwards.
    [[nodiscard]] Outcome map(const isovmaf_external_memory &external);

    /// Start of the file, aligned to a page.
    [[nodiscard]] std::byte *data() const { return data_; }

  private:
    std::byte *data_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace isovmaf::host

struct isovmaf_buffer {
    isovmaf_device *device;
    isovmaf_memory memory;
    std::uint64_t bytes;
    std::optional<isovmaf::host::GuardedMemory> own; ///< none when the memory is imported
    isovmaf::host::MappedFile mapped;                ///< used when another API exported the memory
    std::byte *data;

    [[nodiscard]] bool is_mapped() const { return memory != ISOVMAF_MEMORY_DEVICE; }
    [[nodiscard]] bool on_host() const { return memory == ISOVMAF_MEMORY_UPLOAD || memory == ISOVMAF_MEMORY_READBACK; }
};

namespace isovmaf::host {

[[nodiscard]] Outcome create_buffer(isovmaf_device &device, isovmaf_memory memory, std::uint64_t bytes,
                                    isovmaf_buffer *&buffer);
[[nodiscard]] Outcome import_buffer(isovmaf_device &device, std::uint64_t address, std::uint64_t bytes,
                                    isovmaf_buffer *&buffer);
[[nodiscard]] Outcome import_memory(isovmaf_device &device, const isovmaf_external_memory &external,
                                    isovmaf_buffer *&buffer);
void destroy_buffer(isovmaf_buffer *buffer);

} // namespace isovmaf::host

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "isovmaf/backend.h"

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

} // namespace isovmaf::host

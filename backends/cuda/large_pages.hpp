// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

namespace isovmaf::gpu {

/// Memory of the host in large pages, as far as the system has them, for drivers that pin it. A forked process does not
/// have it: its writes would give this process other pages than the driver knows. Thread-safe.
class LargePages {
  public:
    /// Smaller memory gains nothing.
    static constexpr std::size_t page_bytes = std::size_t{2} << 20;

    /// Null when `bytes` is too few or the system refuses. The memory is zero and starts at a multiple of page_bytes.
    [[nodiscard]] void *map(std::size_t bytes);

    /// Whether `memory` is from `map`.
    [[nodiscard]] bool has(const void *memory) const;

    /// Gives memory from `map` back.
    void unmap(void *memory) noexcept;

  private:
    mutable std::mutex mutex_;
    std::map<const void *, std::size_t> bytes_; ///< of each address
};

} // namespace isovmaf::gpu

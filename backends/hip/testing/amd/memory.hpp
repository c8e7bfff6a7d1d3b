// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>

#include "hip/testing/amd/shadow.hpp"

namespace isovmaf::amd {

/// Some memory that kernels may access.
struct Range {
    std::uint64_t begin = 0, end = 0;
    bool writable = false;
    std::unique_ptr<Shadow> shadow; ///< null: all is defined, and accesses are not watched

    [[nodiscard]] bool contains(std::uint64_t address, std::size_t bytes) const {
        return address >= begin && address <= end && bytes <= end - address;
    }
};

/// The memory that kernels may access, at the addresses of the process. It changes only while no kernel runs.
class Memory {
  public:
    /// Memory that kernels may write has a shadow if it is `watched`.
    void add(const void *begin, std::size_t bytes, bool writable, bool watched = false) {
        const auto address = reinterpret_cast<std::uint64_t>(begin);
        ranges_[address] = {address, address + bytes, writable, watched ? std::make_unique<Shadow>(bytes) : nullptr};
    }
    void remove(const void *begin) { ranges_.erase(reinterpret_cast<std::uint64_t>(begin)); }

    /// The range that has these bytes, or null.
    [[nodiscard]] const Range *find(std::uint64_t address, std::size_t bytes) const {
        auto next = ranges_.upper_bound(address);
        if (next == ranges_.begin())
            return nullptr;
        const Range &range = std::prev(next)->second;
        return range.contains(address, bytes) ? &range : nullptr;
    }

    /// The runtime wrote these bytes, with the undefined bits of `from` if that is such memory too. `from` is null for
    /// a fill. False if the accesses conflict with earlier ones.
    bool copied(const void *to, const void *from, std::size_t bytes, const Accessor &accessor);

  private:
    std::map<std::uint64_t, Range> ranges_; ///< by their begin
};

/// Memory in Memory while it lives.
class AddedRange {
  public:
    AddedRange(Memory &memory, const void *begin, std::size_t bytes) : memory_(memory), begin_(begin) {
        memory_.add(begin, bytes, false);
    }
    ~AddedRange() { memory_.remove(begin_); }
    AddedRange(const AddedRange &) = delete;
    AddedRange &operator=(const AddedRange &) = delete;

  private:
    Memory &memory_;
    const void *begin_;
};

} // namespace isovmaf::amd

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "hip/testing/amd/timeline.hpp"

namespace isovmaf::amd {

/// Who accesses memory. Barriers order the accesses of the waves of a group: between two of them is an `epoch`.
struct Accessor {
    std::uint32_t run = 0;   ///< a launch, or what a group does with its LDS; no two runs have the same number
    std::uint32_t group = 0; ///< in its launch
    std::uint32_t wave = 0;  ///< in its group
    std::uint32_t epoch = 0;
    const Timeline *timeline = nullptr; ///< orders runs; null: no two runs conflict
};

/// How an access conflicts with an earlier one. One of them writes, and they are not both atomics.
enum class Conflict : std::uint8_t {
    none,
    in_launch,        ///< by another group, or another wave with no barrier between
    between_launches, ///< by other work, for which this one does not wait
};

enum class AccessKind : std::uint8_t { read, write, atomic };

/// What is known of each byte of some memory: which bits nobody wrote, and who accessed it in the current run.
class Shadow {
  public:
    explicit Shadow(std::size_t bytes) : undefined_(bytes, 0xff), accesses_(bytes) {}

    Conflict access(std::size_t offset, std::size_t bytes, AccessKind kind, const Accessor &accessor);

    void undefined_bits(std::size_t offset, std::size_t bytes, void *bits) const {
        std::memcpy(bits, undefined_.data() + offset, bytes);
    }
    void set_undefined_bits(std::size_t offset, std::size_t bytes, const void *bits) {
        std::memcpy(undefined_.data() + offset, bits, bytes);
    }
    void set_defined(std::size_t offset, std::size_t bytes) { std::memset(undefined_.data() + offset, 0, bytes); }

  private:
    /// The accesses of one kind to a byte.
    class Parties {
      public:
        [[nodiscard]] bool conflicts(const Accessor &accessor) const;
        void add(const Accessor &accessor);

      private:
        static constexpr std::uint32_t none = ~0u, several = ~0u - 1;
        std::uint32_t group_ = none;
        std::uint32_t wave_ = none; ///< in `epoch_`, the last one
        std::uint32_t epoch_ = 0;
    };
    struct Accesses {
        std::uint32_t run = 0; ///< the last one; `readers`, `writers` and `atomics` are of it
        Parties readers, writers, atomics;
        std::uint32_t last_write = 0; ///< a run
        std::uint32_t reads = 0;      ///< since then: a set of runs in `run_sets_`

        [[nodiscard]] bool conflicts_in_launch(AccessKind kind, const Accessor &accessor) const;
    };

    [[nodiscard]] bool conflicts_between_launches(const Accesses &earlier, AccessKind kind,
                                                  const Timeline &timeline) const;
    void add(Accesses &accesses, AccessKind kind, const Accessor &accessor);

    /// The number of a set that has the accessor's run, too. Runs of `set` that are complete are left out.
    std::uint32_t set_with(std::uint32_t set, const Accessor &accessor);

    std::vector<std::uint8_t> undefined_; ///< by bytes, for each bit
    std::vector<Accesses> accesses_;

    /// Most bytes of a buffer are read by the same runs, so they share sets.
    using SetAndRun = std::pair<std::uint32_t, std::uint32_t>;
    std::vector<std::vector<std::uint32_t>> run_sets_ = {{}};
    std::map<SetAndRun, std::uint32_t> larger_sets_;
    SetAndRun last_key_{}; ///< of `larger_sets_`; no run is 0
    std::uint32_t last_set_ = 0;
};

} // namespace isovmaf::amd

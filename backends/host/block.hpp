// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "host/device.hpp"
#include "host/fiber.hpp"
#include "host/kernel.hpp"

namespace isovmaf::host {

using Size3 = std::array<std::uint32_t, 3>;

constexpr std::uint32_t max_block_threads = 1024;

/// A launch whose parameters have been checked.
struct Launch {
    const isovmaf_kernel *kernel;
    Size3 groups, group_size;
    std::array<std::byte *, ISOVMAF_MAX_RANGES> addresses;
    alignas(16) std::array<std::byte, ISOVMAF_MAX_PARAMS_BYTES> params;
};

/// Runs blocks of kernels, one at a time, on the thread that called `start`. Each lane, a thread of the block, is a
/// fiber that lives as long as this object. A lane runs without interruption from one barrier or shuffle to the next.
/// The class is not instrumented for ThreadSanitizer: it reports only barriers to ThreadSanitizer, because only
/// barriers are allowed to order the accesses of two lanes.
class BlockRunner {
  public:
    BlockRunner();
    ~BlockRunner();
    BlockRunner(const BlockRunner &) = delete;
    BlockRunner &operator=(const BlockRunner &) = delete;

    /// From now on only the calling thread may use this object, for a device with these settings.
    void start(const Settings &settings);

    /// Runs the block at `group`, number `index` of the launch. Fails when lanes wait for other lanes that never
    /// arrive.
    [[nodiscard]] Outcome run(const Launch &launch, const Size3 &group, std::uint64_t index);

    // Functions that kernels call. They apply to the lane that runs.
    [[nodiscard]] std::int32_t thread(std::size_t axis) const;
    [[nodiscard]] std::int32_t group(std::size_t axis) const;
    [[nodiscard]] std::int32_t wave_width() const;
    void barrier();
    std::uint32_t shuffle_down(std::uint32_t value, std::int32_t offset);
    void multiply_bytes(std::int32_t (&sums)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]);

  private:
    enum class State : std::uint8_t { ready, at_barrier, at_shuffle, left };

    /// A barrier of the block, a shuffle of one wave, or a product of matrices of 32 lanes: lanes wait until the
    /// expected number has arrived.
    struct WaitPoint {
        std::uint32_t arrived = 0;
        std::uint32_t first = 0; ///< the lane that arrived first
        std::uint32_t round = 0; ///< how often all lanes have arrived
    };

    static void lane_main();
    void set_group_size(const Size3 &group_size);
    void set_order(std::uint64_t index);
    void start_lanes();
    void abandon_lanes();
    void wait_for_lanes(WaitPoint &point, std::uint32_t expected, std::uint32_t first_lane, State waiting);
    void leave();
    void yield();
    void switch_to(std::uint32_t lane);
    [[nodiscard]] std::uint32_t count(State state) const;
    [[nodiscard]] std::string describe_stuck(const Launch &launch) const;

    // Plain arrays, because the linker may take std::array's functions from an instrumented translation unit.
    LaneOrder order_ = LaneOrder::forward;
    std::uint32_t wave_shift_ = 0; ///< binary logarithm of the wave width
    std::byte *stacks_ = nullptr;
    Fiber home_;
    Fiber fiber_[max_block_threads];
    std::uint32_t started_ = 0; ///< number of fibers that exist

    Size3 group_size_{};
    std::uint32_t lanes_ = 0;
    std::int32_t position_[max_block_threads][3]{};
    std::uint32_t next_[max_block_threads]{}; ///< the lane that runs after each lane; all lanes form a circle
    std::uint32_t first_ = 0;

    void (*call_)(std::byte *const *addresses, const std::byte *params) = nullptr;
    std::byte *const *addresses_ = nullptr;
    const std::byte *params_ = nullptr;
    std::int32_t group_[3]{};
    std::uint32_t lane_ = 0;    ///< the lane that runs
    std::uint32_t present_ = 0; ///< lanes that have not left the kernel
    bool stuck_ = false;
    State state_[max_block_threads]{};
    WaitPoint barrier_;
    WaitPoint wave_[max_block_threads / 32];
    std::uint32_t shuffled_[2][max_block_threads]{};
    WaitPoint factors_point_[max_block_threads / 32];
    std::uint8_t factors_[2][max_block_threads][24]{}; ///< a lane's parts of both matrices
    char tsan_order_[4]{}; ///< addresses for ThreadSanitizer: start and end of a block, even and odd barriers
};

} // namespace isovmaf::host

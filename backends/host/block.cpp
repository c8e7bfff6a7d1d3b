// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/block.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include <sys/mman.h>

#include <fmt/format.h>

#include "host/sanitizer.hpp"

namespace isovmaf::host {

namespace {

// The compiler limits the stack frames of kernels; the rest of a stack is room for a sanitizer's report. The size is no
// multiple of the page size, so that the frames of different lanes do not share the same lines of the CPU's caches.
constexpr std::size_t stack_bytes = 128 * 1024 + 5 * 64;

constexpr std::uint32_t unspecified = 0xa5a5a5a5;

thread_local constinit BlockRunner *current = nullptr;

void tsan_release([[maybe_unused]] char &order) {
#if defined(ISOVMAF_HOST_TSAN)
    __tsan_release(&order);
#endif
}

void tsan_acquire([[maybe_unused]] char &order) {
#if defined(ISOVMAF_HOST_TSAN)
    __tsan_acquire(&order);
#endif
}

// Marsaglia's xorshift: the order is the same each time the block runs.
std::uint64_t next_random(std::uint64_t &state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

} // namespace

BlockRunner::BlockRunner() {
    void *const memory = mmap(nullptr, stack_bytes * max_block_threads, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    stacks_ = static_cast<std::byte *>(memory);
}

BlockRunner::~BlockRunner() {
    abandon_lanes();
    munmap(stacks_, stack_bytes * max_block_threads);
}

void BlockRunner::start(const Settings &settings) {
    order_ = settings.order;
    wave_shift_ = static_cast<std::uint32_t>(std::countr_zero(settings.wave_width));
    group_size_ = {}; // makes the next block set up the order
    home_.adopt_thread();
}

Outcome BlockRunner::run(const Launch &launch, const Size3 &group, std::uint64_t index) {
    if (launch.group_size != group_size_)
        set_group_size(launch.group_size);
    if (order_ == LaneOrder::shuffle)
        set_order(index);
    start_lanes();
    current = this;
    call_ = launch.kernel->call;
    addresses_ = launch.addresses.data();
    params_ = launch.params.data();
    for (std::size_t axis = 0; axis < 3; axis++)
        group_[axis] = static_cast<std::int32_t>(group[axis]);
    present_ = lanes_;
    stuck_ = false;
    for (std::uint32_t lane = 0; lane < lanes_; lane++)
        state_[lane] = State::ready;
    tsan_release(tsan_order_[0]);
    lane_ = first_;
    home_.switch_to(fiber_[lane_]);
    tsan_acquire(tsan_order_[1]);
    if (!stuck_)
        return {};
    Outcome outcome{ISOVMAF_FAILED, describe_stuck(launch)};
    abandon_lanes();
    return outcome;
}

void BlockRunner::set_group_size(const Size3 &group_size) {
    group_size_ = group_size;
    lanes_ = group_size[0] * group_size[1] * group_size[2];
    for (std::uint32_t lane = 0; lane < lanes_; lane++) {
        position_[lane][0] = static_cast<std::int32_t>(lane % group_size[0]);
        position_[lane][1] = static_cast<std::int32_t>(lane / group_size[0] % group_size[1]);
        position_[lane][2] = static_cast<std::int32_t>(lane / (group_size[0] * group_size[1]));
    }
    set_order(0);
}

void BlockRunner::set_order(std::uint64_t index) {
    std::array<std::uint32_t, max_block_threads> order;
    for (std::uint32_t i = 0; i < lanes_; i++)
        order[i] = order_ == LaneOrder::reverse ? lanes_ - 1 - i : i;
    if (order_ == LaneOrder::shuffle) {
        std::uint64_t random = (index + 1) * 0x9e3779b97f4a7c15u;
        for (std::uint32_t i = lanes_; i > 1; i--)
            std::swap(order[i - 1], order[next_random(random) % i]);
    }
    for (std::uint32_t i = 0; i < lanes_; i++)
        next_[order[i]] = order[i + 1 < lanes_ ? i + 1 : 0];
    first_ = order[0];
}

void BlockRunner::start_lanes() {
    for (; started_ < lanes_; started_++)
        fiber_[started_].create(stacks_ + started_ * stack_bytes, stack_bytes, lane_main);
}

void BlockRunner::abandon_lanes() {
    for (; started_ > 0; started_--)
        fiber_[started_ - 1].abandon();
    barrier_ = {};
    for (WaitPoint &wave : wave_)
        wave = {};
    for (WaitPoint &point : factors_point_)
        point = {};
}

// The function that a lane's fiber runs: one kernel after another. Between kernels it is suspended in `leave`.
void BlockRunner::lane_main() {
    Fiber::entered();
    BlockRunner &runner = *current;
    for (;;) {
        tsan_acquire(runner.tsan_order_[0]);
        runner.call_(runner.addresses_, runner.params_);
        tsan_release(runner.tsan_order_[1]);
        runner.leave();
    }
}

void BlockRunner::leave() {
    state_[lane_] = State::left;
    if (--present_ > 0)
        yield();
    else
        fiber_[lane_].switch_to(home_);
}

std::int32_t BlockRunner::thread(std::size_t axis) const { return position_[lane_][axis]; }
std::int32_t BlockRunner::group(std::size_t axis) const { return group_[axis]; }
std::int32_t BlockRunner::wave_width() const { return std::int32_t{1} << wave_shift_; }

void BlockRunner::barrier() {
    // Two addresses alternate, because some lanes may be one barrier ahead of others.
    char &order = tsan_order_[2 + barrier_.round % 2];
    tsan_release(order);
    wait_for_lanes(barrier_, lanes_, 0, State::at_barrier);
    tsan_acquire(order);
}

std::uint32_t BlockRunner::shuffle_down(std::uint32_t value, std::int32_t offset) {
    const std::uint32_t lane = lane_, wave = lane >> wave_shift_; // a division here took a third of the time
    const std::uint32_t first = wave << wave_shift_, width = 1u << wave_shift_;
    std::uint32_t *const values = shuffled_[wave_[wave].round % 2];
    values[lane] = value;
    wait_for_lanes(wave_[wave], width, first, State::at_shuffle);
    const std::int64_t from = std::int64_t{lane} + offset;
    return from >= first && from < first + width ? values[from] : unspecified;
}

void BlockRunner::multiply_bytes(std::int32_t (&sums)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    const std::uint32_t first = lane_ / 32 * 32, lane = lane_ % 32;
    WaitPoint &point = factors_point_[lane_ / 32];
    auto *const factors = factors_[point.round % 2] + first;
    std::memcpy(factors[lane], a, sizeof a);
    std::memcpy(factors[lane] + sizeof a, b, sizeof b);
    wait_for_lanes(point, 32, first, State::at_shuffle);
    for (std::uint32_t i = 0; i < 4; i++) {
        const std::uint32_t row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        for (std::uint32_t k = 0; k < 32; k++) {
            const std::uint8_t left = factors[row % 8 * 4 + k % 16 / 4][(row / 8 + k / 16 * 2) * 4 + k % 4];
            const std::uint8_t right = factors[column * 4 + k % 16 / 4][sizeof a + k / 16 * 4 + k % 4];
            sums[i] += left * right;
        }
    }
}

// Lanes continue in the order in which they arrived, so that all stretches between barriers have the same order.
void BlockRunner::wait_for_lanes(WaitPoint &point, std::uint32_t expected, std::uint32_t first_lane, State waiting) {
    state_[lane_] = waiting;
    if (point.arrived++ == 0)
        point.first = lane_;
    if (point.arrived < expected) {
        yield();
        return;
    }
    point.arrived = 0;
    point.round++;
    for (std::uint32_t lane = first_lane; lane < first_lane + expected; lane++)
        state_[lane] = State::ready;
    switch_to(point.first);
}

// Switches to the next lane that can run; if there is none, the block has ended.
void BlockRunner::yield() {
    std::uint32_t next = next_[lane_];
    while (state_[next] != State::ready && next != lane_)
        next = next_[next];
    if (next != lane_) {
        switch_to(next);
        return;
    }
    stuck_ = true;
    fiber_[lane_].switch_to(home_);
}

void BlockRunner::switch_to(std::uint32_t lane) {
    if (lane == lane_)
        return;
    Fiber &from = fiber_[lane_];
    lane_ = lane;
    from.switch_to(fiber_[lane]);
}

std::uint32_t BlockRunner::count(State state) const {
    return static_cast<std::uint32_t>(std::count(state_, state_ + lanes_, state));
}

std::string BlockRunner::describe_stuck(const Launch &launch) const {
    return fmt::format("kernel {}, block ({}, {}, {}): of its {} threads {} wait at a barrier, {} at a shuffle and {} "
                       "have left; every thread of a block has to reach a barrier, every lane of a wave a shuffle",
                       launch.kernel->name, group_[0], group_[1], group_[2], lanes_, count(State::at_barrier),
                       count(State::at_shuffle), count(State::left));
}

} // namespace isovmaf::host

using isovmaf::host::current;

std::int32_t thread_x() { return current->thread(0); }
std::int32_t thread_y() { return current->thread(1); }
std::int32_t group_x() { return current->group(0); }
std::int32_t group_y() { return current->group(1); }
std::int32_t group_z() { return current->group(2); }
std::int32_t wave_width() { return current->wave_width(); }
void barrier() { current->barrier(); }
std::uint32_t shuffle_down(std::uint32_t v, std::int32_t offset) { return current->shuffle_down(v, offset); }
void multiply_bytes(std::int32_t (&sums)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    current->multiply_bytes(sums, a, b);
}

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/executor.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "hip/testing/amd/initial_registers.hpp"
#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

namespace {

/// Numbers below `count` in the order of the settings. `salt` makes orders of one seed differ.
std::vector<std::uint32_t> ordered(std::size_t count, const Settings &settings, std::uint64_t salt) {
    std::vector<std::uint32_t> numbers(count);
    for (std::uint32_t i = 0; i < count; i++)
        numbers[i] = settings.order == Order::reverse ? static_cast<std::uint32_t>(count) - 1 - i : i;
    if (settings.order == Order::shuffle) {
        std::mt19937_64 random(settings.seed * 0x9e3779b97f4a7c15 + salt);
        for (std::size_t i = count; i > 1; i--)
            std::swap(numbers[i - 1], numbers[random() % i]);
    }
    return numbers;
}

/// Runs work groups, one after the other.
class GroupRunner {
  public:
    GroupRunner(const Program &program, const Launch &launch, const Memory &memory, const Settings &settings,
                const LaunchSegments &segments)
        : launch_(launch), settings_(settings), segments_(segments), group_{program, memory, {}, {}, settings.observer},
          modes_(initial_modes(*launch.kernel, program.code().generation(), settings.approximation)),
          waves_(wave_count(launch)) {}

    void run(std::uint32_t number) {
        group_.lds.assign(launch_.kernel->lds_bytes, std::byte{0x5b});
        if (settings_.strict)
            group_.lds_shadow = std::make_unique<Shadow>(group_.lds.size());
        const std::array place = {number % launch_.groups[0], number / launch_.groups[0] % launch_.groups[1],
                                  number / launch_.groups[0] / launch_.groups[1]};
        for (std::uint32_t i = 0; i < waves_.size(); i++) {
            waves_[i].start(group_, *launch_.kernel, modes_, settings_.strict);
            waves_[i].accessor = {segments_.run, number, i, 0, launch_.timeline};
            set_registers(waves_[i], launch_, segments_, place, i);
        }
        for (std::uint64_t turn = 0; run_to_barrier(std::uint64_t{number} << 32 | turn); turn++) {
        }
    }

  private:
    /// Runs all waves until each waits or has ended: then the barrier is complete. False when all have ended.
    bool run_to_barrier(std::uint64_t salt) {
        bool waits = false;
        for (const std::uint32_t i : ordered(waves_.size(), settings_, salt)) {
            if (waves_[i].state != WaveState::ended)
                waves_[i].run();
            waits |= waves_[i].state == WaveState::at_barrier;
        }
        return waits;
    }

    const Launch &launch_;
    const Settings &settings_;
    const LaunchSegments &segments_;
    Group group_;
    Modes modes_;
    std::vector<Wave> waves_;
};

/// The work groups of a launch, handed out to threads.
class Grid {
  public:
    Grid(const Program &program, const Launch &launch, const Memory &memory, const Settings &settings,
         const LaunchSegments &segments)
        : program_(program), launch_(launch), memory_(memory), settings_(settings), segments_(segments),
          groups_(ordered(std::size_t{launch.groups[0]} * launch.groups[1] * launch.groups[2], settings, ~0ull)) {}

    void run() {
        const bool alone = settings_.strict || settings_.observer;
        const std::size_t count = alone ? 1 : std::min<std::size_t>(settings_.threads, groups_.size());
        {
            std::vector<std::jthread> threads;
            for (std::size_t i = 1; i < count; i++)
                threads.emplace_back([this] { work(); });
            work();
        }
        if (failure_)
            std::rethrow_exception(failure_);
    }

  private:
    void work() {
        try {
            const auto runner = std::make_unique<GroupRunner>(program_, launch_, memory_, settings_, segments_);
            for (std::size_t i = next_++; i < groups_.size(); i = next_++)
                runner->run(groups_[i]);
        } catch (...) {
            next_ = groups_.size();
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
        }
    }

    const Program &program_;
    const Launch &launch_;
    const Memory &memory_;
    const Settings &settings_;
    const LaunchSegments &segments_;
    std::vector<std::uint32_t> groups_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    std::exception_ptr failure_;
};

} // namespace

std::size_t wave_count(const Launch &launch) {
    const std::size_t threads = std::size_t{launch.size[0]} * launch.size[1] * launch.size[2];
    return (threads + launch.kernel->lanes - 1) / launch.kernel->lanes;
}

void execute(const Program &program, const Launch &launch, Memory &memory, const Settings &settings) {
    const LaunchSegments segments(launch);
    const AddedRange arguments(memory, segments.arguments.data(), segments.arguments.size());
    const AddedRange packet(memory, segments.packet.data(), segments.packet.size());
    const std::vector<std::byte> &image = program.code().image();
    const AddedRange constants(memory, image.data(), image.size());
    try {
        Grid(program, launch, memory, settings, segments).run();
    } catch (const std::runtime_error &error) {
        throw Fault(fmt::format("kernel {}: {}", launch.kernel->name, error.what()));
    }
}

std::vector<std::byte> gather_arguments(const Kernel &kernel, void *const *values) {
    std::vector<std::byte> bytes(kernel.argument_bytes);
    for (std::size_t i = 0; i < kernel.arguments.size(); i++)
        std::memcpy(bytes.data() + kernel.arguments[i].offset, values[i], kernel.arguments[i].bytes);
    return bytes;
}

} // namespace isovmaf::amd

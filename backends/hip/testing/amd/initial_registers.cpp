// SPDX-License-Identifier: BSD-2-Clause-Patent
// Registers at the start of a wave, as LLVM's guide of the AMDGPU backend describes them.
#include "hip/testing/amd/initial_registers.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>

namespace isovmaf::amd {

namespace {

/// One value that a kernel descriptor can ask for in SGPRs: the bit of `properties`, and registers.
struct UserScalars {
    unsigned bit, words;
};
constexpr UserScalars private_segment_buffer{0, 4}, dispatch_packet{1, 2}, queue{2, 2}, argument_segment{3, 2},
    dispatch_id{4, 2}, flat_scratch{5, 2}, private_segment_size{6, 1};
constexpr UserScalars user_scalars[] = {
    private_segment_buffer, dispatch_packet, queue, argument_segment, dispatch_id, flat_scratch, private_segment_size};

unsigned field(std::uint32_t bits, unsigned shift, unsigned width) { return bits >> shift & ((1u << width) - 1); }

void set_pair(Wave &wave, unsigned index, const void *address) {
    const auto bits = reinterpret_cast<std::uint64_t>(address);
    wave.set_scalars(index, 2, {bits, 0});
}

void set_user_scalars(Wave &wave, const Kernel &kernel, const LaunchSegments &segments) {
    unsigned next = 0;
    for (const UserScalars &asked : user_scalars) {
        if (!field(kernel.properties, asked.bit, 1))
            continue;
        if (asked.bit == dispatch_packet.bit)
            set_pair(wave, next, segments.packet.data());
        if (asked.bit == argument_segment.bit)
            set_pair(wave, next, segments.arguments.data());
        next += asked.words;
    }
}

/// GPUs from gfx12 on have the place of the group in TTMP registers, earlier ones behind the user's SGPRs, of which the
/// descriptor may count more than are set.
void set_group(Wave &wave, const Kernel &kernel, const std::array<std::uint32_t, 3> &group) {
    if (wave.modes().generation == Generation::gfx1201) {
        wave.set_scalar(scalar::ttmp + 9, {group[0], 0});
        wave.set_scalar(scalar::ttmp + 7, {group[1] | group[2] << 16, 0});
        return;
    }
    unsigned next = field(kernel.resources_2, 1, 5);
    for (unsigned axis = 0; axis < 3; axis++)
        if (field(kernel.resources_2, 7 + axis, 1))
            wave.set_scalar(next++, {group[axis], 0});
}

void set_threads(Wave &wave, const Launch &launch, std::uint32_t number) {
    const bool packed = wave.modes().generation != Generation::gfx1030;
    const unsigned axes = 1 + field(launch.kernel->resources_2, 11, 2);
    std::uint64_t exec = 0;
    for (unsigned lane = 0; lane < wave.lanes(); lane++) {
        const std::uint32_t thread = number * wave.lanes() + lane;
        const std::array place = {thread % launch.size[0], thread / launch.size[0] % launch.size[1],
                                  thread / launch.size[0] / launch.size[1]};
        if (place[2] < launch.size[2])
            exec |= std::uint64_t{1} << lane;
        for (unsigned axis = 0; axis < axes && !packed; axis++)
            wave.set_lane_word(axis, lane, {place[axis], 0});
        if (packed)
            wave.set_lane_word(0, lane,
                               {place[0] | (axes > 1 ? place[1] << 10 : 0) | (axes > 2 ? place[2] << 20 : 0), 0});
    }
    wave.set_mask(scalar::exec, {exec, 0});
}

} // namespace

LaunchSegments::LaunchSegments(const Launch &launch) : arguments(launch.arguments) {
    static std::atomic<std::uint32_t> runs = 0;
    run = launch.timeline ? launch.run : ++runs;
    arguments.resize(std::max<std::size_t>({arguments.size(), launch.kernel->argument_bytes, 1}));
    const auto size_at = [&](std::size_t offset, std::uint32_t size) {
        const auto narrow = static_cast<std::uint16_t>(size);
        std::memcpy(packet.data() + offset, &narrow, sizeof narrow);
    };
    for (std::size_t axis = 0; axis < 3; axis++) {
        size_at(4 + 2 * axis, launch.size[axis]);
        const std::uint32_t threads = launch.groups[axis] * launch.size[axis];
        std::memcpy(packet.data() + 12 + 4 * axis, &threads, sizeof threads);
    }
}

Modes initial_modes(const Kernel &kernel, Generation generation, Approximation approximation) {
    Modes modes;
    modes.generation = generation;
    modes.approximation = approximation;
    modes.round_f32 = static_cast<Rounding>(field(kernel.resources_1, 12, 2));
    modes.round_f64 = static_cast<Rounding>(field(kernel.resources_1, 14, 2));
    modes.denormals_f32 = static_cast<std::uint8_t>(field(kernel.resources_1, 16, 2));
    modes.denormals_f64 = static_cast<std::uint8_t>(field(kernel.resources_1, 18, 2));
    modes.ieee = generation != Generation::gfx1201 && field(kernel.resources_1, 23, 1);
    return modes;
}

void set_registers(Wave &wave, const Launch &launch, const LaunchSegments &segments,
                   const std::array<std::uint32_t, 3> &group, std::uint32_t number) {
    set_user_scalars(wave, *launch.kernel, segments);
    set_group(wave, *launch.kernel, group);
    set_threads(wave, launch, number);
}

} // namespace isovmaf::amd

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/testing/patterns.hpp"

#include <cstring>
#include <random>
#include <vector>

namespace isovmaf::testing {

namespace {

constexpr std::size_t margin_bytes = 38; ///< before, between and after rows; even, and no multiple of a vector

/// Asks `sample()` for every sample in raster order, plane after plane.
template <class Sampler>
Frame fill(const VideoFormat &format, std::uint8_t poison, Sampler sample) {
    const auto bytes = static_cast<std::size_t>(format.bytes_per_sample());
    std::array<std::size_t, 3> offset{};
    std::array<std::ptrdiff_t, 3> stride_bytes{};
    std::size_t size = margin_bytes;
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const std::size_t stride = static_cast<std::size_t>(format.plane_width(p)) * bytes + margin_bytes;
        offset[i] = size;
        stride_bytes[i] = static_cast<std::ptrdiff_t>(stride);
        size += stride * static_cast<std::size_t>(format.plane_height(p));
    }
    auto memory = std::make_shared<std::vector<std::byte>>(size, std::byte{poison});
    std::array<const std::byte *, 3> data{};
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        data[i] = memory->data() + offset[i];
        for (int y = 0; y < format.plane_height(p); y++)
            for (int x = 0; x < format.plane_width(p); x++) {
                const auto value = static_cast<std::uint16_t>(sample());
                std::byte *row = memory->data() + offset[i] + y * stride_bytes[i];
                std::memcpy(row + static_cast<std::size_t>(x) * bytes, &value, bytes); // little-endian host
            }
    }
    return {format, std::move(memory), data, stride_bytes};
}

} // namespace

std::uint32_t peak(const VideoFormat &format) { return (1u << format.bit_depth) - 1; }

Frame constant_frame(const VideoFormat &format, std::uint32_t level, std::uint8_t poison) {
    return fill(format, poison, [&] { return level; });
}

Frame noise_frame(const VideoFormat &format, std::uint32_t seed, std::uint8_t poison) {
    std::mt19937 random(seed);
    return fill(format, poison, [&] { return random() & peak(format); });
}

Frame grain_frame(const VideoFormat &format, std::uint32_t seed) {
    std::mt19937 random(seed);
    return fill(format, default_poison, [&] { return (peak(format) + 1) / 2 + (random() & 1u); });
}

FramePair noise_pair(const VideoFormat &format, std::uint32_t seed, std::uint8_t poison) {
    return {noise_frame(format, seed, poison), noise_frame(format, seed + 1, poison)};
}

FramePair identical_pair(const VideoFormat &format, std::uint32_t seed) {
    return {noise_frame(format, seed), noise_frame(format, seed)};
}

FramePair black_and_white(const VideoFormat &format) {
    return {constant_frame(format, 0), constant_frame(format, peak(format))};
}

} // namespace isovmaf::testing

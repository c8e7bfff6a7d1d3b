// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "content/patterns.hpp"

#include <vector>

namespace isovmaf {

namespace {

constexpr std::size_t margin_bytes = 38; ///< before, between and after rows; even, and no multiple of a vector

} // namespace

WritableFrame poisoned_frame(const VideoFormat &format, std::uint8_t poison) {
    const auto bytes = static_cast<std::size_t>(format.bytes_per_sample());
    std::array<std::size_t, 3> offset{};
    WritableFrame result;
    std::size_t size = margin_bytes;
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const std::size_t stride = static_cast<std::size_t>(format.plane_width(p)) * bytes + margin_bytes;
        offset[i] = size;
        result.stride_bytes[i] = static_cast<std::ptrdiff_t>(stride);
        size += stride * static_cast<std::size_t>(format.plane_height(p));
    }
    auto memory = std::make_shared<std::vector<std::byte>>(size, std::byte{poison});
    std::array<const void *, 3> data{};
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        data[i] = result.data[i] = memory->data() + offset[i];
    }
    result.frame = Frame(format, std::move(memory), data, result.stride_bytes);
    return result;
}

Frame constant_frame(const VideoFormat &format, std::uint32_t level, std::uint8_t poison) {
    return painted_frame(format, poison, [&](int, int, int) { return level; });
}

Frame noise_frame(const VideoFormat &format, std::uint32_t seed, std::uint8_t poison) {
    return random_frame(format, seed, poison, [&](std::uint32_t word) { return word & largest_sample(format); });
}

Frame grain_frame(const VideoFormat &format, std::uint32_t seed) {
    const std::uint32_t grey = (largest_sample(format) + 1) / 2;
    return random_frame(format, seed, default_poison, [&](std::uint32_t word) { return grey + (word & 1u); });
}

FramePair noise_pair(const VideoFormat &format, std::uint32_t seed, std::uint8_t poison) {
    return {noise_frame(format, seed, poison), noise_frame(format, seed + 1, poison)};
}

FramePair identical_pair(const VideoFormat &format, std::uint32_t seed) {
    return {noise_frame(format, seed), noise_frame(format, seed)};
}

FramePair black_and_white(const VideoFormat &format) {
    return {constant_frame(format, 0), constant_frame(format, largest_sample(format))};
}

} // namespace isovmaf

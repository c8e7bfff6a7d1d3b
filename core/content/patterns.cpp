// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "content/patterns.hpp"

#include <algorithm>
#include <vector>

namespace isovmaf {

namespace {

constexpr std::size_t margin_bytes = 38; ///< before, between and after rows; even, and no multiple of a vector

} // namespace

WritableFrame poisoned_frame(const VideoFormat &format, std::uint8_t poison, ChromaEdge edge) {
    const auto bytes = static_cast<std::size_t>(format.bytes_per_sample());
    std::array<std::size_t, 3> offset{};
    WritableFrame result;
    std::size_t size = margin_bytes;
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const bool whole = edge == ChromaEdge::present;
        const int width = whole ? stored_width(format, p) : format.plane_width(p);
        const int height = whole ? stored_height(format, p) : format.plane_height(p);
        const std::size_t stride = static_cast<std::size_t>(width) * bytes + margin_bytes;
        offset[i] = size;
        result.stride_bytes[i] = static_cast<std::ptrdiff_t>(stride);
        size += stride * static_cast<std::size_t>(height);
    }
    auto memory = std::make_shared<std::vector<std::byte>>(size, std::byte{poison});
    std::array<const void *, 3> data{};
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        data[i] = result.data[i] = memory->data() + offset[i];
    }
    result.frame = Frame(format, std::move(memory), data, result.stride_bytes, edge);
    return result;
}

Frame constant_frame(const VideoFormat &format, std::uint32_t level, std::uint8_t poison) {
    return painted_frame(format, poison, [&](int, int, int) { return level; });
}

Frame noise_frame(const VideoFormat &format, std::uint32_t seed, std::uint8_t poison, ChromaEdge edge) {
    return random_frame(
        format, seed, poison, [&](std::uint32_t word) { return word & largest_sample(format); }, edge);
}

Frame grain_frame(const VideoFormat &format, std::uint32_t seed) {
    const std::uint32_t grey = (largest_sample(format) + 1) / 2;
    return random_frame(format, seed, default_poison, [&](std::uint32_t word) { return grey + (word & 1u); });
}

FramePair noise_pair(const VideoFormat &format, std::uint32_t seed, std::uint8_t poison, ChromaEdge edge) {
    return {noise_frame(format, seed, poison, edge), noise_frame(format, seed + 1, poison, edge)};
}

FramePair identical_pair(const VideoFormat &format, std::uint32_t seed) {
    return {noise_frame(format, seed), noise_frame(format, seed)};
}

FramePair black_and_white(const VideoFormat &format) {
    return {constant_frame(format, 0), constant_frame(format, largest_sample(format))};
}

namespace {

/// Reference sample at (x, y) of a plane of frame n.
std::uint32_t reference_sample(const VideoFormat &format, std::uint32_t n, int plane, int x, int y) {
    const std::uint32_t sx = plane > 0 && format.chroma != Chroma::k444 ? 2 : 1;
    const std::uint32_t sy = plane > 0 && format.chroma == Chroma::k420 ? 2 : 1;
    const std::uint32_t X = static_cast<std::uint32_t>(x) * sx + 3 * n;
    const std::uint32_t Y = static_cast<std::uint32_t>(y) * sy + 2 * n;
    std::uint32_t q = ((X / 4) * 73856093u) ^ ((Y / 4) * 19349663u) ^ (static_cast<std::uint32_t>(plane) * 83492791u);
    q ^= q >> 13;
    q *= 0x5bd1e995u;
    q ^= q >> 15;
    std::uint32_t s = (((3 * X + 2 * Y) >> 2) & 127) + 32;
    if (((X >> 5) + (Y >> 5)) & 1)
        s += q & 31;
    const int extra = format.bit_depth - 8;
    return extra > 0 ? (s << extra) | ((q >> 8) & ((1u << extra) - 1)) : s;
}

template <class Sample>
void fill(const VideoFormat &format, std::uint32_t n, const WritableFrame &reference, const WritableFrame &distorted) {
    const std::uint32_t step = 4u << (format.bit_depth - 8);
    const std::uint32_t peak = (1u << format.bit_depth) - 1;
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const Plane source = reference.frame.stored_plane(p);
        const int w = source.width, h = source.height;
        for (int y = 0; y < h; y++) {
            auto *row = reinterpret_cast<Sample *>(reference.data[i] + y * reference.stride_bytes[i]);
            for (int x = 0; x < w; x++)
                row[x] = static_cast<Sample>(reference_sample(format, n, p, x, y));
        }
        for (int y = 0; y < h; y++) {
            auto *row = reinterpret_cast<Sample *>(distorted.data[i] + y * distorted.stride_bytes[i]);
            for (int x = 0; x < w; x++) {
                std::uint32_t sum = 4;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        sum += source.row<Sample>(std::clamp(y + dy, 0, h - 1))[std::clamp(x + dx, 0, w - 1)];
                row[x] = static_cast<Sample>(std::min((sum / 9 + step / 2) / step * step, peak));
            }
        }
    }
}

} // namespace

FramePair GeneratedClip::frame(std::uint32_t index) {
    const WritableFrame reference = pool_.take();
    const WritableFrame distorted = pool_.take();
    if (format_.bytes_per_sample() == 1)
        fill<std::uint8_t>(format_, index, reference, distorted);
    else
        fill<std::uint16_t>(format_, index, reference, distorted);
    return {reference.frame, distorted.frame};
}

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "frame/frame.hpp"

namespace isovmaf::testing {

/// A picture as NV12 and P010 have it: chroma samples take turns, and those of more than 8 bits lie in the upper bits
/// of a word, whose other bits mean nothing. Rows and planes are aligned to samples only.
struct PackedImage {
    std::vector<std::byte> bytes;
    std::array<std::size_t, 3> offset{}; ///< of the first sample of a plane
    std::array<std::ptrdiff_t, 3> stride_bytes{};
    std::array<SampleLayout, 3> samples{};

    explicit PackedImage(const Frame &plain) {
        const VideoFormat &format = plain.format();
        const auto sample = static_cast<std::size_t>(format.bytes_per_sample());
        std::size_t end = sample;
        for (int p = 0; p < format.plane_count(); p++) {
            const auto i = static_cast<std::size_t>(p);
            const int step = p == 0 ? 1 : 2;
            samples[i] = {step, format.bit_depth == 8 ? 0 : 16 - format.bit_depth};
            if (p == 2) {
                offset[i] = offset[1] + sample;
                stride_bytes[i] = stride_bytes[1];
                continue;
            }
            offset[i] = end;
            const std::size_t row = static_cast<std::size_t>(format.plane_width(p) * step + 3) * sample;
            stride_bytes[i] = static_cast<std::ptrdiff_t>(row);
            end += row * static_cast<std::size_t>(format.plane_height(p));
        }
        bytes.assign(end, std::byte{0xb5});
        for (int p = 0; p < format.plane_count(); p++)
            for (int y = 0; y < format.plane_height(p); y++)
                for (int x = 0; x < format.plane_width(p); x++)
                    sample == 1 ? put<std::uint8_t>(plain, p, x, y) : put<std::uint16_t>(plain, p, x, y);
    }

    /// The picture in host memory; an image that is copied into `owner` outlives it.
    [[nodiscard]] Frame frame(const VideoFormat &format, std::shared_ptr<const void> owner = nullptr) const {
        std::array<const void *, 3> data{};
        for (std::size_t p = 0; p < static_cast<std::size_t>(format.plane_count()); p++)
            data[p] = bytes.data() + offset[p];
        return {format, std::move(owner), data, stride_bytes, ChromaEdge::absent, samples};
    }

  private:
    template <class Sample>
    void put(const Frame &plain, int plane, int x, int y) {
        const auto i = static_cast<std::size_t>(plane);
        const int shift = samples[i].shift;
        const auto noise = static_cast<unsigned>(x + y) & ((1U << shift) - 1U);
        const auto word = static_cast<Sample>(unsigned{plain.plane(plane).row<Sample>(y)[x]} << shift | noise);
        std::memcpy(bytes.data() + offset[i] + y * stride_bytes[i] +
                        static_cast<std::size_t>(x * samples[i].step) * sizeof(Sample),
                    &word, sizeof(Sample));
    }
};

} // namespace isovmaf::testing

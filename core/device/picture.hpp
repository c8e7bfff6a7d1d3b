// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "device/device.hpp"
#include "device/recorder.hpp"
#include "isovmaf/backend.h"
#include "isovmaf/frame.hpp"

namespace isovmaf {

/// One plane in memory that copies and kernels reach; samples are bytes at 8 bit, else 16-bit words. A plane that
/// kernels read starts at a multiple of ISOVMAF_RANGE_ALIGNMENT, and its rows are a multiple of device_row_alignment
/// apart.
struct GpuPlane {
    isovmaf_range samples{};
    int width = 0;
    int height = 0;
    int stride_bytes = 0;
};

/// Bytes from the first sample of a plane's row to the last one.
[[nodiscard]] std::uint64_t row_bytes(const VideoFormat &format, int plane, int step = 1);

/// Bytes from the first sample of a plane in host or device memory to the last one; 0 for a plane without samples.
[[nodiscard]] std::uint64_t plane_bytes(const VideoFormat &format, int plane, std::uint64_t stride_bytes, int step = 1);

/// Bytes of a plane that kernels read, from its first sample to the end of its last row's padding.
[[nodiscard]] inline std::uint64_t allocated_bytes(const GpuPlane &plane) {
    return static_cast<std::uint64_t>(plane.stride_bytes) * static_cast<std::uint64_t>(plane.height);
}

/// Luma, Cb and Cr; chroma has no memory when no feature needs it.
using GpuPicture = std::array<GpuPlane, 3>;

/// A picture as copies read it, wherever it lies: its planes start and end where the caller's do.
struct SourcePicture {
    GpuPicture planes;
    std::array<SampleLayout, 3> samples{};

    /// Bytes of the largest plane that is not plain; 0 if there is none.
    [[nodiscard]] std::uint64_t packed_bytes(const VideoFormat &format, int plane_count) const;
};

/// A frame in memory of the device. Has to live until the copies are done.
class ImportedPicture {
  public:
    ImportedPicture() = default;

    /// Of the first `plane_count` planes.
    [[nodiscard]] static Result<ImportedPicture> create(const Device &device, const Frame &frame, int plane_count);

    [[nodiscard]] const SourcePicture &picture() const { return picture_; }

  private:
    SourcePicture picture_;
    std::array<Buffer, 3> planes_;
};

/// Records the copy of the first `plane_count` planes of a picture to plain ones, whose rows may be apart by another
/// distance. Kernels want aligned planes, so one that is not plain is first copied as it is to `packed`, which has
/// packed_bytes, starts at a multiple of ISOVMAF_RANGE_ALIGNMENT, and is used by one plane after the other.
void record_copy(Recorder &recorder, const VideoFormat &format, int plane_count, const SourcePicture &from,
                 const GpuPicture &to, isovmaf_range packed);

/// Records a kernel that adds how many samples of the first `plane_count` planes are above the bit depth to a count of
/// 64 bits: number `count` of `counts`.
void record_sample_check(Recorder &recorder, const VideoFormat &format, int plane_count, const GpuPicture &picture,
                         isovmaf_range counts, int count);

/// The layout of a picture's planes in one piece of memory. It is the same on the device and in the memory that is
/// uploaded, so that one copy moves a picture.
class PictureLayout {
  public:
    /// `edge`: whether chroma planes of odd sizes have room for their last column and row, which kernels find behind
    /// the width and below the height of the plane.
    PictureLayout(const VideoFormat &format, int plane_count, ChromaEdge edge = ChromaEdge::absent);

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] int plane_count() const { return plane_count_; }
    [[nodiscard]] ChromaEdge edge() const { return edge_; }

    /// The picture whose memory starts at `memory`, a multiple of ISOVMAF_RANGE_ALIGNMENT.
    [[nodiscard]] GpuPicture at(isovmaf_range memory) const;

    /// Copies the rows of `from` to where those of a plane belong in `memory`, which holds a picture and starts at
    /// a multiple of memory_alignment. The processor's caches do not keep what is written.
    void stage(const Plane &from, int plane, std::byte *memory) const;

  private:
    VideoFormat format_;
    int plane_count_;
    ChromaEdge edge_;
    std::array<std::uint64_t, 3> offset_{};
    std::array<std::uint64_t, 3> stride_bytes_{};
    std::uint64_t bytes_ = 0;
};

} // namespace isovmaf

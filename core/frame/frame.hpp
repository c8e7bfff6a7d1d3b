// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// One plane of a frame, whose memory it does not own. Rows are `stride_bytes` apart; the bytes between rows are never
/// read.
struct Plane {
    const std::byte *data = nullptr;
    std::ptrdiff_t stride_bytes = 0; ///< may be negative (bottom-up storage)
    int width = 0;                   ///< samples
    int height = 0;                  ///< rows

    /// First sample of row y. Sample is std::uint8_t for 8-bit video, else std::uint16_t.
    template <class Sample>
    [[nodiscard]] const Sample *row(int y) const {
        return reinterpret_cast<const Sample *>(data + y * stride_bytes);
    }
};

/// Subsampled chroma of an odd size is scored rounded down, but stored rounded up: whether a frame's memory holds the
/// last column and row too.
enum class ChromaEdge : std::uint8_t { absent, present };

/// Samples in a row of a plane as files and libav store it, with chroma rounded up.
[[nodiscard]] int stored_width(const VideoFormat &format, int plane);
/// Rows of a plane, likewise.
[[nodiscard]] int stored_height(const VideoFormat &format, int plane);

/// One picture: planes in memory that `owner` keeps alive. Copies share the memory. The samples are read-only.
/// Plane sizes are those of VideoFormat::plane_width and plane_height.
class Frame {
  public:
    Frame() = default;

    /// Shares `owner`, which keeps the memory of all planes alive. Rows of 16-bit samples have to be aligned to 2
    /// bytes.
    Frame(const VideoFormat &format, std::shared_ptr<const void> owner, const std::array<const std::byte *, 3> &data,
          const std::array<std::ptrdiff_t, 3> &stride_bytes, ChromaEdge edge = ChromaEdge::absent);

    [[nodiscard]] const VideoFormat &format() const { return format_; }
    [[nodiscard]] const Plane &plane(int index) const { return planes_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] ChromaEdge chroma_edge() const { return edge_; }

    /// The plane with its chroma rounded up when the memory holds that, else plane(index).
    [[nodiscard]] Plane stored_plane(int index) const;
    [[nodiscard]] const std::shared_ptr<const void> &owner() const { return owner_; }
    [[nodiscard]] explicit operator bool() const { return owner_ != nullptr; }

  private:
    VideoFormat format_;
    std::array<Plane, 3> planes_;
    std::shared_ptr<const void> owner_;
    ChromaEdge edge_ = ChromaEdge::absent;
};

} // namespace isovmaf

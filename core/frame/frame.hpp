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

/// One picture: planes in memory that `owner` keeps alive. Copies share the memory. The samples are read-only.
/// Plane sizes are those of VideoFormat::plane_width and plane_height.
class Frame {
  public:
    Frame() = default;

    /// Shares `owner`, which keeps the memory of all planes alive. Rows of 16-bit samples have to be aligned to 2
    /// bytes.
    Frame(const VideoFormat &format, std::shared_ptr<const void> owner, const std::array<const std::byte *, 3> &data,
          const std::array<std::ptrdiff_t, 3> &stride_bytes);

    [[nodiscard]] const VideoFormat &format() const { return format_; }
    [[nodiscard]] const Plane &plane(int index) const { return planes_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const std::shared_ptr<const void> &owner() const { return owner_; }
    [[nodiscard]] explicit operator bool() const { return owner_ != nullptr; }

  private:
    VideoFormat format_;
    std::array<Plane, 3> planes_;
    std::shared_ptr<const void> owner_;
};

} // namespace isovmaf

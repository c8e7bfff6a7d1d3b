// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "frame/frame.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf::testing {

/// Memory that another API allocated, writes and exports.
class ExportedMemory {
  public:
    virtual ~ExportedMemory() = default;

    /// The descriptor is open until `close` or until this object is destroyed.
    [[nodiscard]] virtual const ExternalMemory &external() const = 0;
    virtual void close() = 0;

    /// The write has ended, also as the host sees it, when the function returns.
    virtual void write(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
};

/// Frames of one size in one allocation, as decoders keep them: rows and planes are aligned to samples only, rows have
/// a poisoned tail, and no frame lies at the start of the allocation.
class ExternalPool {
  public:
    explicit ExternalPool(const VideoFormat &format) : format_(format) {
        const auto sample = static_cast<std::uint64_t>(format.bytes_per_sample());
        std::uint64_t bytes = 6;
        for (int p = 0; p < format.plane_count(); p++) {
            const auto i = static_cast<std::size_t>(p);
            offset_[i] = bytes;
            stride_bytes_[i] = (static_cast<std::uint64_t>(format.plane_width(p)) + 5) * sample;
            bytes += stride_bytes_[i] * static_cast<std::uint64_t>(format.plane_height(p));
        }
        frame_bytes_ = bytes;
    }

    [[nodiscard]] std::uint64_t bytes(std::size_t frames) const { return frame_bytes_ * frames; }

    /// Fills the place of a frame.
    void write(ExportedMemory &memory, std::size_t place, const Frame &frame) const {
        std::vector<std::byte> image(frame_bytes_, std::byte{0xb5});
        for (int p = 0; p < format_.plane_count(); p++) {
            const auto i = static_cast<std::size_t>(p);
            const Plane from = frame.plane(p);
            for (int y = 0; y < from.height; y++)
                std::memcpy(image.data() + offset_[i] + static_cast<std::uint64_t>(y) * stride_bytes_[i],
                            from.row<std::byte>(y), static_cast<std::size_t>(from.width * format_.bytes_per_sample()));
        }
        memory.write(place * frame_bytes_, image);
    }

    /// The frame at a place. It keeps the memory alive; its `owner` is released when the session no longer needs the
    /// frame.
    [[nodiscard]] Frame at(const Session &session, const ImportedMemory &memory, std::size_t place) const {
        std::array<std::uint64_t, 3> address{};
        for (std::size_t p = 0; p < static_cast<std::size_t>(format_.plane_count()); p++)
            address[p] = memory.address + place * frame_bytes_ + offset_[p];
        return Frame::on_device(session.device(), format_, std::make_shared<std::shared_ptr<const void>>(memory.owner),
                                address, stride_bytes_);
    }

  private:
    VideoFormat format_;
    std::array<std::uint64_t, 3> offset_{}, stride_bytes_{}; ///< within a frame
    std::uint64_t frame_bytes_ = 0;
};

} // namespace isovmaf::testing

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "device/pinned_memory.hpp"
#include "isovmaf/isovmaf.hpp"
#include "libvmaf/picture.h"

/// The memory of one picture. The struct that points to it is its only owner in C; frames that are being scored share
/// the memory.
struct VmafRef {
    std::shared_ptr<std::byte> memory;
};

namespace isovmaf::capi {

/// Where pictures get their memory.
class PictureMemory {
  public:
    virtual ~PictureMemory() = default;

    /// `bytes` (at least 1) of memory that starts at a multiple of 64, with any content. Thread-safe. The memory may be
    /// freed on any thread, also after this object is gone. Throws std::bad_alloc when memory is out.
    [[nodiscard]] virtual std::shared_ptr<std::byte> allocate(std::size_t bytes) = 0;

    /// Whether a block is as good as those that are allocated now. Pools replace others.
    [[nodiscard]] virtual bool is_best(const std::byte *, std::size_t) const { return true; }
};

/// Memory of the process, on the heap.
[[nodiscard]] PictureMemory &host_memory();

/// Sizes of a picture's planes and where they lie in its memory, for all pictures of one shape.
class PictureShape {
  public:
    /// Fails when the format is none of the enum, `bpc` is not 8..16, or a side is above max_frame_side. A side may be
    /// 0.
    [[nodiscard]] static Result<PictureShape> create(VmafPixelFormat format, unsigned bpc, unsigned w, unsigned h);

    /// At least 1.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    /// A picture with the sizes and strides, but without memory.
    [[nodiscard]] const VmafPicture &empty() const { return empty_; }

    /// A picture in `memory`, which has at least bytes() bytes. The samples are not touched.
    [[nodiscard]] VmafPicture place(std::shared_ptr<std::byte> memory) const;

  private:
    PictureShape() = default;

    VmafPicture empty_{};
    std::array<std::size_t, 3> offset_{}; ///< of each plane in the memory
    std::size_t bytes_ = 0;
};

/// Whether the picture owns memory. A struct that was filled by hand does not.
[[nodiscard]] inline bool is_allocated(const VmafPicture &picture) {
    return picture.ref != nullptr && picture.priv != nullptr;
}

/// Shape of a picture that owns memory. Fails when the struct's values are not possible: its owner can change
/// them.
[[nodiscard]] Result<VideoFormat> format_of(const VmafPicture &picture);

/// A frame of that format, the picture's, that reads the picture where it lies, and shares its memory. The picture
/// keeps its own share.
[[nodiscard]] Frame share(const VmafPicture &picture, const VideoFormat &format);

/// Drops the picture's share of its memory and zeroes the struct. Nothing happens if it has none. Two structs with one
/// `ref` are one picture: release one of them and zero the other.
void release(VmafPicture &picture) noexcept;

/// The memory of all pictures of the process, whatever their context: vmaf_picture_alloc is given none. It is pinned
/// memory of the device that a context opened last, so that pictures are uploaded from where they lie. While no context
/// has a device, or when it has no more such memory, it is the heap.
[[nodiscard]] PictureMemory &process_memory();

/// From now on pictures get this memory, as long as its context or a picture keeps it.
void use_pinned_memory(const std::shared_ptr<PinnedMemory> &memory);

} // namespace isovmaf::capi

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "isovmaf/api.hpp"
#include "isovmaf/video_format.hpp"

/// One picture of a video, wherever it lies: in host memory or in memory of a device.
namespace isovmaf {

class Device;

/// An opened device. Sessions hand it out (Session::device), and a frame in device memory says by it where it lies. It
/// keeps the device open. Null: no device.
using DeviceHandle = std::shared_ptr<const Device>;

/// One plane in host memory that somebody else owns. Rows are `stride_bytes` apart; the bytes between rows are never
/// read.
struct Plane {
    const std::byte *data = nullptr; ///< first sample of the first row
    std::ptrdiff_t stride_bytes = 0; ///< from a row to the next; negative when rows lie bottom-up
    int width = 0;                   ///< samples
    int height = 0;                  ///< rows

    /// First sample of row y. Sample is std::uint8_t for 8-bit video, else std::uint16_t.
    template <class Sample>
    [[nodiscard]] const Sample *row(int y) const {
        return reinterpret_cast<const Sample *>(data + y * stride_bytes);
    }
};

/// How the samples of a plane lie in a row. In plain planes they follow each other, and a stored word is a sample. For
/// example, in NV12 luma is plain, and the chroma samples take turns: both planes have step 2, and Cr starts one sample
/// behind Cb. P010, with 10 bits in the upper part of 16, has the same steps, and shift 6 in each plane.
struct SampleLayout {
    int step = 1;  ///< from a sample to the next of the row, in samples: 1 to 4
    int shift = 0; ///< a sample is the stored word without so many of its lowest bits, whatever these are

    /// Whether nothing has to be done to read the samples.
    [[nodiscard]] bool is_plain() const { return step == 1 && shift == 0; }
    /// Whether both are the same.
    friend bool operator==(const SampleLayout &, const SampleLayout &) = default;
};

/// One picture: what it is, where its planes lie, and who owns the memory. Luma, then Cb and Cr unless 4:0:0. Copies
/// share the memory, whose samples are read-only. Plane sizes are those of VideoFormat::plane_width and plane_height.
///
/// The memory has to stay alive and unchanged as long as a copy of `owner` exists; copies are destroyed on any thread.
class ISOVMAF_API Frame {
  public:
    /// No picture.
    Frame() = default;

    /// A picture in host memory. `data`: the first sample of each plane; 16-bit rows are 2-byte aligned. Without an
    /// owner the memory is the caller's, and a session copies the picture before `push` returns. It also copies a
    /// picture that is not plain.
    Frame(const VideoFormat &format, std::shared_ptr<const void> owner, const std::array<const void *, 3> &data,
          const std::array<std::ptrdiff_t, 3> &stride_bytes, ChromaEdge edge = ChromaEdge::absent,
          const std::array<SampleLayout, 3> &samples = {});

    /// A picture in memory of `device`. An address is a pointer of the backend's runtime as an integer (HIP, CUDA), an
    /// address in a buffer of the same plugin and device, or one inside memory that a session imported. A distance
    /// between rows is positive and a multiple of the sample size. Whatever writes the picture has to be complete, as
    /// the host sees it, before the frame is pushed. The frame has to have an owner.
    [[nodiscard]] static Frame on_device(DeviceHandle device, const VideoFormat &format,
                                         std::shared_ptr<const void> owner, const std::array<std::uint64_t, 3> &address,
                                         const std::array<std::uint64_t, 3> &stride_bytes,
                                         const std::array<SampleLayout, 3> &samples = {});

    /// Size, chroma and depth.
    [[nodiscard]] const VideoFormat &format() const { return format_; }

    /// The device whose memory the frame lies in; null for host memory.
    [[nodiscard]] const DeviceHandle &device() const { return device_; }

    /// What keeps the memory alive; null when the caller does.
    [[nodiscard]] const std::shared_ptr<const void> &owner() const { return owner_; }

    /// Where a plane starts: a pointer of the host or an address of the device.
    [[nodiscard]] std::uint64_t address(int plane) const { return places_[static_cast<std::size_t>(plane)].address; }

    /// Bytes from a row of a plane to the next.
    [[nodiscard]] std::ptrdiff_t stride_bytes(int plane) const {
        return places_[static_cast<std::size_t>(plane)].stride_bytes;
    }

    /// How the samples of a plane lie.
    [[nodiscard]] const SampleLayout &samples(int plane) const {
        return places_[static_cast<std::size_t>(plane)].samples;
    }

    /// Whether all planes are plain.
    [[nodiscard]] bool is_plain() const;

    /// Whether a frame in host memory has the last column and row of chroma planes with odd sizes.
    [[nodiscard]] ChromaEdge chroma_edge() const { return edge_; }

    /// A plane of a plain frame in host memory.
    [[nodiscard]] Plane plane(int index) const;

    /// The plane with its chroma rounded up when the memory holds that, else plane(index).
    [[nodiscard]] Plane stored_plane(int index) const;

    /// Presentation time in seconds; nothing when it is not known.
    [[nodiscard]] const std::optional<double> &seconds() const { return seconds_; }
    /// States the presentation time.
    void set_seconds(std::optional<double> seconds) { seconds_ = seconds; }

    /// Whether all samples are known to fit the bit depth, so that sessions need not look at them.
    [[nodiscard]] bool samples_checked() const { return samples_checked_; }
    /// States that no sample is above the largest of the bit depth. Scores of a frame for which that is wrong have no
    /// meaning.
    void set_samples_checked() { samples_checked_ = true; }

    /// Whether there is a picture.
    [[nodiscard]] explicit operator bool() const { return format_.width > 0; }

  private:
    struct Place {
        std::uint64_t address = 0;
        std::ptrdiff_t stride_bytes = 0;
        SampleLayout samples;
    };

    VideoFormat format_;
    std::array<Place, 3> places_{};
    DeviceHandle device_;
    std::shared_ptr<const void> owner_;
    std::optional<double> seconds_;
    ChromaEdge edge_ = ChromaEdge::absent;
    bool samples_checked_ = false;
};

/// Gives memory for a frame, whose address is a multiple of 64; null when there is none.
using FrameMemory = std::function<std::shared_ptr<std::byte>(std::size_t bytes)>;

/// The two frames that a score compares, of the same format.
struct FramePair {
    Frame reference = {}; ///< the undistorted one
    Frame distorted = {}; ///< the one that is scored
};

} // namespace isovmaf

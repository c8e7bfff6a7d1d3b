// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/align.hpp"
#include "device/picture.hpp"
#include "device/recorder.hpp"

namespace isovmaf {

/// The device memory that one frame's passes read and write.
struct GpuFrame {
    GpuPicture reference, distorted;
    /// Pictures before this frame: [0] is of frame n-1, [1] of n-2; empty before the start of the video.
    std::array<std::optional<GpuPicture>, 2> earlier_reference{}, earlier_distorted{};
    isovmaf_range table{};   ///< GpuExtractor::table
    isovmaf_range scratch{}; ///< GpuExtractor::scratch_bytes of unspecified content, shared with other features
    isovmaf_range words{};   ///< the extracted words, 64 bits each, all zero
};

/// An extraction as passes over device memory, written once for all backends. Its words are those of the Extractor of
/// the same plan, in the same places.
class GpuExtractor {
  public:
    virtual ~GpuExtractor() = default;

    /// Bytes of device memory that a frame's passes need besides the pictures.
    [[nodiscard]] virtual std::uint64_t scratch_bytes() const { return 0; }

    /// Whether kernels compute in f32 with the functions of portable/f32.h. Such an extractor runs only on a device
    /// whose Device::exact_f32 is true.
    [[nodiscard]] virtual bool needs_exact_f32() const { return false; }

    /// Constant data that lies in device memory for the whole session.
    [[nodiscard]] virtual std::span<const std::byte> table() const { return {}; }

    /// Records the passes of a frame. The commands depend on `frame` alone.
    virtual void record(Recorder &recorder, const GpuFrame &frame) const = 0;
};

/// Looks up every kernel that the extractor launches on frames of that format. Fails with `unsupported`, naming the
/// kernel, where the device's plugin does not have it.
[[nodiscard]] Result<void> find_kernels(const GpuExtractor &extractor, const Device &device, const VideoFormat &format);

/// Divides memory into parts that start at multiples of ISOVMAF_RANGE_ALIGNMENT, as arguments of kernels must.
class ScratchLayout {
  public:
    /// Offset of the next part.
    std::uint64_t add(std::uint64_t bytes) {
        const std::uint64_t offset = bytes_;
        bytes_ += align_up<std::uint64_t>(bytes, ISOVMAF_RANGE_ALIGNMENT);
        return offset;
    }

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  private:
    std::uint64_t bytes_ = 0;
};

/// Makes the constant data of an extractor, in parts that arguments of kernels may point to.
class ConstantTable {
  public:
    /// Returns the offset of the part.
    template <class T>
    std::uint64_t add(std::span<const T> part) {
        const std::uint64_t offset = layout_.add(part.size_bytes());
        bytes_.resize(layout_.bytes());
        std::ranges::copy(std::as_bytes(part), bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
        return offset;
    }

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

  private:
    ScratchLayout layout_;
    std::vector<std::byte> bytes_;
};

[[nodiscard]] inline isovmaf_range operator+(isovmaf_range range, std::uint64_t offset) {
    return {range.buffer, range.offset + offset};
}

/// Blocks of `size` that cover `count` elements.
[[nodiscard]] constexpr std::uint32_t groups_for(int count, int size) {
    return static_cast<std::uint32_t>((count + size - 1) / size);
}

} // namespace isovmaf

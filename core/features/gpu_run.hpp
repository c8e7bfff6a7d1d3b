// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <vector>

#include "device/device.hpp"
#include "features/feature.hpp"

namespace isovmaf {

/// Runs one feature's passes on a device, one frame at a time, to find faults. Before each run scratch memory is filled
/// with a pattern that is not zero, and the bytes between the rows of pictures with poison.
class GpuRun {
  public:
    /// `plan`, which has kernels, and `device` outlive the object.
    [[nodiscard]] static Result<GpuRun> create(const Device &device, const FeaturePlan &plan,
                                               const VideoFormat &format);

    /// The extracted words.
    [[nodiscard]] Result<std::vector<std::int64_t>> words(const PictureWindow &inputs) { return run(inputs, nullptr); }

    /// What the kernels with taps compute.
    struct Tapped {
        std::vector<std::int64_t> words;
        StageMemory stages;
        std::vector<std::byte> pictures; ///< reference and distorted as they lie on the device: see picture()
    };
    [[nodiscard]] Result<Tapped> tapped(const PictureWindow &inputs);

    /// One plane of `Tapped::pictures`.
    [[nodiscard]] Plane picture(const Tapped &tapped, bool distorted, int plane) const;
    [[nodiscard]] int plane_count() const { return layout_.plane_count(); }

  private:
    GpuRun(const Device &device, const FeaturePlan &plan, const VideoFormat &format);
    Result<void> upload_table();
    Result<std::vector<std::int64_t>> run(const PictureWindow &inputs, Tapped *tapped);
    [[nodiscard]] GpuPicture load(std::size_t place, const HostPicture &picture);
    Result<void> download(isovmaf_range from, std::span<std::byte> to);
    Result<void> submit(Recorder &recorder);

    const Device &device_;
    const FeaturePlan &plan_;
    PictureLayout layout_;
    std::uint64_t picture_bytes_;
    std::size_t pictures_count_; ///< of a frame, and those before it
    Buffer upload_, pictures_;   ///< one copy moves all pictures, as one copy moves a pair in a session
    Buffer table_;
    Queue queue_;
};

} // namespace isovmaf

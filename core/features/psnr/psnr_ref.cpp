// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of PSNR's sums: squared errors of each plane (features.md §5).
#include "features/psnr/psnr.hpp"

#include "features/psnr/psnr_math.h"

namespace isovmaf {

namespace {

/// `stage` is the plane's number.
template <class Sample>
std::int64_t squared_error(const Plane &reference, const Plane &distorted, Taps taps, int stage) {
    std::int64_t sse = 0; // at most 65535² in each of 2^30 samples
    for (int y = 0; y < reference.height; y++) {
        const Sample *const r = reference.row<Sample>(y), *const d = distorted.row<Sample>(y);
        for (int x = 0; x < reference.width; x++)
            sse += psnr_squared_error(r[x], d[x]);
        for (int x = 0; x < reference.width && taps.memory; x++)
            taps.put(stage, x, y, psnr_squared_error(r[x], d[x]));
    }
    return sse;
}

template <class Sample>
class PsnrReference final : public Extractor {
  public:
    explicit PsnrReference(int plane_count) : plane_count_(plane_count) {}

    void extract(const PictureWindow &frames, Workspace &, Words sums, Taps taps) const override {
        for (int p = 0; p < plane_count_; p++)
            sums[static_cast<std::size_t>(p)] =
                squared_error<Sample>(frames.reference->plane(p), frames.distorted->plane(p), taps, p);
    }

  private:
    int plane_count_;
};

} // namespace

std::unique_ptr<Extractor> make_psnr_reference(const VideoFormat &format, int plane_count) {
    if (format.bytes_per_sample() == 1)
        return std::make_unique<PsnrReference<std::uint8_t>>(plane_count);
    return std::make_unique<PsnrReference<std::uint16_t>>(plane_count);
}

} // namespace isovmaf

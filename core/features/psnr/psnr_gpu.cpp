// SPDX-License-Identifier: BSD-2-Clause-Patent
// The pass of PSNR: one launch for all planes.
#include "features/psnr/psnr.hpp"
#include "features/psnr/psnr_params.h"

namespace isovmaf {

namespace {

class PsnrGpu final : public GpuExtractor {
  public:
    PsnrGpu(const VideoFormat &format, int plane_count)
        : kernel_(format.bytes_per_sample() == 1 ? "psnr_error_8" : "psnr_error_16"),
          tile_width_(PSNR_TILE_CHUNKS * PSNR_CHUNK_BYTES / format.bytes_per_sample()), plane_count_(plane_count) {}

    void record(Recorder &recorder, const GpuFrame &frame) const override {
        PsnrParams params{};
        std::array<isovmaf_range, 3> reference, distorted;
        for (std::size_t p = 0; p < params_planes; p++) {
            // Blocks of a plane that is not compared do not exist; its pointers are luma's.
            const std::size_t from = p < static_cast<std::size_t>(plane_count_) ? p : 0;
            const GpuPlane &plane = frame.reference[from];
            params.planes[p] = {plane.width, plane.height, plane.stride_bytes};
            reference[p] = plane.samples;
            distorted[p] = frame.distorted[from].samples;
        }
        // Chroma is no larger than luma: blocks beyond its edges find nothing to sum up.
        recorder.dispatch(
            kernel_,
            {groups_for(params.planes[0].width, tile_width_), groups_for(params.planes[0].height, PSNR_TILE_HEIGHT),
             static_cast<std::uint32_t>(plane_count_)},
            {PSNR_THREADS, 1, 1},
            {reference[0], reference[1], reference[2], distorted[0], distorted[1], distorted[2], frame.words}, params);
    }

  private:
    static constexpr std::size_t params_planes = 3;

    std::string kernel_;
    int tile_width_;
    int plane_count_;
};

} // namespace

std::unique_ptr<GpuExtractor> make_psnr_gpu(const VideoFormat &format, int plane_count) {
    return std::make_unique<PsnrGpu>(format, plane_count);
}

} // namespace isovmaf

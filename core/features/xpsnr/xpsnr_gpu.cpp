// SPDX-License-Identifier: BSD-2-Clause-Patent
// The pass of XPSNR: one launch, a group of threads for each block.
#include <fmt/format.h>

#include "features/xpsnr/xpsnr.hpp"
#include "features/xpsnr/xpsnr_params.h"

namespace isovmaf {

namespace {

class XpsnrGpu final : public GpuExtractor {
  public:
    explicit XpsnrGpu(const XpsnrDemand &demand)
        : grid_(demand.grid), order_(demand.order),
          kernel_(fmt::format("xpsnr_block_{}{}", grid_.halved() ? "halved_" : "",
                              8 * grid_.format().bytes_per_sample())) {}

    void record(Recorder &recorder, const GpuFrame &frame) const override {
        XpsnrParams params = params_;
        std::array<isovmaf_range, 3> reference, distorted;
        for (std::size_t p = 0; p < reference.size(); p++) {
            // A plane that is not compared has luma's pointers, which are not used.
            const std::size_t from = p < static_cast<std::size_t>(grid_.plane_count()) ? p : 0;
            reference[p] = frame.reference[from].samples;
            distorted[p] = frame.distorted[from].samples;
            params.planes[p].reference_stride = frame.reference[from].stride_bytes;
            params.planes[p].distorted_stride = frame.distorted[from].stride_bytes;
        }
        // Before the video all samples are 0: a factor of 0 takes care of that, and nothing is read.
        const auto [back1, back2] = frame.earlier_reference;
        const bool second = order_ == XpsnrOrder::second;
        params.before_factor = !back1 ? 0 : second ? 2 : 1;
        params.before_that_factor = second && back2 ? -1 : 0;
        const auto luma_of = [&](const std::optional<GpuPicture> &picture) {
            return picture ? (*picture)[0].samples : reference[0];
        };
        recorder.dispatch(kernel_,
                          {static_cast<std::uint32_t>(grid_.columns()), static_cast<std::uint32_t>(grid_.rows()), 1},
                          {XPSNR_THREADS, 1, 1},
                          {reference[0], reference[1], reference[2], distorted[0], distorted[1], distorted[2],
                           luma_of(back1), luma_of(back2), frame.words},
                          params);
    }

  private:
    [[nodiscard]] XpsnrParams make_params() const {
        XpsnrParams params{};
        for (int p = 0; p < grid_.plane_count(); p++) {
            const XpsnrArea block = grid_.block(0, 0, p);
            XpsnrPlane &plane = params.planes[p];
            plane.width = grid_.plane_width(p);
            plane.height = grid_.plane_height(p);
            plane.block_width = block.width();
            plane.block_height = block.height();
        }
        params.plane_count = grid_.plane_count();
        params.columns = grid_.columns();
        params.words_per_block = grid_.words_per_block();
        params.forgotten = grid_.forgets_spatial(grid_.columns() - 1) ? grid_.columns() - 1 : -1;
        params.has_activities = grid_.has_weights() ? 1 : 0;
        return params;
    }

    XpsnrGrid grid_;
    XpsnrOrder order_;
    std::string kernel_;
    XpsnrParams params_ = make_params();
};

} // namespace

std::unique_ptr<GpuExtractor> make_xpsnr_gpu(const XpsnrDemand &demand) { return std::make_unique<XpsnrGpu>(demand); }

} // namespace isovmaf

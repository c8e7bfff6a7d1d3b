// SPDX-License-Identifier: BSD-2-Clause-Patent
// Passes of motion: one launch for each distance in use.
#include "features/motion/motion.hpp"
#include "features/motion/motion_params.h"

namespace isovmaf {

namespace {

class MotionGpu final : public GpuExtractor {
  public:
    MotionGpu(const VideoFormat &format, const MotionDemand &demand)
        : bit_depth_(format.bit_depth),
          kernel_(demand.blur == MotionBlur::difference ? "motion_sad" : "motion_legacy_sad"), demand_(demand) {
        kernel_ += format.bytes_per_sample() == 1 ? "_8" : "_16";
    }

    void record(Recorder &recorder, const GpuFrame &frame) const override {
        const auto [back1, back2] = frame.earlier_reference;
        const MotionDemandStages stages = motion_stages(demand_);
        if (demand_.one_back && back1)
            add_difference(recorder, frame, *back1, motion_word(demand_.blur, 1), stages.one_back);
        if (demand_.two_back && back2)
            add_difference(recorder, frame, *back2, motion_word(demand_.blur, 2), stages.two_back);
    }

  private:
    void add_difference(Recorder &recorder, const GpuFrame &frame, const GpuPicture &earlier, std::size_t sum,
                        const MotionStages &stages) const {
        const GpuPlane &luma = frame.reference[0];
        const MotionParams params{luma.width, luma.height,           luma.stride_bytes,
                                  bit_depth_, static_cast<int>(sum), stages.first};
        recorder.dispatch(kernel_,
                          {groups_for(luma.width, MOTION_TILE_WIDTH), groups_for(luma.height, MOTION_TILE_HEIGHT), 1},
                          {MOTION_THREADS, 1, 1}, {earlier[0].samples, luma.samples, frame.words}, params);
    }

    int bit_depth_;
    std::string kernel_;
    MotionDemand demand_;
};

} // namespace

std::unique_ptr<GpuExtractor> make_motion_gpu(const VideoFormat &format, const MotionDemand &demand) {
    return std::make_unique<MotionGpu>(format, demand);
}

} // namespace isovmaf

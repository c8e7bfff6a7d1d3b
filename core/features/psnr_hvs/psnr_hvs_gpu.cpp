// SPDX-License-Identifier: BSD-2-Clause-Patent
// Passes of PSNR-HVS: the errors of all planes, what groups of them add to sums, and the sums.
#include "features/psnr_hvs/psnr_hvs.hpp"
#include "features/psnr_hvs/psnr_hvs_params.h"
#include "portable/ordered_sum.h"

namespace isovmaf {

namespace {

static_assert(psnr_hvs_planes == PSNR_HVS_PLANES);
static_assert(sizeof(PsnrHvsTables) == PSNR_HVS_TABLE_BYTES);

class PsnrHvsGpu final : public GpuExtractor {
  public:
    explicit PsnrHvsGpu(const VideoFormat &format) : is_8_bit_(format.bytes_per_sample() == 1) {
        int groups = 0;
        for (int p = 0; p < PSNR_HVS_PLANES; p++) {
            const int columns = psnr_hvs_blocks(format.plane_width(p));
            const int blocks = columns * psnr_hvs_blocks(format.plane_height(p));
            const auto plane_groups = static_cast<int>(groups_for(blocks, PSNR_HVS_GROUP_BLOCKS));
            params_.planes[p] = {.columns = columns,
                                 .blocks = blocks,
                                 .first_group = groups,
                                 .groups = plane_groups,
                                 .reference_stride = 0,
                                 .distorted_stride = 0,
                                 .stage = PsnrHvsStages(p).reference};
            groups += plane_groups;
        }
        groups_ = static_cast<std::uint32_t>(groups);
        const PsnrHvsTables tables[] = {psnr_hvs_tables(0), psnr_hvs_tables(1), psnr_hvs_tables(2)};
        table_.add(std::span<const PsnrHvsTables>(tables));
        errors_ = layout_.add(std::uint64_t{groups_} * PSNR_HVS_GROUP_TERMS * sizeof(float));
        sums_ = layout_.add(groups_ * sizeof(float));
        lowest_binades_ = layout_.add(groups_ * sizeof(std::int32_t));
        steps_ = layout_.add(std::uint64_t{groups_} * PSNR_HVS_BINADES * sizeof(OrderedStep));
    }

    std::uint64_t scratch_bytes() const override { return layout_.bytes(); }
    bool needs_exact_f32() const override { return true; }
    std::span<const std::byte> table() const override { return table_.bytes(); }

    void record(Recorder &recorder, const GpuFrame &frame) const override {
        PsnrHvsParams params = params_;
        for (std::size_t p = 0; p < PSNR_HVS_PLANES; p++) {
            params.planes[p].reference_stride = frame.reference[p].stride_bytes;
            params.planes[p].distorted_stride = frame.distorted[p].stride_bytes;
        }
        const isovmaf_range errors = frame.scratch + errors_, sums = frame.scratch + sums_;
        const isovmaf_range lowest_binades = frame.scratch + lowest_binades_, steps = frame.scratch + steps_;
        recorder.dispatch(is_8_bit_ ? "psnr_hvs_errors_8" : "psnr_hvs_errors_16", {groups_, 1, 1},
                          {PSNR_HVS_ERRORS_THREADS, 1, 1},
                          {frame.reference[0].samples, frame.reference[1].samples, frame.reference[2].samples,
                           frame.distorted[0].samples, frame.distorted[1].samples, frame.distorted[2].samples,
                           frame.table, errors, sums},
                          params);
        recorder.dispatch("psnr_hvs_steps", {groups_, 1, 1}, {PSNR_HVS_SUM_THREADS, 1, 1},
                          {errors, sums, lowest_binades, steps}, params);
        recorder.dispatch("psnr_hvs_sum", {PSNR_HVS_PLANES, 1, 1}, {PSNR_HVS_SUM_THREADS, 1, 1},
                          {errors, sums, lowest_binades, steps, frame.words}, params);
    }

  private:
    bool is_8_bit_;
    PsnrHvsParams params_{}; ///< without strides
    std::uint32_t groups_ = 0;
    ConstantTable table_;
    ScratchLayout layout_;
    std::uint64_t errors_ = 0, sums_ = 0, lowest_binades_ = 0, steps_ = 0;
};

} // namespace

std::unique_ptr<GpuExtractor> make_psnr_hvs_gpu(const VideoFormat &format) {
    return std::make_unique<PsnrHvsGpu>(format);
}

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
// Passes of VIF: one launch for each scale, which reads the pictures that the one before it made.
#include "features/vif/vif.hpp"

#include <algorithm>
#include <cassert>

#include "features/vif/vif_params.h"

namespace isovmaf {

namespace {

/// Both luma pictures at one scale. Rows are `stride_bytes` apart.
struct Pictures {
    isovmaf_range reference{}, distorted{};
    int width = 0, height = 0, stride_bytes = 0;
};

/// A later scale's pictures, at these offsets of the scratch memory; 16-bit samples.
struct ScratchPictures {
    std::uint64_t reference, distorted;
    int width, height, stride_bytes;
};

class VifGpu final : public GpuExtractor {
  public:
    VifGpu(const VideoFormat &format, const VifDemand &demand)
        : bit_depth_(format.bit_depth), kernels_{format.bytes_per_sample() == 1 ? "vif_scale0_8" : "vif_scale0_16",
                                                 "vif_scale1", "vif_scale2", "vif_scale3"},
          matrix_kernels_{format.bytes_per_sample() == 1 ? "vif_matrix_8" : "vif_matrix_16", "vif_matrix_scale1",
                          "vif_matrix_scale2", "vif_matrix_scale3"},
          demand_(demand) {
        static_assert(sizeof(vif_log_table()) % ISOVMAF_RANGE_ALIGNMENT == 0, "kernels find the lines right behind it");
        table_.add(std::span<const std::uint16_t>(vif_log_table()));
        table_.add(std::span<const std::uint32_t>(vif_log_lines()));
        limits_ = table_.add(std::span<const double>(demand.gain_limits));
        int width = format.width, height = format.height;
        for (ScratchPictures &pictures : scratch_) {
            width /= 2;
            height /= 2;
            const int stride_bytes = width * static_cast<int>(sizeof(std::uint16_t));
            const std::uint64_t bytes = static_cast<std::uint64_t>(stride_bytes) * static_cast<std::uint64_t>(height);
            pictures = {layout_.add(bytes), layout_.add(bytes), width, height, stride_bytes};
        }
    }

    [[nodiscard]] std::uint64_t scratch_bytes() const override { return layout_.bytes(); }

    [[nodiscard]] std::span<const std::byte> table() const override { return table_.bytes(); }

    void record(Recorder &recorder, const GpuFrame &frame) const override {
        const GpuPlane &r = frame.reference[0], &d = frame.distorted[0];
        assert(r.stride_bytes == d.stride_bytes);
        Pictures pictures{r.samples, d.samples, r.width, r.height, r.stride_bytes};
        for (std::size_t scale = 0; scale < VIF_SCALE_COUNT; scale++) {
            const Pictures next = scale < scratch_.size() ? place(scratch_[scale], frame.scratch) : Pictures{};
            add_scale(recorder, frame, scale, pictures, next);
            pictures = next;
        }
    }

  private:
    static Pictures place(const ScratchPictures &pictures, isovmaf_range scratch) {
        return {scratch + pictures.reference, scratch + pictures.distorted, pictures.width, pictures.height,
                pictures.stride_bytes};
    }

    [[nodiscard]] VifParams params(std::size_t scale, const Pictures &pictures, const Pictures &next) const {
        const bool counted = demand_.counts(static_cast<int>(scale));
        const auto stages = vif_stages(demand_);
        const VifStages own = stages[scale], after = scale < scratch_.size() ? stages[scale + 1] : VifStages{};
        const auto sum = [&](std::size_t index) { return static_cast<int>(scale * demand_.sums_per_scale() + index); };
        return {.width = pictures.width,
                .height = pictures.height,
                .stride_bytes = pictures.stride_bytes,
                .next_stride_bytes = next.stride_bytes,
                .bit_depth = bit_depth_,
                .limit_count = counted ? static_cast<int>(demand_.gain_limits.size()) : 0,
                .den_log_sum = sum(VifDemand::den_log_sum),
                .num_non_sum = sum(VifDemand::num_non_sum),
                .den_non_sum = sum(VifDemand::den_non_sum),
                .num_log_sums = sum(VifDemand::num_log_sums),
                .next_reference_stage = after.reference,
                .next_distorted_stage = after.distorted,
                .reference_variance_stage = own.reference_variance,
                .distorted_variance_stage = own.distorted_variance,
                .covariance_stage = own.covariance,
                .den_log_stage = own.den_log,
                .num_log_stages = own.num_log};
    }

    void add_scale(Recorder &recorder, const GpuFrame &frame, std::size_t scale, const Pictures &pictures,
                   const Pictures &next) const {
        const bool on_matrix_device = recorder.has_kernel(matrix_kernels_[scale]);
        const bool matrices = on_matrix_device && scale == 0;
        const Extent3 groups{groups_for(pictures.width, VIF_TILE_WIDTH),
                             groups_for(pictures.height, matrices ? VIF_MATRIX_HEIGHT : VIF_TILE_HEIGHT), 1};
        const Extent3 threads{static_cast<std::uint32_t>(matrices ? VIF_MATRIX_THREADS : VIF_THREADS), 1, 1};
        const VifParams p = params(scale, pictures, next);
        // The last scale's kernel makes no pictures: it leaves what stands in their place alone.
        const Pictures &made = scale < scratch_.size() ? next : pictures;
        recorder.dispatch(on_matrix_device ? matrix_kernels_[scale] : kernels_[scale], groups, threads,
                          {pictures.reference, pictures.distorted, made.reference, made.distorted, frame.table,
                           frame.table + limits_, frame.words},
                          p);
    }

    int bit_depth_;
    std::array<std::string, VIF_SCALE_COUNT> kernels_;
    std::array<std::string, VIF_SCALE_COUNT> matrix_kernels_; ///< in their place where the device has them
    VifDemand demand_;
    ConstantTable table_;
    std::uint64_t limits_ = 0; ///< gain limits, in the table, which begins with logarithms
    ScratchLayout layout_;
    std::array<ScratchPictures, VIF_SCALE_COUNT - 1> scratch_{}; ///< scales 1, 2, 3
};

} // namespace

std::unique_ptr<GpuExtractor> make_vif_gpu(const VideoFormat &format, const VifDemand &demand) {
    return std::make_unique<VifGpu>(format, demand);
}

} // namespace isovmaf

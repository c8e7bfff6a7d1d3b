// SPDX-License-Identifier: BSD-2-Clause-Patent
// Passes of SSIM: pictures that are reduced, similarities, what groups of these add to sums, and the means.
#include "features/float_ssim/float_ssim_gpu.hpp"

#include <algorithm>
#include <cassert>

#include "portable/ordered_sum_f64.h"

namespace isovmaf {

namespace {

class FloatSsimGpu final : public GpuExtractor {
  public:
    FloatSsimGpu(const VideoFormat &format, int factor)
        : format_(format), factor_(factor),
          passes_(ssim_word_count, std::array{SsimSize{ssim_reduced_side(format.width, factor),
                                                       ssim_reduced_side(format.height, factor)}}) {}

    std::uint64_t scratch_bytes() const override { return passes_.scratch_bytes(); }
    bool needs_exact_f32() const override { return true; }

    void record(Recorder &recorder, const GpuFrame &frame) const override {
        passes_.record_reduction(recorder, frame, format_, factor_);
        passes_.record_comparison(recorder, frame);
    }

  private:
    VideoFormat format_;
    int factor_;
    SsimGpuPasses passes_;
};

} // namespace

SsimGpuPasses::SsimGpuPasses(int sums, std::span<const SsimSize> sizes)
    : scales_(static_cast<std::uint32_t>(sizes.size())) {
    params_.sums = sums;
    params_.c1 = f32_bits(SSIM_C1);
    params_.c2 = f32_bits(SSIM_C2);
    params_.c3 = f32_bits(SSIM_C3);
    std::int64_t terms = 0;
    int tiles = 0, groups = 0;
    for (std::size_t i = 0; i < SSIM_MOST_SCALES; i++) {
        SsimScale &scale = params_.scales[i];
        scale.first_tile = tiles;
        scale.first_group = groups;
        if (i >= sizes.size())
            continue;
        const auto [width, height] = sizes[i];
        pictures_[i] =
            layout_.add(2 * sizeof(float) * static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height));
        scale.pictures = static_cast<std::int64_t>((pictures_[i] - pictures_[0]) / sizeof(float));
        scale.terms = terms;
        scale.width = width;
        scale.height = height;
        scale.smooth_width = width - SSIM_TAP_COUNT + 1;
        scale.smooth_height = height - SSIM_TAP_COUNT + 1;
        scale.tiles_across = static_cast<int>(groups_for(scale.smooth_width, SSIM_TILE_WIDTH));
        scale.group_rows = std::max(SSIM_GROUP_TERMS / scale.smooth_width, 1);
        scale.groups = static_cast<int>(groups_for(scale.smooth_height, scale.group_rows));
        scale.stage = static_cast<int>(i) * ssim_stage_count;
        terms += std::int64_t{sums} * scale.smooth_width * scale.smooth_height;
        tiles += scale.tiles_across * static_cast<int>(groups_for(scale.smooth_height, SSIM_TILE_HEIGHT));
        groups += sums * scale.groups;
    }
    tiles_ = static_cast<std::uint32_t>(tiles);
    groups_ = static_cast<std::uint32_t>(groups);
    terms_ = layout_.add(static_cast<std::uint64_t>(terms) * sizeof(std::uint64_t));
    plain_sums_ = layout_.add(groups_ * sizeof(std::int64_t));
    binades_ = layout_.add(groups_ * sizeof(std::int32_t));
    steps_ = layout_.add(groups_ * sizeof(OrderedF64Step));
}

void SsimGpuPasses::record_reduction(Recorder &recorder, const GpuFrame &frame, const VideoFormat &format,
                                     int factor) const {
    const GpuPlane &reference = frame.reference[0], &distorted = frame.distorted[0];
    const int width = params_.scales[0].width, height = params_.scales[0].height;
    const SsimReduceParams params{.width = format.width,
                                  .height = format.height,
                                  .reduced_width = width,
                                  .reduced_height = height,
                                  .reference_stride = reference.stride_bytes,
                                  .distorted_stride = distorted.stride_bytes,
                                  .factor = factor,
                                  .tap = ssim_box_tap(factor) / ssim_divisor(format.bit_depth),
                                  .groups = static_cast<std::int32_t>(groups_)};
    assert(params.groups <= 2 * height * SSIM_REDUCE_THREADS);
    recorder.dispatch(format.bytes_per_sample() == 1 ? "float_ssim_reduce_8" : "float_ssim_reduce_16",
                      {groups_for(width, SSIM_REDUCE_THREADS), static_cast<std::uint32_t>(height), 2},
                      {SSIM_REDUCE_THREADS, 1, 1},
                      {reference.samples, distorted.samples, pictures(frame, 0), frame.scratch + plain_sums_}, params);
}

void SsimGpuPasses::record_comparison(Recorder &recorder, const GpuFrame &frame) const {
    const isovmaf_range terms = frame.scratch + terms_, plain_sums = frame.scratch + plain_sums_;
    const isovmaf_range binades = frame.scratch + binades_, steps = frame.scratch + steps_;
    recorder.dispatch("float_ssim_compare", {tiles_, 1, 1}, {SSIM_COMPARE_THREADS, 1, 1},
                      {pictures(frame, 0), terms, plain_sums}, params_);
    recorder.dispatch("float_ssim_steps", {groups_, 1, 1}, {SSIM_SUM_THREADS, 1, 1},
                      {terms, plain_sums, binades, steps}, params_);
    recorder.dispatch("float_ssim_sum", {scales_ * static_cast<std::uint32_t>(params_.sums), 1, 1},
                      {SSIM_SUM_THREADS, 1, 1}, {terms, binades, steps, frame.words}, params_);
}

std::unique_ptr<GpuExtractor> make_float_ssim_gpu(const VideoFormat &format, int factor) {
    return std::make_unique<FloatSsimGpu>(format, factor);
}

} // namespace isovmaf

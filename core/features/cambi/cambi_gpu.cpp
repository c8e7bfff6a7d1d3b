// SPDX-License-Identifier: BSD-2-Clause-Patent
// Passes of CAMBI. Of each picture: one that prepares it and finds its mask, and one that filters each scale, after the
// scale before it. Then for each of its counts one launch for the c-values of all scales, and for each sum of these one
// that writes the words.
#include <algorithm>
#include <iterator>
#include <string>

#include "features/cambi/cambi.hpp"
#include "features/cambi/cambi_params.h"

namespace isovmaf {

namespace {

/// Scales whose values follow each other: of a picture, and what its passes need.
struct CambiGpuPicture {
    std::array<CambiSize, CAMBI_SCALE_COUNT> sizes;
    std::array<int, CAMBI_SCALE_COUNT> first{}; ///< of a scale's pixels and c-values
    std::uint64_t positions = 0;                ///< in the table
    int columns = -1, rows = -1;                ///< in the positions, as in CambiPictureParams

    explicit CambiGpuPicture(const CambiPicture &picture) : sizes(cambi_scale_sizes(picture)) {
        for (std::size_t k = 1; k < sizes.size(); k++)
            first[k] = first[k - 1] + aligned_pixels(k - 1);
    }

    /// Of scale k, with room behind them: each scale's pixels start where a kernel's argument may point to.
    [[nodiscard]] int aligned_pixels(std::size_t k) const {
        return align_up(static_cast<int>(sizes[k].pixels()), ISOVMAF_RANGE_ALIGNMENT);
    }
    [[nodiscard]] std::size_t pixels() const {
        return static_cast<std::size_t>(first.back() + aligned_pixels(sizes.size() - 1));
    }
};

/// [value]: bit d - 1 for each step d that counts at that value.
std::vector<std::uint32_t> visible_steps(const CambiContrast &contrast) {
    std::vector<std::uint32_t> visible(CAMBI_LARGEST_SAMPLE + 1);
    for (int value = 0; value <= CAMBI_LARGEST_SAMPLE; value++)
        for (int d = 1; d <= contrast.steps; d++)
            if (contrast.is_visible(value, d))
                visible[static_cast<std::size_t>(value)] |= std::uint32_t{1} << (d - 1);
    return visible;
}

class CambiGpu final : public GpuExtractor {
  public:
    CambiGpu(const VideoFormat &format, const CambiDemand &demand)
        : format_(format), demand_(demand), stages_(cambi_stages(demand)) {
        std::size_t pixels = 0;
        reciprocals_ = table_.add(std::span<const float>(cambi_reciprocals()));
        for (const CambiPicture &picture : demand.pictures) {
            pictures_.emplace_back(picture);
            place_positions(picture, pictures_.back());
            pixels = std::max(pixels, pictures_.back().pixels());
        }
        for (const CambiCounts &counts : demand.counts)
            visible_.push_back(table_.add(std::span<const std::uint32_t>(visible_steps(counts.contrast))));
        const std::size_t totals = demand.counts.size() * CAMBI_SCALE_COUNT;
        unfiltered_ = layout_.add(pixels * sizeof(std::uint16_t));
        filtered_ = layout_.add(pixels * sizeof(std::uint16_t));
        values_ = layout_.add(pixels * sizeof(std::uint32_t));
        sums_ = layout_.add(totals * CAMBI_TOTAL_SUMS * sizeof(std::int64_t));
        lowest_ = layout_.add(totals * sizeof(std::uint32_t));
    }

    std::uint64_t scratch_bytes() const override { return layout_.bytes(); }
    bool needs_exact_f32() const override { return true; }
    std::span<const std::byte> table() const override { return table_.bytes(); }

    void record(Recorder &recorder, const GpuFrame &frame) const override {
        recorder.fill(frame.scratch + sums_, layout_.bytes() - sums_, 0);
        for (std::size_t p = 0; p < pictures_.size(); p++) {
            prepare(recorder, frame, p);
            for (std::size_t k = 0; k < CAMBI_SCALE_COUNT; k++)
                filter(recorder, frame, p, k);
            for (std::size_t c = 0; c < demand_.counts.size(); c++)
                if (demand_.counts[c].picture == p)
                    count(recorder, frame, c);
        }
    }

  private:
    void place_positions(const CambiPicture &picture, CambiGpuPicture &place) {
        if (picture.width == format_.width && picture.height == format_.height)
            return;
        std::vector<int> positions = cambi_scaled_positions(format_.width, picture.width);
        place.columns = 0;
        place.rows = picture.width;
        std::ranges::copy(cambi_scaled_positions(format_.height, picture.height), std::back_inserter(positions));
        place.positions = table_.add(std::span<const int>(positions));
    }

    [[nodiscard]] isovmaf_range pixels(const GpuFrame &frame, int first) const {
        return frame.scratch + (filtered_ + static_cast<std::uint64_t>(first) * sizeof(std::uint16_t));
    }

    void prepare(Recorder &recorder, const GpuFrame &frame, std::size_t p) const {
        const CambiPicture &picture = demand_.pictures[p];
        const CambiGpuPicture &place = pictures_[p];
        const GpuPlane &luma = (picture.is_source ? frame.reference : frame.distorted)[0];
        const CambiPictureParams params{
            .width = picture.width,
            .height = picture.height,
            .stride_bytes = luma.stride_bytes,
            .bit_depth = format_.bit_depth,
            .columns = place.columns,
            .rows = place.rows,
            .anti_dither = picture.anti_dither,
            .shift = picture.halved,
            .threshold = cambi_mask_threshold(static_cast<std::uint32_t>(picture.width >> 6) *
                                              static_cast<std::uint32_t>(picture.height >> 6)),
            .kept_stride = place.sizes[0].width,
            .stage = stages_.preprocessed(p),
        };
        recorder.dispatch(format_.bytes_per_sample() == 1 ? "cambi_picture_8" : "cambi_picture_16",
                          {groups_for(picture.width, CAMBI_PICTURE_TILE_WIDTH),
                           groups_for(picture.height, CAMBI_PICTURE_TILE_HEIGHT), 1},
                          {CAMBI_PICTURE_THREADS, 1, 1},
                          {luma.samples, frame.table + place.positions, frame.scratch + unfiltered_}, params);
    }

    void filter(Recorder &recorder, const GpuFrame &frame, std::size_t p, std::size_t k) const {
        const CambiGpuPicture &place = pictures_[p];
        const CambiSize &size = place.sizes[k];
        const CambiFilterParams params{
            .width = size.width,
            .height = size.height,
            .step = k == 0 ? 1 : 2,
            .in_stride = place.sizes[k == 0 ? 0 : k - 1].width,
            .out_stride = size.width,
            .stage = stages_.filtered(p, k),
        };
        recorder.dispatch(
            "cambi_filter",
            {groups_for(size.width, CAMBI_FILTER_TILE_WIDTH), groups_for(size.height, CAMBI_FILTER_TILE_HEIGHT), 1},
            {CAMBI_FILTER_THREADS, 1, 1},
            {k == 0 ? frame.scratch + unfiltered_ : pixels(frame, place.first[k - 1]), pixels(frame, place.first[k])},
            params);
    }

    void count(Recorder &recorder, const GpuFrame &frame, std::size_t c) const {
        const CambiContrast &contrast = demand_.counts[c].contrast;
        const CambiGpuPicture &place = pictures_[demand_.counts[c].picture];
        CambiCountsParams params{.task = {.radius = contrast.radius(),
                                          .steps = contrast.steps,
                                          .total = static_cast<int>(c * CAMBI_SCALE_COUNT),
                                          .stage = stages_.c_values(c, 0)},
                                 .scale = {}};
        std::uint32_t groups = 0;
        for (std::size_t k = 0; k < CAMBI_SCALE_COUNT; k++) {
            const CambiSize &size = place.sizes[k];
            const std::uint32_t columns = groups_for(size.width, CAMBI_COUNTS_WIDTH(contrast.radius()));
            params.scale[k] = {.width = size.width,
                               .height = size.height,
                               .first = place.first[k],
                               .first_group = static_cast<int>(groups),
                               .columns = static_cast<int>(columns)};
            groups += columns * groups_for(size.height, CAMBI_COUNTS_ROWS);
        }
        recorder.dispatch(contrast.steps <= CAMBI_FEW_STEPS ? "cambi_counts_40" : "cambi_counts_72", {groups, 1, 1},
                          {CAMBI_COUNTS_THREADS, 1, 1},
                          {frame.scratch + filtered_, frame.table + reciprocals_, frame.table + visible_[c],
                           frame.scratch + values_, frame.scratch + sums_, frame.scratch + lowest_},
                          params);
        for (std::size_t s = 0; s < demand_.sums.size(); s++)
            if (demand_.sums[s].counts == c)
                pool(recorder, frame, s);
    }

    void pool(Recorder &recorder, const GpuFrame &frame, std::size_t s) const {
        const auto &[counts, topk] = demand_.sums[s];
        const CambiGpuPicture &place = pictures_[demand_.counts[counts].picture];
        CambiPoolingParams params{.task = {.total = static_cast<int>(counts * CAMBI_SCALE_COUNT),
                                           .word = static_cast<int>(s * CAMBI_SCALE_COUNT),
                                           .flag_word = static_cast<int>(demand_.word_count())},
                                  .scale = {}};
        for (std::size_t k = 0; k < CAMBI_SCALE_COUNT; k++) {
            const std::size_t pixels = place.sizes[k].pixels();
            params.scale[k] = {.first_value = place.first[k],
                               .pixels = static_cast<int>(pixels),
                               .wanted = static_cast<int>(cambi_pooled_count(topk, pixels))};
        }
        recorder.dispatch("cambi_pooling", {CAMBI_SCALE_COUNT, 1, 1}, {CAMBI_POOLING_THREADS, 1, 1},
                          {frame.scratch + values_, frame.scratch + sums_, frame.scratch + lowest_, frame.words},
                          params);
    }

    VideoFormat format_;
    CambiDemand demand_;
    CambiStages stages_;
    std::vector<CambiGpuPicture> pictures_;
    ConstantTable table_;
    std::uint64_t reciprocals_ = 0;      ///< in the table
    std::vector<std::uint64_t> visible_; ///< in the table, of each of the counts
    ScratchLayout layout_;
    std::uint64_t unfiltered_ = 0; ///< scale 0 before it is filtered
    std::uint64_t filtered_ = 0, values_ = 0, sums_ = 0, lowest_ = 0;
};

} // namespace

std::unique_ptr<GpuExtractor> make_cambi_gpu(const VideoFormat &format, const CambiDemand &demand) {
    return std::make_unique<CambiGpu>(format, demand);
}

} // namespace isovmaf

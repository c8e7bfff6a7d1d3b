// SPDX-License-Identifier: BSD-2-Clause-Patent
// Passes of adm: one launch for the wavelet of each scale; then, for every masking, one that adds up pieces of the rows
// of all scales and one that puts rows together and rounds them.
#include <algorithm>
#include <cmath>
#include <string>

#include "features/adm/adm_gpu_math.h"
#include "features/adm/adm_stages.hpp"

namespace isovmaf {

namespace {

constexpr int align_down(int n, int to) { return n / to * to; }
constexpr std::uint64_t product(int a, int b) { return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b); }

constexpr AdmRectangle rectangle(const AdmRegion &r) { return {r.left, r.top, r.right, r.bottom}; }

/// Bands of whole runs.
constexpr AdmDetails details_of(const AdmScale &s) {
    AdmDetails details{};
    details.seen = rectangle(adm_seen(s));
    details.column = align_down(details.seen.left, ADM_WAVELET_RUN);
    details.stride = align_up(details.seen.right, ADM_WAVELET_RUN) - details.column;
    details.band = details.stride * (details.seen.bottom - details.seen.top);
    return details;
}

/// Where the passes keep the results that later passes read.
struct AdmScratch {
    struct Scale {
        std::uint64_t approximations = 0; ///< offset in bytes; the reference's, then the distorted picture's
        int approximation_stride = 0;     ///< in samples; 0 when there are none
        int approximation = 0;            ///< samples from one picture's to the other's
        AdmDetails details{};             ///< nothing at all when no sum depends on them
        int details_offset = 0;           ///< in samples, after `details_0` or `details`
        AdmRowSums row_sums{};
    };

    std::array<Scale, ADM_SCALE_COUNT> scale;
    std::uint64_t details_0 = 0, details = 0; ///< offsets in bytes, of scale 0 and of the others
    std::uint64_t row_sums = 0;
    std::uint64_t bytes = 0;
};

constexpr int sample_bytes(int scale) { return scale == 0 ? 2 : 4; }

int place_row_sums(const AdmScale &s, int start, AdmRowSums &sums) {
    sums.start = start;
    sums.columns = static_cast<int>(groups_for(s.core.right - adm_masking_left(s), ADM_MASKING_TILE_WIDTH));
    sums.rows = s.core.height();
    sums.shift = s.row_shift;
    sums.reference_shift = s.reference_row_shift;
    sums.top = s.core.top;
    return start + ADM_PART_COUNT * ADM_BAND_COUNT * sums.columns * sums.rows;
}

AdmScratch adm_scratch(const AdmGeometry &geometry, bool scale0) {
    AdmScratch scratch;
    ScratchLayout layout;
    int details_0 = 0, details = 0, row_sums = 0;
    for (int i = 0; i < ADM_SCALE_COUNT; i++) {
        const AdmScale &s = geometry[static_cast<std::size_t>(i)];
        AdmScratch::Scale &place = scratch.scale[static_cast<std::size_t>(i)];
        if (i < ADM_SCALE_COUNT - 1) {
            place.approximation_stride = align_up(s.width, ADM_WAVELET_RUN);
            place.approximation =
                align_up(place.approximation_stride * s.height, ISOVMAF_RANGE_ALIGNMENT / sample_bytes(i));
            place.approximations = layout.add(2 * product(place.approximation, sample_bytes(i)));
        }
        if (i > 0 || scale0) {
            int &end = i == 0 ? details_0 : details;
            place.details = details_of(s);
            place.details_offset = end;
            end += align_up(2 * ADM_BAND_COUNT * place.details.band, ISOVMAF_RANGE_ALIGNMENT / sample_bytes(i));
        }
        row_sums = place_row_sums(s, row_sums, place.row_sums);
    }
    scratch.details_0 = layout.add(product(details_0, sample_bytes(0)));
    scratch.details = layout.add(product(details, sample_bytes(1)));
    scratch.row_sums = layout.add(product(row_sums, sizeof(std::int64_t)));
    scratch.bytes = layout.bytes();
    return scratch;
}

class AdmGpu final : public GpuExtractor {
  public:
    AdmGpu(const VideoFormat &format, AdmDemand demand)
        : bit_depth_(format.bit_depth), geometry_(adm_geometry(format)), demand_(std::move(demand)),
          scratch_(adm_scratch(geometry_, demand_.scale0())), stages_(adm_stages(demand_)) {}

    std::uint64_t scratch_bytes() const override { return scratch_.bytes; }

    void record(Recorder &recorder, const GpuFrame &frame) const override {
        for (int scale = 0; scale < ADM_SCALE_COUNT; scale++)
            add_wavelet(recorder, frame, scale);
        // The denominator comes with the first masking of all scales that are wanted.
        const auto full = std::ranges::find(demand_.maskings, demand_.scale0(), &AdmMasking::scale0);
        for (std::size_t m = 0; m < demand_.maskings.size(); m++) {
            const AdmMasking &masking = demand_.maskings[m];
            const bool reference = &masking == &*full;
            add_masking(recorder, frame, m, reference);
            add_rounding(recorder, frame, m, reference);
        }
    }

  private:
    const AdmScale &geometry(int scale) const { return geometry_[static_cast<std::size_t>(scale)]; }
    const AdmScratch::Scale &place(int scale) const { return scratch_.scale[static_cast<std::size_t>(scale)]; }

    const AdmScaleStages &stages(int scale) const { return stages_.scale[static_cast<std::size_t>(scale)]; }

    /// The approximation band of a scale of one picture.
    isovmaf_range approximation(const GpuFrame &frame, int scale, int picture) const {
        return frame.scratch +
               (place(scale).approximations + product(picture * place(scale).approximation, sample_bytes(scale)));
    }

    void add_wavelet(Recorder &recorder, const GpuFrame &frame, int scale) const {
        const AdmScale &s = geometry(scale);
        AdmWaveletParams params{};
        isovmaf_range reference, distorted;
        std::string kernel = "adm_wavelet_" + std::to_string(scale);
        if (scale == 0) {
            const GpuPlane &luma = frame.reference[0];
            reference = luma.samples;
            distorted = frame.distorted[0].samples;
            params.width = luma.width;
            params.height = luma.height;
            params.stride_bytes = luma.stride_bytes;
            kernel += bit_depth_ == 8 ? "_8" : "_16";
        } else {
            reference = approximation(frame, scale - 1, 0);
            distorted = approximation(frame, scale - 1, 1);
            params.width = geometry(scale - 1).width;
            params.height = geometry(scale - 1).height;
            params.stride_bytes = place(scale - 1).approximation_stride * sample_bytes(scale - 1);
        }
        params.bit_depth = bit_depth_;
        params.approximation_stride = place(scale).approximation_stride;
        params.approximation = place(scale).approximation;
        params.details = place(scale).details;
        params.approximation_stage = stages(scale).approximation;
        params.detail_stage = stages(scale).detail;
        const std::uint64_t details =
            scale == 0 ? scratch_.details_0
                       : scratch_.details + product(place(scale).details_offset, sample_bytes(scale));
        recorder.dispatch(
            kernel, {groups_for(s.width, ADM_WAVELET_TILE_WIDTH), groups_for(s.height, ADM_WAVELET_TILE_HEIGHT), 2},
            {ADM_WAVELET_THREADS, 1, 1},
            {reference, distorted, frame.scratch + place(scale).approximations, frame.scratch + details}, params);
    }

    void add_masking(Recorder &recorder, const GpuFrame &frame, std::size_t m, bool reference) const {
        const AdmMasking &masking = demand_.maskings[m];
        AdmMaskingParams params{};
        params.gain_limit = demand_.gain_limits[masking.gain];
        params.parts = 1u << ADM_PART_RESTORED | (masking.aim ? 1u << ADM_PART_ADDED : 0) |
                       (reference ? 1u << ADM_PART_REFERENCE : 0);
        params.share_rounding = demand_.share_rounding;
        std::uint32_t groups = 0;
        for (int i = 0; i < ADM_SCALE_COUNT; i++) {
            AdmMaskingScale &scale = params.scale[i];
            scale = masking_scale(i, m);
            scale.first_group = static_cast<int>(groups);
            if (i > 0 || masking.scale0)
                groups += static_cast<std::uint32_t>(scale.columns) *
                          groups_for(geometry(i).core.height(), ADM_MASKING_TILE_HEIGHT);
        }
        const bool whole = params.gain_limit == std::floor(params.gain_limit);
        params.whole_limit = whole ? static_cast<int>(params.gain_limit) : 0;
        recorder.dispatch(
            whole ? "adm_masking_whole" : "adm_masking", {groups, 1, 1}, {ADM_MASKING_THREADS, 1, 1},
            {frame.scratch + scratch_.details_0, frame.scratch + scratch_.details, frame.scratch + scratch_.row_sums},
            params);
    }

    AdmMaskingScale masking_scale(int i, std::size_t m) const {
        const AdmScale &s = geometry(i);
        AdmMaskingScale scale{};
        scale.width = s.width;
        scale.height = s.height;
        scale.core = rectangle(s.core);
        scale.details = place(i).details;
        scale.offset = place(i).details_offset;
        scale.left = adm_masking_left(s);
        scale.columns = place(i).row_sums.columns;
        scale.row_sums = place(i).row_sums.start;
        for (int band = 0; band < ADM_BAND_COUNT; band++) {
            scale.cube_shift[band] = s.cube_shift[static_cast<std::size_t>(band)];
            scale.cube_half[band] = adm_half(scale.cube_shift[band]);
            scale.csf[band] = demand_.maskings[m].csf.of(i, band);
        }
        scale.reference_cube_shift = s.reference_cube_shift;
        scale.reference_stages = stages(i).reference;
        scale.stages = stages(i).maskings[m];
        return scale;
    }

    void add_rounding(Recorder &recorder, const GpuFrame &frame, std::size_t m, bool reference) const {
        const AdmMasking &masking = demand_.maskings[m];
        AdmRoundingParams params{};
        params.sums[ADM_PART_RESTORED] = static_cast<int>(AdmSums::restored(m));
        params.sums[ADM_PART_ADDED] = masking.aim ? static_cast<int>(AdmSums::added(m)) : -1;
        params.sums[ADM_PART_REFERENCE] = reference ? static_cast<int>(AdmSums::denominator) : -1;
        for (int i = 0; i < ADM_SCALE_COUNT; i++) {
            params.scale[i] = place(i).row_sums;
            params.scale[i].reference_stages = stages(i).reference;
            params.scale[i].stages = stages(i).maskings[m];
            if (i == 0 && !masking.scale0)
                params.scale[i].rows = 0;
        }
        const int rows = params.scale[masking.scale0 ? 0 : 1].rows;
        recorder.dispatch("adm_rounding",
                          {groups_for(rows, ADM_ROUNDING_THREADS), ADM_PART_COUNT * ADM_BAND_COUNT, ADM_SCALE_COUNT},
                          {ADM_ROUNDING_THREADS, 1, 1}, {frame.scratch + scratch_.row_sums, frame.words}, params);
    }

    int bit_depth_;
    AdmGeometry geometry_;
    AdmDemand demand_;
    AdmScratch scratch_;
    AdmStages stages_;
};

} // namespace

std::unique_ptr<GpuExtractor> make_adm_gpu(const VideoFormat &format, AdmDemand demand) {
    return std::make_unique<AdmGpu>(format, std::move(demand));
}

} // namespace isovmaf

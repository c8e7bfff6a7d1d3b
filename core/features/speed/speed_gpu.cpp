// SPDX-License-Identifier: BSD-2-Clause-Patent
// Passes of SpEED. Analyses that are prepared in one way are done side by side, in five launches: samples that are
// kept, without their local mean; means and covariances; eigenvalues beside factors; variances.
#include <algorithm>

#include "features/speed/speed.hpp"
#include "features/speed/speed_params.h"
#include "features/speed/speed_resample.hpp"
#include "features/speed/speed_taps.hpp"

namespace isovmaf {

namespace {

/// What an analysis reads, as places in the list that planes_of makes.
struct SpeedPlanes {
    int samples, subtracted; ///< subtracted is -1 for none
};

SpeedPlanes planes_read(SpeedSource source) {
    switch (source) {
    case SpeedSource::reference_cb:
        return {0, -1};
    case SpeedSource::distorted_cb:
        return {1, -1};
    case SpeedSource::reference_cr:
        return {2, -1};
    case SpeedSource::distorted_cr:
        return {3, -1};
    case SpeedSource::reference_change:
        return {0, 1};
    case SpeedSource::distorted_change:
        return {2, 3};
    case SpeedSource::distorted_against_reference:
        return {2, 1};
    }
    return {};
}

/// Analyses that are prepared in one way, and where constants of theirs stand in the table.
struct SpeedGroup {
    SpeedGeometry sizes;
    SpeedMethod method = SpeedMethod::nearest;
    std::vector<std::size_t> analyses = {};
    int low_pass_taps = 0, local_mean_taps = 0;
    std::uint64_t low_pass = 0, local_mean = 0;
    int down_taps = 0, across_taps = 0; ///< 0 unless the picture is resized
    std::uint64_t places = 0, weights = 0;

    [[nodiscard]] int kept_count() const { return sizes.kept_width * sizes.kept_height; }
    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(analyses.size()); }
};

class SpeedGpu final : public GpuExtractor {
  public:
    explicit SpeedGpu(const SpeedDemand &demand) : demand_(demand), words_(demand.words()) {
        std::vector<SpeedPreparation> preparations;
        for (std::size_t i = 0; i < demand.analyses.size(); i++) {
            const SpeedPreparation &preparation = demand.analyses[i].preparation;
            const auto found = std::ranges::find(preparations, preparation);
            const auto place = static_cast<std::size_t>(found - preparations.begin());
            if (found == preparations.end()) {
                preparations.push_back(preparation);
                add_group(preparation, demand.geometry(i));
            }
            groups_[place].analyses.push_back(i);
        }
        ScratchLayout layout;
        const auto floats = [&](int count) { return layout.add(static_cast<std::uint64_t>(count) * sizeof(float)); };
        kept_ = floats(SPEED_MOST_ANALYSES * sample_stride());
        local_ = floats(SPEED_MOST_ANALYSES * sample_stride());
        matrices_ = floats(SPEED_MOST_ANALYSES * SPEED_MATRICES);
        scratch_bytes_ = layout.bytes();
    }

    std::uint64_t scratch_bytes() const override { return scratch_bytes_; }
    bool needs_exact_f32() const override { return true; }
    std::span<const std::byte> table() const override { return table_.bytes(); }

    void record(Recorder &recorder, const GpuFrame &frame) const override {
        std::array<GpuPlane, SPEED_MOST_PLANES> planes{frame.reference[1], frame.distorted[1], frame.reference[2],
                                                       frame.distorted[2]};
        if (demand_.analyses.front().source >= SpeedSource::reference_change) {
            const auto &earlier_reference = frame.earlier_reference[0], &earlier_distorted = frame.earlier_distorted[0];
            if (!earlier_reference || !earlier_distorted)
                return; // the first frame: its words are 0
            planes = {(*earlier_reference)[0], frame.reference[0], (*earlier_distorted)[0], frame.distorted[0]};
        }
        for (const SpeedGroup &group : groups_) {
            keep(recorder, frame, group, planes);
            take_local_mean(recorder, frame, group);
            find_covariances(recorder, frame, group);
            decompose(recorder, frame, group);
            find_variances(recorder, frame, group);
        }
    }

  private:
    void add_group(const SpeedPreparation &preparation, const SpeedGeometry &sizes) {
        const SpeedTaps taps = speed_taps(preparation.kernelscale);
        SpeedGroup group{.sizes = sizes, .method = preparation.method};
        group.low_pass_taps = static_cast<int>(taps.low_pass.size());
        group.local_mean_taps = static_cast<int>(taps.local_mean.size());
        group.low_pass = table_.add(std::span<const float>(taps.low_pass));
        group.local_mean = table_.add(std::span<const float>(taps.local_mean));
        if (sizes.resampled) {
            SpeedAxis axes = speed_axis(preparation.method, sizes.height, sizes.scaled_height);
            const SpeedAxis across = speed_axis(preparation.method, sizes.width, sizes.scaled_width);
            group.down_taps = axes.taps;
            group.across_taps = across.taps;
            axes.index.insert(axes.index.end(), across.index.begin(), across.index.end());
            axes.weight.insert(axes.weight.end(), across.weight.begin(), across.weight.end());
            group.places = table_.add(std::span<const std::int32_t>(axes.index));
            group.weights = table_.add(std::span<const float>(axes.weight));
        }
        groups_.push_back(std::move(group));
    }

    /// Samples of the analysis that keeps most of them.
    [[nodiscard]] int sample_stride() const {
        return std::ranges::max(groups_, {}, &SpeedGroup::kept_count).kept_count();
    }

    /// stage(stages) of each analysis of the group.
    template <class Stage>
    void set_stages(const SpeedGroup &group, std::int32_t (&stages)[SPEED_MOST_ANALYSES], const Stage &stage) const {
        for (std::size_t i = 0; i < group.analyses.size(); i++)
            stages[i] = (demand_.stages(group.analyses[i]).*stage)();
    }

    void keep(Recorder &recorder, const GpuFrame &frame, const SpeedGroup &group,
              const std::array<GpuPlane, SPEED_MOST_PLANES> &planes) const {
        const SpeedGeometry &sizes = group.sizes;
        const int samples = SPEED_KEEP_THREADS / group.low_pass_taps;
        SpeedKeepParams params{.sizes = {.width = sizes.scaled_width,
                                         .height = sizes.scaled_height,
                                         .kept_width = sizes.kept_width,
                                         .kept_count = group.kept_count(),
                                         .taps = group.low_pass_taps,
                                         .samples = samples,
                                         .bit_depth = demand_.format.bit_depth,
                                         .stride = sample_stride()},
                               .resize = {.method = !sizes.resampled                        ? SPEED_NOT_RESIZED
                                                    : group.method == SpeedMethod::lanczos4 ? SPEED_RESIZED_AND_DIVIDED
                                                                                            : SPEED_RESIZED,
                                          .down_taps = group.down_taps,
                                          .across_taps = group.across_taps,
                                          .across = sizes.scaled_height * group.down_taps},
                               .sources = {}};
        for (std::size_t i = 0; i < group.analyses.size(); i++) {
            const auto [plane, subtracted] = planes_read(demand_.analyses[group.analyses[i]].source);
            params.sources[i] = {.plane = plane,
                                 .stride_bytes = planes[static_cast<std::size_t>(plane)].stride_bytes,
                                 .subtracted = subtracted,
                                 .subtracted_stride_bytes =
                                     subtracted < 0 ? -1 : planes[static_cast<std::size_t>(subtracted)].stride_bytes,
                                 .stage = demand_.stages(group.analyses[i]).kept()};
        }
        recorder.dispatch(demand_.format.bytes_per_sample() == 1 ? "speed_keep_8" : "speed_keep_16",
                          {groups_for(group.kept_count(), samples), 1, group.count()}, {SPEED_KEEP_THREADS, 1, 1},
                          {planes[0].samples, planes[1].samples, planes[2].samples, planes[3].samples,
                           frame.table + group.low_pass, frame.table + group.places, frame.table + group.weights,
                           frame.scratch + kept_},
                          params);
    }

    void take_local_mean(Recorder &recorder, const GpuFrame &frame, const SpeedGroup &group) const {
        SpeedLocalParams params{.width = group.sizes.kept_width,
                                .height = group.sizes.kept_height,
                                .taps = group.local_mean_taps,
                                .stride = sample_stride(),
                                .stage = {}};
        set_stages(group, params.stage, &SpeedStages::local);
        recorder.dispatch("speed_local", {groups_for(group.kept_count(), SPEED_LOCAL_THREADS), 1, group.count()},
                          {SPEED_LOCAL_THREADS, 1, 1},
                          {frame.scratch + kept_, frame.table + group.local_mean, frame.scratch + local_}, params);
    }

    void find_covariances(Recorder &recorder, const GpuFrame &frame, const SpeedGroup &group) const {
        const SpeedGeometry &sizes = group.sizes;
        SpeedCovariancesParams params{.width = sizes.kept_width,
                                      .places_across = sizes.places_across(),
                                      .places = sizes.places_across() * sizes.places_down(),
                                      .stride = sample_stride(),
                                      .matrix_stride = SPEED_MATRICES,
                                      .means = {},
                                      .covariances = {}};
        set_stages(group, params.means, &SpeedStages::means);
        set_stages(group, params.covariances, &SpeedStages::covariances);
        recorder.dispatch("speed_covariances", {groups_for(SPEED_PAIRS, SPEED_COVARIANCES_PAIRS), 1, group.count()},
                          {SPEED_COVARIANCES_THREADS, 1, 1}, {frame.scratch + local_, frame.scratch + matrices_},
                          params);
    }

    void decompose(Recorder &recorder, const GpuFrame &frame, const SpeedGroup &group) const {
        SpeedMatricesParams params{.stride = SPEED_MATRICES, .stage = {}};
        set_stages(group, params.stage, &SpeedStages::eigenvalues);
        recorder.dispatch("speed_matrices", {SPEED_MATRICES_BLOCKS, 1, group.count()}, {SPEED_MATRICES_THREADS, 1, 1},
                          {frame.scratch + matrices_}, params);
    }

    void find_variances(Recorder &recorder, const GpuFrame &frame, const SpeedGroup &group) const {
        SpeedVariancesParams params{.width = group.sizes.kept_width,
                                    .blocks_across = group.sizes.blocks_across,
                                    .blocks = group.sizes.block_count(),
                                    .stride = sample_stride(),
                                    .matrix_stride = SPEED_MATRICES,
                                    .eigenvalue_word = {},
                                    .stage = {}};
        for (std::size_t i = 0; i < group.analyses.size(); i++)
            params.eigenvalue_word[i] = static_cast<std::int32_t>(words_[group.analyses[i]].eigenvalues);
        set_stages(group, params.stage, &SpeedStages::variances);
        recorder.dispatch(
            "speed_variances", {groups_for(group.sizes.block_count(), SPEED_VARIANCES_SYSTEMS), 1, group.count()},
            {SPEED_VARIANCES_THREADS, 1, 1}, {frame.scratch + local_, frame.scratch + matrices_, frame.words}, params);
    }

    SpeedDemand demand_;
    std::vector<SpeedWords> words_;
    std::vector<SpeedGroup> groups_;
    ConstantTable table_;
    std::uint64_t kept_ = 0, local_ = 0, matrices_ = 0, scratch_bytes_ = 0;
};

} // namespace

std::unique_ptr<GpuExtractor> make_speed_gpu(const SpeedDemand &demand) { return std::make_unique<SpeedGpu>(demand); }

} // namespace isovmaf

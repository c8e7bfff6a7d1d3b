// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of VIF: bands of rows for vif_vectors.cpp.
#include <algorithm>

#include "features/vif/vif.hpp"
#include "features/vif/vif_functions.hpp"

namespace isovmaf {

ISOVMAF_LEVEL_TABLE(VifFunctions, vif_functions);

namespace {

constexpr int radii[VIF_SCALE_COUNT] = {std::size(vif_taps_0) / 2, std::size(vif_taps_1) / 2, std::size(vif_taps_2) / 2,
                                        std::size(vif_taps_3) / 2};

/// Rows [begin, end) of a picture.
struct RowRange {
    int begin = 0, end = 0;

    [[nodiscard]] bool empty() const { return begin >= end; }
};

/// The rows of `height` that a filter reaches from the first to the last of some rows.
RowRange reached(int first, int last, int radius, int height) {
    return {std::max(first - radius, 0), std::min(last + radius + 1, height)};
}

RowRange both(RowRange a, RowRange b) {
    return a.empty() ? b : b.empty() ? a : RowRange{std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

/// What a band does at each scale.
struct BandRows {
    RowRange counted[VIF_SCALE_COUNT];
    RowRange made[VIF_SCALE_COUNT]; ///< rows of the decimated picture that its filters and later scales reach

    BandRows(Band band, int height) {
        for (int s = VIF_LAST_SCALE; s >= 0; s--) {
            const int rows = height >> s;
            counted[s] = {band.begin(rows), band.end(rows)};
            if (!counted[s].empty())
                made[s] = reached(counted[s].begin, counted[s].end - 1, radii[s], rows);
            if (s < VIF_LAST_SCALE && !made[s + 1].empty())
                made[s] = both(made[s], reached(2 * made[s + 1].begin, 2 * (made[s + 1].end - 1), radii[s + 1], rows));
        }
    }
};

/// The pictures of one scale, as far as a band needs them.
struct ScalePictures {
    VifRows reference, distorted;
};

VifRows view(const Plane &plane) {
    return {plane.data, plane.stride_bytes, 0, plane.height, plane.width, plane.height};
}

VifTap tap_of(Taps taps, int stage) {
    return {taps.at(stage, 0, 0), taps.memory[ISOVMAF_TAPS_WORDS_PER_STAGE * stage + 1]};
}

class VifPath final : public BandedExtractor {
  public:
    VifPath(const VideoFormat &format, const VifDemand &demand, CpuLevel level, const VifFunctions &functions)
        : BandedExtractor(level), format_(format), demand_(demand), functions_(functions) {}

    void extract_band(const PictureWindow &frames, Band band, Workspace &workspace, Words sums,
                      Taps taps) const override {
        std::ranges::fill(sums, 0);
        const BandRows rows(band, format_.height);
        const std::size_t bytes = functions_.memory_bytes(format_.width, static_cast<int>(demand_.gain_limits.size()));
        std::byte *const memory = workspace.take<std::byte>(bytes).data();
        ScalePictures pictures{view(frames.reference->plane(0)), view(frames.distorted->plane(0))};
        for (int s = 0; s < VIF_SCALE_COUNT; s++) {
            VifTask task{.reference = pictures.reference,
                         .distorted = pictures.distorted,
                         .bit_depth = format_.bit_depth,
                         .memory = memory,
                         .begin = demand_.counts(s) ? rows.counted[s].begin : 0,
                         .end = demand_.counts(s) ? rows.counted[s].end : 0,
                         .gain_limits = demand_.gain_limits.data(),
                         .limit_count = static_cast<int>(demand_.gain_limits.size())};
            if (s < VIF_LAST_SCALE)
                pictures = take_pictures(s + 1, rows.made[s + 1], task, workspace);
            run(s, task, workspace, sums, taps);
            if (s < VIF_LAST_SCALE && taps.memory)
                put_pictures(s + 1, pictures, rows.counted[s + 1], taps);
        }
    }

  private:
    /// Memory for rows of scale s, which the task gets.
    [[nodiscard]] ScalePictures take_pictures(int s, RowRange rows, VifTask &task, Workspace &workspace) const {
        const int width = format_.width >> s, height = format_.height >> s;
        task.next_begin = rows.begin;
        task.next_end = rows.end;
        task.next_stride = vif_next_stride(width);
        const auto take = [&] {
            const std::ptrdiff_t size = task.next_stride * std::max(rows.end - rows.begin, 0);
            return workspace.take<std::uint16_t>(static_cast<std::size_t>(size)).data();
        };
        task.next_reference = take();
        task.next_distorted = take();
        const auto view = [&](const std::uint16_t *samples) {
            return VifRows{reinterpret_cast<const std::byte *>(samples),
                           task.next_stride * 2,
                           rows.begin,
                           rows.end,
                           width,
                           height};
        };
        return {view(task.next_reference), view(task.next_distorted)};
    }

    void put_pictures(int s, const ScalePictures &pictures, RowRange rows, Taps taps) const {
        const auto put = [&](int stage, const VifRows &picture) {
            for (int y = rows.begin; y < rows.end; y++)
                for (int x = 0; x < picture.width; x++)
                    taps.put(stage, x, y,
                             reinterpret_cast<const std::uint16_t *>(picture.samples +
                                                                     (y - picture.top) * picture.stride_bytes)[x]);
        };
        const VifStages &stages = stages_[static_cast<std::size_t>(s)];
        put(stages.reference, pictures.reference);
        put(stages.distorted, pictures.distorted);
    }

    /// Runs a scale's task; its stages and sums are those of scale s.
    void run(int s, VifTask &task, Workspace &workspace, Words sums, Taps taps) const {
        const VifStages &stages = stages_[static_cast<std::size_t>(s)];
        const Words block = sums.subspan(static_cast<std::size_t>(s) * demand_.sums_per_scale());
        const std::span<VifTap> num_log = workspace.take<VifTap>(demand_.gain_limits.size());
        VifTaps planes{};
        if (taps.memory && task.begin < task.end) {
            planes = {tap_of(taps, stages.reference_variance), tap_of(taps, stages.distorted_variance),
                      tap_of(taps, stages.covariance), tap_of(taps, stages.den_log), num_log.data()};
            for (std::size_t i = 0; i < num_log.size(); i++)
                num_log[i] = tap_of(taps, stages.num_log + static_cast<int>(i));
            task.taps = &planes;
        }
        VifSums scale{0, 0, 0, &block[VifDemand::num_log_sums]};
        functions_.run[format_.bytes_per_sample() - 1][s](task, scale);
        block[VifDemand::den_log_sum] = scale.den_log;
        block[VifDemand::num_non_sum] = scale.num_non;
        block[VifDemand::den_non_sum] = scale.den_non;
    }

    VideoFormat format_;
    VifDemand demand_;
    std::array<VifStages, VIF_SCALE_COUNT> stages_ = vif_stages(demand_);
    const VifFunctions &functions_;
};

} // namespace

const VifFunctions *vif_functions(CpuLevel level) { return functions_of<VifFunctions>(vif_functions_levels, level); }

std::unique_ptr<Extractor> make_vif_cpu(const VideoFormat &format, const VifDemand &demand, CpuLevel cap) {
    const LevelEntry<VifFunctions> *const newest = newest_entry<VifFunctions>(vif_functions_levels, cap);
    if (!newest)
        return nullptr;
    return std::make_unique<VifPath>(format, demand, newest->level, *newest->functions);
}

} // namespace isovmaf

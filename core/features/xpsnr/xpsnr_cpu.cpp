// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of XPSNR: xpsnr_vectors.cpp block by block.
#include <algorithm>

#include "features/xpsnr/xpsnr.hpp"
#include "features/xpsnr/xpsnr_functions.hpp"

namespace isovmaf {

ISOVMAF_LEVEL_TABLE(XpsnrFunctions, xpsnr_functions);

namespace {

/// Rows [begin, end) of a plane.
struct Rows {
    int begin, end;
};

/// The rows of a band. Groups of two rows belong to one band.
Rows rows_of(Band band, int height, bool in_pairs) {
    const auto at = [&](int y) { return in_pairs && y < height ? y & ~1 : y; };
    return {at(band.begin(height)), at(band.end(height))};
}

XpsnrArea part_of(XpsnrArea area, Rows rows) {
    area.top = std::max(area.top, rows.begin);
    area.bottom = std::min(area.bottom, rows.end);
    return area;
}

XpsnrSpan span_of(const XpsnrArea &area) { return {area.left, area.top, area.right, area.bottom}; }

template <class Sample>
class XpsnrPath final : public BandedExtractor {
  public:
    XpsnrPath(const XpsnrDemand &demand, CpuLevel level, const XpsnrSums<Sample> &sums)
        : BandedExtractor(level), grid_(demand.grid), order_(demand.order), sums_(sums) {}

    void extract_band(const PictureWindow &frames, Band band, Workspace &workspace, Words words,
                      Taps taps) const override {
        std::ranges::fill(words, 0);
        Sink sink{words, taps, {}};
        if (taps.memory)
            sink.terms = workspace.take<std::uint32_t>(most_terms());
        for (int p = 0; p < grid_.plane_count(); p++)
            add_errors(frames, band, p, sink);
        if (grid_.has_weights())
            add_activities(frames, band, workspace, sink);
    }

  private:
    /// Where sums and terms go.
    struct Sink {
        Words words;
        Taps taps;
        std::span<std::uint32_t> terms; ///< of an area; empty without taps
    };

    [[nodiscard]] std::size_t most_terms() const {
        const auto area = grid_.has_weights() ? std::int64_t{grid_.side()} * grid_.side()
                                              : std::int64_t{grid_.plane_width(0)} * grid_.plane_height(0);
        return static_cast<std::size_t>(area);
    }

    [[nodiscard]] std::size_t word(int column, int row, XpsnrSum sum) const {
        return grid_.word(row * grid_.columns() + column, sum);
    }

    static XpsnrSamples<Sample> samples_of(const Plane &plane) {
        return {plane.row<Sample>(0), plane.stride_bytes / static_cast<std::ptrdiff_t>(sizeof(Sample)), plane.width,
                plane.height};
    }

    /// The values that `sums` gave for an area, whose samples begin in every `step`th column and row.
    static void put_terms(const Sink &sink, const XpsnrArea &area, int step, int stage) {
        std::size_t next = 0;
        for (int y = area.top; y < area.bottom && sink.taps.memory; y += step)
            for (int x = area.left; x < area.right; x += step)
                sink.taps.put(stage, x / step, y / step, sink.terms[next++]);
    }

    void add_errors(const PictureWindow &frames, Band band, int plane, const Sink &sink) const {
        const XpsnrSamples<Sample> reference = samples_of(frames.reference->plane(plane, grid_.edge()));
        const XpsnrSamples<Sample> distorted = samples_of(frames.distorted->plane(plane, grid_.edge()));
        const XpsnrSum sum = xpsnr_error_sum(plane);
        const Rows rows = rows_of(band, grid_.plane_height(plane), false);
        for (int row = 0; row < grid_.rows(); row++)
            for (int column = 0; column < grid_.columns(); column++) {
                const XpsnrArea area = part_of(grid_.block(column, row, plane), rows);
                if (area.empty())
                    continue;
                sink.words[word(column, row, sum)] += static_cast<std::int64_t>(
                    sums_.error(reference, distorted, span_of(area), grid_.format().bit_depth, sink.terms.data()));
                put_terms(sink, area, 1, plane);
            }
    }

    void add_activities(const PictureWindow &frames, Band band, Workspace &workspace, const Sink &sink) const {
        const XpsnrSamples<Sample> reference = samples_of(frames.reference->plane(0));
        const std::span<Sample> zeros = workspace.take<Sample>(static_cast<std::size_t>(reference.width));
        std::ranges::fill(zeros, Sample{0});
        const XpsnrSamples<Sample> black{zeros.data(), 0, reference.width, reference.height};
        const auto earlier = [&](std::size_t back) {
            const std::optional<HostPicture> &picture = frames.earlier_reference[back];
            return picture ? samples_of(picture->plane(0)) : black;
        };
        const bool second = order_ == XpsnrOrder::second;
        const XpsnrHistory<Sample> history{reference, earlier(0), second ? earlier(1) : black, second};
        const Rows rows = rows_of(band, reference.height, grid_.halved());
        const int depth = grid_.format().bit_depth, step = grid_.halved() ? 2 : 1;
        const auto spatial = grid_.halved() ? sums_.spatial_halved : sums_.spatial;
        const auto temporal = grid_.halved() ? sums_.temporal_halved : sums_.temporal;
        const XpsnrStages stages{grid_.plane_count()};
        for (int row = 0; row < grid_.rows(); row++)
            for (int column = 0; column < grid_.columns(); column++) {
                const XpsnrArea core = grid_.core(column, row);
                if (core.empty())
                    continue;
                if (const XpsnrArea area = part_of(core, rows); !area.empty() && !grid_.forgets_spatial(column)) {
                    sink.words[word(column, row, XpsnrSum::spatial)] +=
                        static_cast<std::int64_t>(spatial(reference, span_of(area), depth, sink.terms.data()));
                    put_terms(sink, area, step, stages.spatial());
                }
                if (const XpsnrArea area = part_of(grid_.block(column, row), rows); !area.empty()) {
                    sink.words[word(column, row, XpsnrSum::temporal)] +=
                        static_cast<std::int64_t>(temporal(history, span_of(area), depth, sink.terms.data()));
                    put_terms(sink, area, step, stages.temporal());
                }
            }
    }

    XpsnrGrid grid_;
    XpsnrOrder order_;
    const XpsnrSums<Sample> &sums_;
};

} // namespace

const XpsnrFunctions *xpsnr_functions(CpuLevel level) {
    return functions_of<XpsnrFunctions>(xpsnr_functions_levels, level);
}

std::unique_ptr<Extractor> make_xpsnr_cpu(const XpsnrDemand &demand, CpuLevel cap) {
    const LevelEntry<XpsnrFunctions> *const newest = newest_entry<XpsnrFunctions>(xpsnr_functions_levels, cap);
    if (!newest)
        return nullptr;
    if (demand.grid.format().bytes_per_sample() == 1)
        return std::make_unique<XpsnrPath<std::uint8_t>>(demand, newest->level, newest->functions->sums_8);
    return std::make_unique<XpsnrPath<std::uint16_t>>(demand, newest->level, newest->functions->sums_16);
}

} // namespace isovmaf

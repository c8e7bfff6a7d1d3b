// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of PSNR-HVS: psnr_hvs_vectors.cpp group after group of blocks. Bands are planes, as the sum of a plane
// cannot be made of parts (docs/adr/0079).
#include <algorithm>

#include "features/psnr_hvs/psnr_hvs.hpp"
#include "features/psnr_hvs/psnr_hvs_functions.hpp"

namespace isovmaf {

ISOVMAF_LEVEL_TABLE(PsnrHvsFunctions, psnr_hvs_functions);

namespace {

class PsnrHvsPath final : public BandedExtractor {
  public:
    PsnrHvsPath(const VideoFormat &format, CpuLevel level, const PsnrHvsFunctions &functions)
        : BandedExtractor(level), functions_(functions),
          add_(format.bytes_per_sample() == 1 ? functions.add_8 : functions.add_16),
          bytes_per_sample_(format.bytes_per_sample()) {}

    [[nodiscard]] int most_bands() const override { return psnr_hvs_planes; }

    void extract_band(const PictureWindow &frames, Band band, Workspace &workspace, Words sums,
                      Taps taps) const override {
        std::ranges::fill(sums, 0);
        PsnrHvsValues &values = workspace.take<PsnrHvsValues>(1).front();
        for (int p = band.begin(psnr_hvs_planes); p < band.end(psnr_hvs_planes); p++)
            sums[static_cast<std::size_t>(p)] =
                word_of(plane_sum(frames.reference->plane(p), frames.distorted->plane(p), p, values, taps));
    }

  private:
    float plane_sum(const Plane &reference, const Plane &distorted, int plane, PsnrHvsValues &values, Taps taps) const {
        const PsnrHvsTables &tables = tables_[plane];
        const int across = psnr_hvs_blocks(reference.width);
        const int blocks = across * psnr_hvs_blocks(reference.height);
        float sum = 0;
        for (int first = 0; first < blocks; first += functions_.blocks) {
            const int count = std::min(functions_.blocks, blocks - first);
            const PsnrHvsGroup group{places(reference, first, count), places(distorted, first, count), count};
            sum = add_(group, tables, sum, values);
            for (int b = 0; b < count && taps.memory; b++)
                put(values, b, plane, (first + b) % across, (first + b) / across, taps);
        }
        return sum;
    }

    /// Of `count` blocks from number `first` on. Lanes beyond them get the last of these blocks.
    [[nodiscard]] PsnrHvsPlaces places(const Plane &plane, int first, int count) const {
        const int across = psnr_hvs_blocks(plane.width);
        PsnrHvsPlaces places{{}, plane.stride_bytes};
        for (int lane = 0, x = first % across, y = first / across; lane < functions_.blocks; lane++) {
            places.first[lane] =
                plane.data + y * PSNR_HVS_STEP * plane.stride_bytes + x * PSNR_HVS_STEP * bytes_per_sample_;
            if (lane + 1 < count && ++x == across)
                x = 0, y++;
        }
        return places;
    }

    /// Puts the values of block `lane` of a group, which is number (x, y) of the plane's blocks.
    void put(const PsnrHvsValues &values, int lane, int plane, int x, int y, Taps taps) const {
        const PsnrHvsStages stages(plane);
        taps.put_f32(stages.strengths, x, y, values.strengths[lane]);
        for (int k = 0; k < PSNR_HVS_COEFFICIENTS; k++) {
            const int at = k * functions_.blocks + lane;
            const int column = x * PSNR_HVS_BLOCK + k % PSNR_HVS_BLOCK, row = y * PSNR_HVS_BLOCK + k / PSNR_HVS_BLOCK;
            taps.put(stages.reference, column, row, values.reference[at]);
            taps.put(stages.distorted, column, row, values.distorted[at]);
            taps.put_f32(stages.errors, column, row, values.errors[at]);
        }
    }

    const PsnrHvsFunctions &functions_;
    decltype(PsnrHvsFunctions::add_8) add_;
    int bytes_per_sample_;
    PsnrHvsTables tables_[psnr_hvs_planes] = {psnr_hvs_tables(0), psnr_hvs_tables(1), psnr_hvs_tables(2)};
};

} // namespace

const PsnrHvsFunctions *psnr_hvs_functions(CpuLevel level) {
    return functions_of<PsnrHvsFunctions>(psnr_hvs_functions_levels, level);
}

std::unique_ptr<Extractor> make_psnr_hvs_cpu(const VideoFormat &format, CpuLevel cap) {
    const LevelEntry<PsnrHvsFunctions> *const newest = newest_entry<PsnrHvsFunctions>(psnr_hvs_functions_levels, cap);
    if (!newest)
        return nullptr;
    return std::make_unique<PsnrHvsPath>(format, newest->level, *newest->functions);
}

} // namespace isovmaf

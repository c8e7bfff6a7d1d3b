// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of PSNR: psnr_vectors.cpp row by row.
#include "features/psnr/psnr.hpp"
#include "features/psnr/psnr_functions.hpp"

namespace isovmaf {

ISOVMAF_LEVEL_TABLE(PsnrFunctions, psnr_functions);

namespace {

std::int64_t row_error(const PsnrFunctions &functions, const std::uint8_t *r, const std::uint8_t *d, int width,
                       std::uint32_t *errors) {
    return functions.row_8(r, d, width, errors);
}
std::int64_t row_error(const PsnrFunctions &functions, const std::uint16_t *r, const std::uint16_t *d, int width,
                       std::uint32_t *errors) {
    return functions.row_16(r, d, width, errors);
}

template <class Sample>
class PsnrPath final : public BandedExtractor {
  public:
    PsnrPath(int plane_count, CpuLevel level, const PsnrFunctions &functions)
        : BandedExtractor(level), plane_count_(plane_count), functions_(functions) {}

    void extract_band(const PictureWindow &frames, Band band, Workspace &workspace, Words sums,
                      Taps taps) const override {
        for (int p = 0; p < plane_count_; p++)
            sums[static_cast<std::size_t>(p)] =
                squared_error(frames.reference->plane(p), frames.distorted->plane(p), band, workspace, taps, p);
    }

  private:
    /// `stage` is the plane's number.
    std::int64_t squared_error(const Plane &reference, const Plane &distorted, Band band, Workspace &workspace,
                               Taps taps, int stage) const {
        std::uint32_t *const errors =
            taps.memory ? workspace.take<std::uint32_t>(static_cast<std::size_t>(reference.width)).data() : nullptr;
        std::int64_t sum = 0;
        for (int y = band.begin(reference.height); y < band.end(reference.height); y++) {
            sum += row_error(functions_, reference.row<Sample>(y), distorted.row<Sample>(y), reference.width, errors);
            for (int x = 0; x < reference.width && errors; x++)
                taps.put(stage, x, y, errors[x]);
        }
        return sum;
    }

    int plane_count_;
    const PsnrFunctions &functions_;
};

} // namespace

const PsnrFunctions *psnr_functions(CpuLevel level) {
    return functions_of<PsnrFunctions>(psnr_functions_levels, level);
}

std::unique_ptr<Extractor> make_psnr_cpu(const VideoFormat &format, int plane_count, CpuLevel cap) {
    const LevelEntry<PsnrFunctions> *const newest = newest_entry<PsnrFunctions>(psnr_functions_levels, cap);
    if (!newest)
        return nullptr;
    if (format.bytes_per_sample() == 1)
        return std::make_unique<PsnrPath<std::uint8_t>>(plane_count, newest->level, *newest->functions);
    return std::make_unique<PsnrPath<std::uint16_t>>(plane_count, newest->level, *newest->functions);
}

} // namespace isovmaf

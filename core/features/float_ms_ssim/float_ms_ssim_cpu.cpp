// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of MS-SSIM: SSIM's at each scale, and float_ms_ssim_vectors.cpp between scales.
#include <array>

#include "features/float_ms_ssim/float_ms_ssim.hpp"
#include "features/float_ms_ssim/float_ms_ssim_functions.hpp"
#include "features/float_ssim/float_ssim_cpu.hpp"

namespace isovmaf {

ISOVMAF_LEVEL_TABLE(MsSsimFunctions, ms_ssim_functions);

namespace {

constexpr int low_pass_radius = MS_SSIM_TAP_COUNT / 2;

/// Halves pictures row by row.
class MsSsimHalving {
  public:
    MsSsimHalving(const MsSsimFunctions &functions, const SsimPicture &picture, Workspace &workspace)
        : functions_(functions), picture_(picture),
          halved_(
              take_ssim_picture(workspace, ssim_reduced_side(picture.width, 2), ssim_reduced_side(picture.height, 2))) {
        const int width = halved_.width + low_pass_radius;
        for (std::size_t i = 0; i < MS_SSIM_TAP_COUNT; i++)
            ring_[i] = {take_ssim_row<float>(workspace, width), take_ssim_row<float>(workspace, width)};
    }

    SsimPicture run() {
        for (int row = -low_pass_radius; row < low_pass_radius - 1; row++)
            split(row);
        for (int y = 0; y < halved_.height; y++) {
            split(2 * y + low_pass_radius - 1);
            split(2 * y + low_pass_radius);
            std::array<MsSsimSplitRow, MS_SSIM_TAP_COUNT> rows;
            for (int v = 0; v < MS_SSIM_TAP_COUNT; v++)
                rows[static_cast<std::size_t>(v)] = slot(2 * y + v - low_pass_radius);
            functions_.low_pass(rows.data(), halved_.width, halved_.row(y));
        }
        return halved_;
    }

  private:
    /// Where a row is kept until MS_SSIM_TAP_COUNT more were split.
    MsSsimSplitRow &slot(int row) { return ring_[static_cast<std::size_t>(row + low_pass_radius) % MS_SSIM_TAP_COUNT]; }

    /// Splits a row, which may lie outside the picture, and adds the columns outside.
    void split(int row) {
        const float *const samples = picture_.row(ssim_fold(row, picture_.height));
        const MsSsimSplitRow out = slot(row);
        functions_.split(samples, picture_.width, out.even + low_pass_radius / 2, out.odd + low_pass_radius / 2);
        const auto put = [&](int x) {
            const int i = x + low_pass_radius;
            (i % 2 == 0 ? out.even : out.odd)[i / 2] = samples[ssim_fold(x, picture_.width)];
        };
        for (int x = -low_pass_radius; x < 0; x++)
            put(x);
        for (int x = picture_.width; x <= 2 * (halved_.width - 1) + low_pass_radius; x++)
            put(x);
    }

    const MsSsimFunctions &functions_;
    SsimPicture picture_, halved_;
    std::array<MsSsimSplitRow, MS_SSIM_TAP_COUNT> ring_;
};

class FloatMsSsimPath final : public Extractor {
  public:
    FloatMsSsimPath(int bit_depth, CpuLevel level, const MsSsimFunctions &functions)
        : bit_depth_(bit_depth), level_(level), functions_(functions), ssim_functions_(*ssim_functions(level)) {}

    std::string_view level() const override { return cpu_level_name(level_); }

    void extract(const PictureWindow &frames, Workspace &workspace, Words words, Taps taps) const override {
        SsimPicture reference = load_ssim_picture(ssim_functions_, frames.reference->plane(0), bit_depth_, workspace);
        SsimPicture distorted = load_ssim_picture(ssim_functions_, frames.distorted->plane(0), bit_depth_, workspace);
        for (int scale = 0; scale < MS_SSIM_SCALE_COUNT; scale++) {
            if (scale > 0) {
                reference = MsSsimHalving(functions_, reference, workspace).run();
                distorted = MsSsimHalving(functions_, distorted, workspace).run();
            }
            put_ms_ssim_means(
                compare_ssim_pictures(ssim_functions_, reference, distorted, workspace, taps, scale * ssim_stage_count),
                scale, words);
        }
    }

  private:
    int bit_depth_;
    CpuLevel level_;
    const MsSsimFunctions &functions_;
    const SsimFunctions &ssim_functions_;
};

} // namespace

const MsSsimFunctions *ms_ssim_functions(CpuLevel level) {
    return functions_of<MsSsimFunctions>(ms_ssim_functions_levels, level);
}

std::unique_ptr<Extractor> make_float_ms_ssim_cpu(const VideoFormat &format, CpuLevel cap) {
    const LevelEntry<MsSsimFunctions> *const newest = newest_entry<MsSsimFunctions>(ms_ssim_functions_levels, cap);
    if (!newest)
        return nullptr;
    return std::make_unique<FloatMsSsimPath>(format.bit_depth, newest->level, *newest->functions);
}

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of MS-SSIM: SSIM's at each scale, and float_ms_ssim_vectors.cpp between scales.
#include <algorithm>
#include <array>

#include "features/float_ms_ssim/float_ms_ssim.hpp"
#include "features/float_ms_ssim/float_ms_ssim_functions.hpp"
#include "features/float_ssim/float_ssim_cpu.hpp"

namespace isovmaf {

ISOVMAF_LEVEL_TABLE(MsSsimFunctions, float_ms_ssim_functions);

namespace {

constexpr int low_pass_radius = MS_SSIM_TAP_COUNT / 2;

/// Halves a picture row by row. Rows are numbered as in the picture; some of them lie outside.
class MsSsimHalving {
  public:
    MsSsimHalving(const MsSsimFunctions &functions, const SsimPicture &picture, Workspace &workspace)
        : functions_(functions), picture_(picture), workspace_(workspace),
          halved_(take_ssim_picture(workspace, ssim_reduced_side(picture.width, 2),
                                    ssim_reduced_side(picture.height, 2))) {}

    SsimPicture in_order() {
        for (MsSsimSplitRow &row : split_)
            row = take_split_row();
        std::array<MsSsimSplitRow, MS_SSIM_TAP_COUNT> window;
        run([&](int row) { split(row, split_[slot(row)]); },
            [&](int y) {
                for (int v = 0; v < MS_SSIM_TAP_COUNT; v++)
                    window[static_cast<std::size_t>(v)] = split_[slot(2 * y + v - low_pass_radius)];
                functions_.low_pass(window.data(), halved_.width, halved_.row(y));
            });
        return halved_;
    }

    /// For pictures of samples. Their sums are exact in any order: products are multiples of 2^-43, as the smallest
    /// sample is 2^-8 and the smallest tap is above 2^-12, and add up to less than 2^9. So each row is summed once for
    /// each distinct row of taps that meets it.
    SsimPicture of_samples() {
        for (auto &row : sums_)
            for (double *&sums : row)
                sums = take_ssim_row<double>(workspace_, halved_.width);
        const MsSsimSplitRow columns = take_split_row();
        std::array<const double *, MS_SSIM_TAP_COUNT> window;
        run(
            [&](int row) {
                split(row, columns);
                for (int v = (row + low_pass_radius) % 2; v <= low_pass_radius; v += 2)
                    functions_.sum_row(columns, v, halved_.width, sums_[slot(row)][static_cast<std::size_t>(v / 2)]);
            },
            [&](int y) {
                for (int v = 0; v < MS_SSIM_TAP_COUNT; v++) {
                    const int tap_row = std::min(v, MS_SSIM_TAP_COUNT - 1 - v);
                    window[static_cast<std::size_t>(v)] =
                        sums_[slot(2 * y + v - low_pass_radius)][static_cast<std::size_t>(tap_row / 2)];
                }
                functions_.add_rows(window.data(), halved_.width, halved_.row(y));
            });
        return halved_;
    }

  private:
    /// Calls `enter` with each row in order, and `halve` with a row of the result when its rows have entered.
    template <class Enter, class Halve>
    void run(const Enter &enter, const Halve &halve) {
        for (int row = -low_pass_radius; row < low_pass_radius - 1; row++)
            enter(row);
        for (int y = 0; y < halved_.height; y++) {
            enter(2 * y + low_pass_radius - 1);
            enter(2 * y + low_pass_radius);
            halve(y);
        }
    }

    MsSsimSplitRow take_split_row() {
        const int width = halved_.width + low_pass_radius;
        return {take_ssim_row<float>(workspace_, width), take_ssim_row<float>(workspace_, width)};
    }

    /// Where a row is kept until MS_SSIM_TAP_COUNT more have entered.
    static std::size_t slot(int row) { return static_cast<std::size_t>(row + low_pass_radius) % MS_SSIM_TAP_COUNT; }

    /// Splits a row, and adds the columns outside the picture.
    void split(int row, const MsSsimSplitRow &out) const {
        const float *const samples = picture_.row(ssim_fold(row, picture_.height));
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
    SsimPicture picture_;
    Workspace &workspace_;
    SsimPicture halved_;
    std::array<MsSsimSplitRow, MS_SSIM_TAP_COUNT> split_{};
    std::array<std::array<double *, low_pass_radius / 2 + 1>, MS_SSIM_TAP_COUNT> sums_{}; ///< by row and tap row / 2
};

class FloatMsSsimPath final : public Extractor {
  public:
    FloatMsSsimPath(int bit_depth, CpuLevel level, const MsSsimFunctions &functions)
        : bit_depth_(bit_depth), level_(level), functions_(functions),
          float_ssim_functions_(*float_ssim_functions(level)) {}

    std::string_view level() const override { return cpu_level_name(level_); }

    void extract(const PictureWindow &frames, Workspace &workspace, Words words, Taps taps) const override {
        SsimPicture reference =
            load_ssim_picture(float_ssim_functions_, frames.reference->plane(0), bit_depth_, workspace);
        SsimPicture distorted =
            load_ssim_picture(float_ssim_functions_, frames.distorted->plane(0), bit_depth_, workspace);
        for (int scale = 0; scale < MS_SSIM_SCALE_COUNT; scale++) {
            if (scale > 0) {
                reference = halve(reference, scale, workspace);
                distorted = halve(distorted, scale, workspace);
            }
            put_ms_ssim_means(compare_ssim_pictures(float_ssim_functions_, reference, distorted, workspace, taps,
                                                    scale * ssim_stage_count),
                              scale, words);
        }
    }

  private:
    /// The picture of `scale`, of the one before.
    SsimPicture halve(const SsimPicture &picture, int scale, Workspace &workspace) const {
        MsSsimHalving halving(functions_, picture, workspace);
        return scale == 1 ? halving.of_samples() : halving.in_order();
    }

    int bit_depth_;
    CpuLevel level_;
    const MsSsimFunctions &functions_;
    const SsimFunctions &float_ssim_functions_;
};

} // namespace

const MsSsimFunctions *float_ms_ssim_functions(CpuLevel level) {
    return functions_of<MsSsimFunctions>(float_ms_ssim_functions_levels, level);
}

std::unique_ptr<Extractor> make_float_ms_ssim_cpu(const VideoFormat &format, CpuLevel cap) {
    const LevelEntry<MsSsimFunctions> *const newest =
        newest_entry<MsSsimFunctions>(float_ms_ssim_functions_levels, cap);
    if (!newest)
        return nullptr;
    return std::make_unique<FloatMsSsimPath>(format.bit_depth, newest->level, *newest->functions);
}

} // namespace isovmaf

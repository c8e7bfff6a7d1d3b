// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of SSIM: float_ssim_vectors.cpp row by row. A frame is not cut into bands, as its sums are made in
// raster order.
#include "features/float_ssim/float_ssim_cpu.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace isovmaf {

ISOVMAF_LEVEL_TABLE(SsimFunctions, float_ssim_functions);

namespace {

void load_ssim_row(const SsimFunctions &functions, const Plane &luma, int y, int bit_depth, float *out) {
    const float factor = 1 / ssim_divisor(bit_depth);
    if (bit_depth == 8)
        functions.load_8(luma.row<std::uint8_t>(y), luma.width, factor, out);
    else
        functions.load_16(luma.row<std::uint16_t>(y), luma.width, factor, out);
}

void sum_ssim_rows(const SsimFunctions &functions, std::span<const std::uint8_t *const> rows, int width,
                   std::uint16_t *sums) {
    functions.sum_rows_8(rows.data(), static_cast<int>(rows.size()), width, sums);
}
void sum_ssim_rows(const SsimFunctions &functions, std::span<const std::uint16_t *const> rows, int width,
                   std::uint32_t *sums) {
    functions.sum_rows_16(rows.data(), static_cast<int>(rows.size()), width, sums);
}

auto ssim_box_function(const SsimFunctions &functions, std::uint16_t) { return functions.sum_boxes_u16; }
auto ssim_box_function(const SsimFunctions &functions, std::uint32_t) { return functions.sum_boxes_u32; }
auto ssim_box_function(const SsimFunctions &functions, double) { return functions.sum_boxes_f64; }

/// Reduces pictures with a box, whose sums are exact in any order: see docs/adr/0078. So columns are summed first.
class SsimBoxes {
  public:
    SsimBoxes(const SsimFunctions &functions, int bit_depth, int factor)
        : functions_(functions), bit_depth_(bit_depth), factor_(factor) {}

    SsimPicture reduce(const Plane &luma, Workspace &workspace) const {
        const SsimPicture reduced = take_ssim_picture(workspace, ssim_reduced_side(luma.width, factor_),
                                                      ssim_reduced_side(luma.height, factor_));
        if (!std::has_single_bit(static_cast<unsigned>(factor_)))
            reduce_products(luma, reduced, workspace);
        else if (bit_depth_ == 8)
            reduce_samples<std::uint8_t, std::uint16_t>(luma, reduced, workspace);
        else
            reduce_samples<std::uint16_t, std::uint32_t>(luma, reduced, workspace);
        return reduced;
    }

  private:
    /// The tap is a power of two: the sum of the samples, scaled and rounded once, is what the definition gives.
    /// Factors are at most 128, so the sums of columns fit.
    template <class Sample, class Sum>
    void reduce_samples(const Plane &luma, const SsimPicture &reduced, Workspace &workspace) const {
        const auto rows = workspace.take<const Sample *>(static_cast<std::size_t>(factor_));
        const auto sum = [&](int first, Sum *sums) {
            for (int v = 0; v < factor_; v++)
                rows[static_cast<std::size_t>(v)] = luma.row<Sample>(ssim_fold(first + v, luma.height));
            sum_ssim_rows(functions_, rows, luma.width, sums);
        };
        reduce_rows<Sum>(luma, reduced, workspace, sum, ssim_box_tap(factor_) / ssim_divisor(bit_depth_));
    }

    void reduce_products(const Plane &luma, const SsimPicture &reduced, Workspace &workspace) const {
        float *const samples = take_ssim_row<float>(workspace, luma.width);
        const auto sum = [&](int first, double *sums) {
            std::fill_n(sums, luma.width, 0.0);
            for (int v = 0; v < factor_; v++) {
                load_ssim_row(functions_, luma, ssim_fold(first + v, luma.height), bit_depth_, samples);
                functions_.add_products(samples, luma.width, ssim_box_tap(factor_), sums);
            }
        };
        reduce_rows<double>(luma, reduced, workspace, sum, 1);
    }

    /// `sum` sums the rows of a box, from the given one on, along each column.
    template <class Sum, class SumRows>
    void reduce_rows(const Plane &luma, const SsimPicture &reduced, Workspace &workspace, const SumRows &sum,
                     float scale) const {
        const int before = factor_ / 2, width = luma.width; // columns of the first box that lie outside the picture
        Sum *const padded = take_ssim_row<Sum>(workspace, before + width + factor_), *const columns = padded + before;
        for (int y = 0; y < reduced.height; y++) {
            sum(y * factor_ - before, columns);
            for (int x = -before; x < 0; x++)
                columns[x] = columns[ssim_fold(x, width)];
            for (int x = width; x < reduced.width * factor_ - before; x++)
                columns[x] = columns[ssim_fold(x, width)];
            ssim_box_function(functions_, Sum{})(padded, factor_, reduced.width, scale, reduced.row(y));
        }
    }

    const SsimFunctions &functions_;
    int bit_depth_, factor_;
};

SsimMomentRow take_moment_row(Workspace &workspace, int width) {
    SsimMomentRow row;
    for (float *&plane : row.planes)
        plane = take_ssim_row<float>(workspace, width);
    return row;
}

SsimFactorRow take_factor_row(Workspace &workspace, int width) {
    return {take_ssim_row<double>(workspace, width), take_ssim_row<double>(workspace, width),
            take_ssim_row<float>(workspace, width)};
}

void put_ssim_pixels(const SsimMomentRow &moments, const SsimFactorRow &factors, int width, Taps taps, int first_stage,
                     int y) {
    const auto &planes = moments.planes;
    for (int x = 0; x < width; x++)
        put_ssim_pixel({planes[0][x], planes[1][x], planes[2][x], planes[3][x], planes[4][x]},
                       {factors.l[x], factors.c[x], factors.s[x]}, taps, first_stage, x, y);
}

class FloatSsimPath final : public Extractor {
  public:
    FloatSsimPath(int bit_depth, int factor, CpuLevel level, const SsimFunctions &functions)
        : bit_depth_(bit_depth), factor_(factor), level_(level), functions_(functions) {}

    std::string_view level() const override { return cpu_level_name(level_); }

    void extract(const PictureWindow &frames, Workspace &workspace, Words words, Taps taps) const override {
        const SsimPicture reference = load(frames.reference->plane(0), workspace);
        const SsimPicture distorted = load(frames.distorted->plane(0), workspace);
        put_ssim_means(compare_ssim_pictures(functions_, reference, distorted, workspace, taps, 0), words);
    }

  private:
    SsimPicture load(const Plane &luma, Workspace &workspace) const {
        if (factor_ == 1)
            return load_ssim_picture(functions_, luma, bit_depth_, workspace);
        return SsimBoxes(functions_, bit_depth_, factor_).reduce(luma, workspace);
    }

    int bit_depth_, factor_;
    CpuLevel level_;
    const SsimFunctions &functions_;
};

} // namespace

const SsimFunctions *float_ssim_functions(CpuLevel level) {
    return functions_of<SsimFunctions>(float_ssim_functions_levels, level);
}

SsimPicture take_ssim_picture(Workspace &workspace, int width, int height) {
    const int stride = (width + ssim_row_step - 1) / ssim_row_step * ssim_row_step;
    const std::size_t samples = static_cast<std::size_t>(stride) * static_cast<std::size_t>(height) + ssim_row_step;
    return {workspace.take<float>(samples).data(), width, height, stride};
}

SsimPicture load_ssim_picture(const SsimFunctions &functions, const Plane &luma, int bit_depth, Workspace &workspace) {
    const SsimPicture picture = take_ssim_picture(workspace, luma.width, luma.height);
    for (int y = 0; y < luma.height; y++)
        load_ssim_row(functions, luma, y, bit_depth, picture.row(y));
    return picture;
}

SsimMeans compare_ssim_pictures(const SsimFunctions &functions, const SsimPicture &reference,
                                const SsimPicture &distorted, Workspace &workspace, Taps taps, int first_stage) {
    put_ssim_pictures(reference, distorted, taps, first_stage);
    const int width = reference.width - SSIM_TAP_COUNT + 1, height = reference.height - SSIM_TAP_COUNT + 1;
    constexpr std::size_t kept = SSIM_TAP_COUNT - 1; // rows that two bands have in common
    std::array<SsimMomentRow, kept + ssim_band_rows> along;
    std::array<SsimMomentRow, ssim_band_rows> smoothed;
    for (SsimMomentRow &row : along)
        row = take_moment_row(workspace, width);
    for (SsimMomentRow &row : smoothed)
        row = take_moment_row(workspace, width);
    SsimFactorRow factors{};
    if (taps.memory)
        factors = take_factor_row(workspace, width);
    SsimSums sums{};
    const auto smooth_along = [&](int y, const SsimMomentRow &out) {
        functions.smooth_along(reference.row(y), distorted.row(y), width, out);
    };
    for (std::size_t i = 0; i < kept; i++)
        smooth_along(static_cast<int>(i), along[i]);
    for (int top = 0; top < height; top += ssim_band_rows) {
        const auto count = static_cast<std::size_t>(std::min(ssim_band_rows, height - top));
        for (std::size_t i = kept; i < kept + count; i++)
            smooth_along(top + static_cast<int>(i), along[i]);
        // In the last band the rows behind these are older ones, and what they result in is not used.
        functions.smooth_down(along.data(), width, smoothed.data());
        for (std::size_t i = 0; i < count; i++) {
            functions.compare(smoothed[i], width, sums, taps.memory ? &factors : nullptr);
            if (taps.memory)
                put_ssim_pixels(smoothed[i], factors, width, taps, first_stage, top + static_cast<int>(i));
        }
        std::ranges::rotate(along, along.begin() + ssim_band_rows);
    }
    return ssim_means(sums, static_cast<double>(width) * height);
}

std::unique_ptr<Extractor> make_float_ssim_cpu(const VideoFormat &format, int factor, CpuLevel cap) {
    const LevelEntry<SsimFunctions> *const newest = newest_entry<SsimFunctions>(float_ssim_functions_levels, cap);
    if (!newest)
        return nullptr;
    return std::make_unique<FloatSsimPath>(format.bit_depth, factor, newest->level, *newest->functions);
}

} // namespace isovmaf

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

void sum_ssim_boxes(const SsimFunctions &functions, const std::uint32_t *columns, int factor,
                    std::span<std::uint32_t> boxes) {
    functions.sum_boxes_u32(columns, factor, static_cast<int>(boxes.size()), boxes.data());
}
void sum_ssim_boxes(const SsimFunctions &functions, const double *columns, int factor, std::span<double> boxes) {
    functions.sum_boxes_f64(columns, factor, static_cast<int>(boxes.size()), boxes.data());
}

/// Reduces pictures with a box, whose sums are exact in any order: see docs/adr/0078. So columns are summed first.
class SsimBoxes {
  public:
    SsimBoxes(const SsimFunctions &functions, int bit_depth, int factor)
        : functions_(functions), bit_depth_(bit_depth), factor_(factor) {}

    SsimPicture reduce(const Plane &luma, Workspace &workspace) const {
        const SsimPicture reduced = take_ssim_picture(workspace, ssim_reduced_side(luma.width, factor_),
                                                      ssim_reduced_side(luma.height, factor_));
        if (std::has_single_bit(static_cast<unsigned>(factor_)))
            reduce_samples(luma, reduced, workspace);
        else
            reduce_products(luma, reduced, workspace);
        return reduced;
    }

  private:
    /// The tap is a power of two: the sum of the samples, scaled and rounded once, is what the definition gives.
    void reduce_samples(const Plane &luma, const SsimPicture &reduced, Workspace &workspace) const {
        const float scale = ssim_box_tap(factor_) / ssim_divisor(bit_depth_);
        const auto add = [&](int row, std::uint32_t *sums) {
            if (bit_depth_ == 8)
                functions_.add_8(luma.row<std::uint8_t>(row), luma.width, sums);
            else
                functions_.add_16(luma.row<std::uint16_t>(row), luma.width, sums);
        };
        const auto finish = [&](std::uint32_t sum) { return static_cast<float>(sum) * scale; };
        reduce_rows<std::uint32_t>(luma, reduced, workspace, add, finish);
    }

    void reduce_products(const Plane &luma, const SsimPicture &reduced, Workspace &workspace) const {
        float *const samples = take_ssim_row<float>(workspace, luma.width);
        const auto add = [&](int row, double *sums) {
            load_ssim_row(functions_, luma, row, bit_depth_, samples);
            functions_.add_products(samples, luma.width, ssim_box_tap(factor_), sums);
        };
        reduce_rows<double>(luma, reduced, workspace, add, [](double sum) { return static_cast<float>(sum); });
    }

    template <class Sum, class Add, class Finish>
    void reduce_rows(const Plane &luma, const SsimPicture &reduced, Workspace &workspace, const Add &add,
                     const Finish &finish) const {
        const int before = factor_ / 2, width = luma.width; // columns of the first box that lie outside the picture
        Sum *const padded = take_ssim_row<Sum>(workspace, before + width + factor_), *const columns = padded + before;
        const auto boxes = workspace.take<Sum>(static_cast<std::size_t>(reduced.width));
        for (int y = 0; y < reduced.height; y++) {
            std::fill_n(columns, width, Sum{0});
            for (int v = 0; v < factor_; v++)
                add(ssim_fold(y * factor_ - before + v, luma.height), columns);
            for (int x = -before; x < 0; x++)
                columns[x] = columns[ssim_fold(x, width)];
            for (int x = width; x < reduced.width * factor_ - before; x++)
                columns[x] = columns[ssim_fold(x, width)];
            sum_ssim_boxes(functions_, padded, factor_, boxes);
            std::ranges::transform(boxes, reduced.row(y), finish);
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

SsimPixelRow take_pixel_row(Workspace &workspace, int width) {
    return {take_moment_row(workspace, width), take_ssim_row<double>(workspace, width),
            take_ssim_row<double>(workspace, width), take_ssim_row<float>(workspace, width)};
}

void put_ssim_pixels(const SsimPixelRow &pixels, int width, Taps taps, int first_stage, int y) {
    const auto &planes = pixels.moments.planes;
    for (int x = 0; x < width; x++)
        put_ssim_pixel({planes[0][x], planes[1][x], planes[2][x], planes[3][x], planes[4][x]},
                       {pixels.l[x], pixels.c[x], pixels.s[x]}, taps, first_stage, x, y);
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
    // A ring, listed twice, so that the rows of any window follow each other.
    std::array<SsimMomentRow, 2 * SSIM_TAP_COUNT> rows;
    for (std::size_t i = 0; i < SSIM_TAP_COUNT; i++)
        rows[i] = rows[i + SSIM_TAP_COUNT] = take_moment_row(workspace, width);
    SsimPixelRow pixels{};
    if (taps.memory)
        pixels = take_pixel_row(workspace, width);
    SsimSums sums{};
    for (int y = 0; y < reference.height; y++) {
        functions.smooth_along(reference.row(y), distorted.row(y), width,
                               rows[static_cast<std::size_t>(y) % SSIM_TAP_COUNT]);
        const int top = y - SSIM_TAP_COUNT + 1;
        if (top < 0)
            continue;
        functions.compare(&rows[static_cast<std::size_t>(top) % SSIM_TAP_COUNT], width, sums,
                          taps.memory ? &pixels : nullptr);
        if (taps.memory)
            put_ssim_pixels(pixels, width, taps, first_stage, top);
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

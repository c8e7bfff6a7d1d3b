// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of SSIM's means (features.md §6), and of the parts that MS-SSIM shares.
#include "features/float_ssim/float_ssim.hpp"

namespace isovmaf {

namespace {

SsimPicture take_picture(Workspace &workspace, int width, int height) {
    return {workspace.take<float>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)).data(), width,
            height, width};
}

template <class Sample>
void load_samples(const Plane &luma, float divisor, const SsimPicture &picture) {
    for (int y = 0; y < luma.height; y++)
        for (int x = 0; x < luma.width; x++)
            picture.row(y)[x] = static_cast<float>(luma.row<Sample>(y)[x]) / divisor; // exact
}

/// A window of SSIM_TAP_COUNT samples, `step` apart: a f64 sum of f32 products, in the order of the taps.
float smooth_window(const float *first, std::ptrdiff_t step) {
    double sum = 0;
    for (int k = 0; k < SSIM_TAP_COUNT; k++)
        sum += static_cast<double>(first[k * step] * ssim_taps[k]);
    return static_cast<float>(sum);
}

/// Along the rows, then down the columns. The window stays within the picture: the result is smaller than it.
SsimPicture smooth(const SsimPicture &picture, Workspace &workspace) {
    const SsimPicture rows = take_picture(workspace, picture.width - SSIM_TAP_COUNT + 1, picture.height);
    for (int y = 0; y < rows.height; y++)
        for (int x = 0; x < rows.width; x++)
            rows.row(y)[x] = smooth_window(picture.row(y) + x, 1);
    const SsimPicture smoothed = take_picture(workspace, rows.width, rows.height - SSIM_TAP_COUNT + 1);
    for (int y = 0; y < smoothed.height; y++)
        for (int x = 0; x < smoothed.width; x++)
            smoothed.row(y)[x] = smooth_window(rows.row(y) + x, rows.width);
    return smoothed;
}

SsimPicture product(const SsimPicture &a, const SsimPicture &b, Workspace &workspace) {
    const SsimPicture products = take_picture(workspace, a.width, a.height);
    for (int y = 0; y < a.height; y++)
        for (int x = 0; x < a.width; x++)
            products.row(y)[x] = a.row(y)[x] * b.row(y)[x];
    return products;
}

class FloatSsimReference final : public Extractor {
  public:
    FloatSsimReference(int bit_depth, int factor) : bit_depth_(bit_depth), box_(factor) {}

    void extract(const PictureWindow &frames, Workspace &workspace, Words words, Taps taps) const override {
        const SsimPicture reference = load(frames.reference->plane(0), workspace);
        const SsimPicture distorted = load(frames.distorted->plane(0), workspace);
        put_ssim_means(ssim_compare(reference, distorted, workspace, taps, 0), words);
    }

  private:
    SsimPicture load(const Plane &luma, Workspace &workspace) const {
        const SsimPicture picture = ssim_load(luma, bit_depth_, workspace);
        return box_.size == 1 ? picture : ssim_reduce(picture, box_.size, box_.kernel(), workspace);
    }

    int bit_depth_;
    SsimBox box_;
};

} // namespace

SsimBox::SsimBox(int factor)
    : size(factor), taps(static_cast<std::size_t>(factor) * static_cast<std::size_t>(factor), ssim_box_tap(factor)) {}

SsimPicture ssim_load(const Plane &luma, int bit_depth, Workspace &workspace) {
    const SsimPicture picture = take_picture(workspace, luma.width, luma.height);
    if (bit_depth == 8)
        load_samples<std::uint8_t>(luma, ssim_divisor(bit_depth), picture);
    else
        load_samples<std::uint16_t>(luma, ssim_divisor(bit_depth), picture);
    return picture;
}

SsimPicture ssim_reduce(const SsimPicture &picture, int factor, SsimKernel kernel, Workspace &workspace) {
    const SsimPicture reduced =
        take_picture(workspace, ssim_reduced_side(picture.width, factor), ssim_reduced_side(picture.height, factor));
    for (int y = 0; y < reduced.height; y++)
        for (int x = 0; x < reduced.width; x++) {
            double sum = 0;
            for (int v = 0; v < kernel.size; v++)
                for (int u = 0; u < kernel.size; u++) {
                    const int row = ssim_fold(y * factor + v - kernel.size / 2, picture.height);
                    const int column = ssim_fold(x * factor + u - kernel.size / 2, picture.width);
                    sum += static_cast<double>(picture.row(row)[column] * kernel.taps[v * kernel.size + u]);
                }
            reduced.row(y)[x] = static_cast<float>(sum);
        }
    return reduced;
}

SsimMeans ssim_compare(const SsimPicture &reference, const SsimPicture &distorted, Workspace &workspace, Taps taps,
                       int first_stage) {
    const SsimPicture r = smooth(reference, workspace), d = smooth(distorted, workspace);
    const SsimPicture rr = smooth(product(reference, reference, workspace), workspace);
    const SsimPicture dd = smooth(product(distorted, distorted, workspace), workspace);
    const SsimPicture rd = smooth(product(reference, distorted, workspace), workspace);
    put_ssim_pictures(reference, distorted, taps, first_stage);
    SsimSums sums{};
    for (int y = 0; y < r.height; y++)
        for (int x = 0; x < r.width; x++) {
            const SsimMoments moments{r.row(y)[x], d.row(y)[x], rr.row(y)[x], dd.row(y)[x], rd.row(y)[x]};
            const SsimSimilarity similarity = ssim_similarity(moments);
            sums.lcs += similarity.l * similarity.c * static_cast<double>(similarity.s);
            sums.l += similarity.l;
            sums.c += similarity.c;
            sums.s += static_cast<double>(similarity.s);
            put_ssim_pixel(moments, similarity, taps, first_stage, x, y);
        }
    return ssim_means(sums, static_cast<double>(r.width) * r.height);
}

std::unique_ptr<Extractor> make_float_ssim_reference(const VideoFormat &format, int factor) {
    return std::make_unique<FloatSsimReference>(format.bit_depth, factor);
}

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of SSIM's means (features.md §6), and of the parts that MS-SSIM shares.
#include "features/float_ssim/float_ssim.hpp"

namespace isovmaf {

namespace {

SsimPicture take_picture(Workspace &workspace, int width, int height) {
    return {workspace.take<float>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)).data(), width,
            height};
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

void put_picture(const SsimPicture &picture, Taps taps, int stage) {
    for (int y = 0; y < picture.height; y++)
        for (int x = 0; x < picture.width; x++)
            taps.put_f32(stage, x, y, picture.row(y)[x]);
}

void put_pixel(const SsimMoments &moments, const SsimSimilarity &similarity, Taps taps, int first_stage, int x, int y) {
    const float planes[] = {moments.reference, moments.distorted, moments.reference_square, moments.distorted_square,
                            moments.product};
    int stage = first_stage + ssim_stage_moments;
    for (const float plane : planes)
        taps.put_f32(stage++, x, y, plane);
    taps.put(stage++, x, y, word_of(similarity.l));
    taps.put(stage++, x, y, word_of(similarity.c));
    taps.put_f32(stage, x, y, similarity.s);
}

class FloatSsimReference final : public Extractor {
  public:
    FloatSsimReference(int bit_depth, int factor) : bit_depth_(bit_depth), box_(factor) {}

    void extract(const PictureWindow &frames, Workspace &workspace, Words words, Taps taps) const override {
        const SsimPicture reference = load(frames.reference->plane(0), workspace);
        const SsimPicture distorted = load(frames.distorted->plane(0), workspace);
        const SsimMeans means = ssim_compare(reference, distorted, workspace, taps, 0);
        words[ssim_word_lcs] = word_of(means.lcs);
        words[ssim_word_l] = word_of(means.l);
        words[ssim_word_c] = word_of(means.c);
        words[ssim_word_s] = word_of(means.s);
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

SsimBox::SsimBox(int factor) : size(factor) { taps.fill(1.0f / static_cast<float>(factor * factor)); }

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
    if (taps.memory) {
        put_picture(reference, taps, first_stage + ssim_stage_reference);
        put_picture(distorted, taps, first_stage + ssim_stage_distorted);
    }
    double lcs = 0, l = 0, c = 0, s = 0;
    for (int y = 0; y < r.height; y++)
        for (int x = 0; x < r.width; x++) {
            const SsimMoments moments{r.row(y)[x], d.row(y)[x], rr.row(y)[x], dd.row(y)[x], rd.row(y)[x]};
            const SsimSimilarity similarity = ssim_similarity(moments);
            lcs += similarity.l * similarity.c * static_cast<double>(similarity.s);
            l += similarity.l;
            c += similarity.c;
            s += static_cast<double>(similarity.s);
            if (taps.memory)
                put_pixel(moments, similarity, taps, first_stage, x, y);
        }
    const double count = static_cast<double>(r.width) * r.height;
    return {static_cast<float>(lcs / count), static_cast<float>(l / count), static_cast<float>(c / count),
            static_cast<float>(s / count)};
}

std::unique_ptr<Extractor> make_float_ssim_reference(const VideoFormat &format, int factor) {
    return std::make_unique<FloatSsimReference>(format.bit_depth, factor);
}

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
// The stages of SSIM, and its words.
#include "features/float_ssim/float_ssim.hpp"

namespace isovmaf {

namespace {

void put_ssim_picture(const SsimPicture &picture, Taps taps, int stage) {
    for (int y = 0; y < picture.height; y++)
        for (int x = 0; x < picture.width; x++)
            taps.put_f32(stage, x, y, picture.row(y)[x]);
}

} // namespace

SsimMeans ssim_means(const SsimSums &sums, double pixels) {
    return {static_cast<float>(sums.lcs / pixels), static_cast<float>(sums.l / pixels),
            static_cast<float>(sums.c / pixels), static_cast<float>(sums.s / pixels)};
}

void put_ssim_means(const SsimMeans &means, Words words) {
    words[ssim_word_lcs] = word_of(means.lcs);
    words[ssim_word_l] = word_of(means.l);
    words[ssim_word_c] = word_of(means.c);
    words[ssim_word_s] = word_of(means.s);
}

void add_ssim_stages(const std::string &prefix, int width, int height, std::vector<Stage> &stages) {
    const auto add = [&](const char *name, int w, int h, WordKind kind) {
        stages.push_back({.name = prefix + name, .width = w, .height = h, .kind = kind});
    };
    for (const char *const name : {"reference", "distorted picture"})
        add(name, width, height, WordKind::f32);
    const int smooth_width = width - SSIM_TAP_COUNT + 1, smooth_height = height - SSIM_TAP_COUNT + 1;
    for (const char *const name :
         {"smoothed reference", "smoothed distorted picture", "smoothed square of the reference",
          "smoothed square of the distorted picture", "smoothed product"})
        add(name, smooth_width, smooth_height, WordKind::f32);
    for (const char *const name : {"luminance", "contrast"})
        add(name, smooth_width, smooth_height, WordKind::f64);
    add("structure", smooth_width, smooth_height, WordKind::f32);
}

void put_ssim_pictures(const SsimPicture &reference, const SsimPicture &distorted, Taps taps, int first_stage) {
    if (!taps.memory)
        return;
    put_ssim_picture(reference, taps, first_stage + ssim_stage_reference);
    put_ssim_picture(distorted, taps, first_stage + ssim_stage_distorted);
}

void put_ssim_pixel(const SsimMoments &moments, const SsimSimilarity &similarity, Taps taps, int first_stage, int x,
                    int y) {
    if (!taps.memory)
        return;
    const float planes[] = {moments.reference, moments.distorted, moments.reference_square, moments.distorted_square,
                            moments.product};
    int stage = first_stage + ssim_stage_moments;
    for (const float plane : planes)
        taps.put_f32(stage++, x, y, plane);
    taps.put(stage++, x, y, word_of(similarity.l));
    taps.put(stage++, x, y, word_of(similarity.c));
    taps.put_f32(stage, x, y, similarity.s);
}

} // namespace isovmaf

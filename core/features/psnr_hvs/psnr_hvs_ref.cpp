// SPDX-License-Identifier: BSD-2-Clause-Patent
// The definition of PSNR-HVS's sums: weighted errors beyond the masking threshold (features.md §9).
#include <algorithm>
#include <cmath>

#include "features/psnr_hvs/psnr_hvs.hpp"

namespace isovmaf {

namespace {

constexpr int psnr_hvs_quadrants = 4;

/// Samples or coefficients of a block.
struct PsnrHvsBlock {
    std::int32_t at[PSNR_HVS_BLOCK][PSNR_HVS_BLOCK];
};

template <class Sample>
PsnrHvsBlock samples_at(const Plane &plane, int x, int y) {
    PsnrHvsBlock block;
    for (int i = 0; i < PSNR_HVS_BLOCK; i++)
        std::copy_n(plane.row<Sample>(y + i) + x, PSNR_HVS_BLOCK, block.at[i]);
    return block;
}

float squared(float v) { return v * v; }

/// How much of the variance lies within quadrants, 0 in a flat block (§9.1).
float variance_ratio(const PsnrHvsBlock &block) {
    std::int32_t sum = 0, quadrant_sums[psnr_hvs_quadrants] = {};
    for (int i = 0; i < PSNR_HVS_BLOCK; i++)
        for (int j = 0; j < PSNR_HVS_BLOCK; j++) {
            sum += block.at[i][j];
            quadrant_sums[psnr_hvs_quadrant(i, j)] += block.at[i][j];
        }
    const float mean = static_cast<float>(sum) / 64;
    float variance = 0, quadrants[psnr_hvs_quadrants] = {};
    for (int i = 0; i < PSNR_HVS_BLOCK; i++)
        for (int j = 0; j < PSNR_HVS_BLOCK; j++) {
            const int q = psnr_hvs_quadrant(i, j);
            const auto sample = static_cast<float>(block.at[i][j]);
            variance += squared(sample - mean);
            quadrants[q] += squared(sample - static_cast<float>(quadrant_sums[q]) / 16);
        }
    variance *= PSNR_HVS_VARIANCE_SCALE;
    for (float &quadrant : quadrants)
        quadrant *= PSNR_HVS_QUADRANT_SCALE;
    if (variance > 0)
        variance = (((quadrants[0] + quadrants[1]) + quadrants[2]) + quadrants[3]) / variance;
    return variance;
}

/// The coefficients of a block's samples: row i has vertical frequency i (§9.2).
PsnrHvsBlock transformed(const PsnrHvsBlock &samples) {
    PsnrHvsBlock block = samples;
    auto &v = block.at;
    for (int j = 0; j < PSNR_HVS_BLOCK; j++) {
        const PsnrHvsEight y =
            psnr_hvs_transform({v[0][j], v[1][j], v[2][j], v[3][j], v[4][j], v[5][j], v[6][j], v[7][j]});
        v[0][j] = y.v0, v[1][j] = y.v1, v[2][j] = y.v2, v[3][j] = y.v3;
        v[4][j] = y.v4, v[5][j] = y.v5, v[6][j] = y.v6, v[7][j] = y.v7;
    }
    for (auto &row : v) {
        const PsnrHvsEight y = psnr_hvs_transform({row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]});
        row[0] = y.v0, row[1] = y.v1, row[2] = y.v2, row[3] = y.v3;
        row[4] = y.v4, row[5] = y.v5, row[6] = y.v6, row[7] = y.v7;
    }
    return block;
}

/// How much a picture's block hides of differences (§9.3). `ratio` is its variance_ratio.
float masking_strength(const PsnrHvsBlock &coefficients, float ratio, const PsnrHvsTables &tables) {
    float sum = 0;
    for (int k = 1; k < PSNR_HVS_COEFFICIENTS; k++) {
        const std::int32_t c = coefficients.at[k / PSNR_HVS_BLOCK][k % PSNR_HVS_BLOCK];
        sum += static_cast<float>(c * c) * tables.masks[k];
    }
    return std::sqrt(sum * ratio) / 32;
}

/// The addend of one coefficient (§9.4).
float weighted_error(std::int32_t reference, std::int32_t distorted, float strength, int k,
                     const PsnrHvsTables &tables) {
    auto error = static_cast<float>(std::abs(reference - distorted));
    if (k > 0) {
        const float threshold = strength / tables.masks[k];
        error = error < threshold ? 0 : error - threshold;
    }
    return squared(error * tables.weights[k]);
}

template <class Sample>
class PsnrHvsReference final : public Extractor {
  public:
    void extract(const PictureWindow &frames, Workspace &, Words sums, Taps taps) const override {
        for (int p = 0; p < psnr_hvs_planes; p++)
            sums[static_cast<std::size_t>(p)] =
                word_of(plane_sum(frames.reference->plane(p), frames.distorted->plane(p), p, taps));
    }

  private:
    static float plane_sum(const Plane &reference, const Plane &distorted, int plane, Taps taps) {
        const PsnrHvsTables tables = psnr_hvs_tables(plane);
        const PsnrHvsStages stages(plane);
        float sum = 0; // of all blocks, one addend after the other
        for (int y = 0; y < psnr_hvs_blocks(reference.height); y++)
            for (int x = 0; x < psnr_hvs_blocks(reference.width); x++) {
                const PsnrHvsBlock r_samples = samples_at<Sample>(reference, x * PSNR_HVS_STEP, y * PSNR_HVS_STEP);
                const PsnrHvsBlock d_samples = samples_at<Sample>(distorted, x * PSNR_HVS_STEP, y * PSNR_HVS_STEP);
                const PsnrHvsBlock r = transformed(r_samples), d = transformed(d_samples);
                const float strength = std::max(masking_strength(r, variance_ratio(r_samples), tables),
                                                masking_strength(d, variance_ratio(d_samples), tables));
                if (taps.memory)
                    taps.put_f32(stages.strengths, x, y, strength);
                for (int k = 0; k < PSNR_HVS_COEFFICIENTS; k++) {
                    const int i = k / PSNR_HVS_BLOCK, j = k % PSNR_HVS_BLOCK;
                    const float error = weighted_error(r.at[i][j], d.at[i][j], strength, k, tables);
                    sum += error;
                    if (!taps.memory)
                        continue;
                    taps.put(stages.reference, x * PSNR_HVS_BLOCK + j, y * PSNR_HVS_BLOCK + i, r.at[i][j]);
                    taps.put(stages.distorted, x * PSNR_HVS_BLOCK + j, y * PSNR_HVS_BLOCK + i, d.at[i][j]);
                    taps.put_f32(stages.errors, x * PSNR_HVS_BLOCK + j, y * PSNR_HVS_BLOCK + i, error);
                }
            }
        return sum;
    }
};

} // namespace

std::unique_ptr<Extractor> make_psnr_hvs_reference(const VideoFormat &format) {
    if (format.bytes_per_sample() == 1)
        return std::make_unique<PsnrHvsReference<std::uint8_t>>();
    return std::make_unique<PsnrHvsReference<std::uint16_t>>();
}

} // namespace isovmaf

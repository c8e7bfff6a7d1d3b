// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "features/cambi/cambi_settings.hpp"
#include "features/feature.hpp"

namespace isovmaf {

/// CAMBI: visible bands in flat parts of the distorted luma, at five scales (cambi.md).
extern const FeatureDescriptor cambi_feature;

/// c-values of one picture, at all scales.
struct CambiCounts {
    std::size_t picture = 0; ///< index in CambiDemand::pictures
    CambiContrast contrast;

    friend bool operator==(const CambiCounts &, const CambiCounts &) = default;
};

/// Sums of the largest c-values, one for each scale.
struct CambiSums {
    std::size_t counts = 0; ///< index in CambiDemand::counts
    double topk = 0;

    friend bool operator==(const CambiSums &, const CambiSums &) = default;
};

/// What one extraction computes. Option sets share pictures, counts and sums that are equal.
///
/// Words: CAMBI_SCALE_COUNT for each of `sums`, scale 0 first. Each is an f64, the sum of the K largest c-values of the
/// scale (cambi.md §7). Extractors write one more, number word_count(): the flag. Kernels add integers, and flag a
/// frame where rounding depends on the order of §7.
struct CambiDemand {
    std::vector<CambiPicture> pictures;
    std::vector<CambiCounts> counts;
    std::vector<CambiSums> sums;

    /// Index in `sums` of the sums with these properties, which are added unless they are there.
    std::size_t add(const CambiPicture &picture, const CambiContrast &contrast, double topk);

    [[nodiscard]] std::size_t word_count() const { return sums.size() * CAMBI_SCALE_COUNT; }
};

/// Numbers of stages: all stages of the first picture, of the second ..., then those of the counts.
struct CambiStages {
    int picture_count = 0;

    static constexpr int for_each_picture = 2 + CAMBI_SCALE_COUNT;

    [[nodiscard]] int preprocessed(std::size_t picture) const { return static_cast<int>(picture) * for_each_picture; }
    [[nodiscard]] int mask(std::size_t picture) const { return preprocessed(picture) + 1; }
    [[nodiscard]] int filtered(std::size_t picture, std::size_t scale) const {
        return preprocessed(picture) + 2 + static_cast<int>(scale);
    }
    [[nodiscard]] int c_values(std::size_t counts, std::size_t scale) const {
        return picture_count * for_each_picture + static_cast<int>(counts * CAMBI_SCALE_COUNT + scale);
    }
};
[[nodiscard]] CambiStages cambi_stages(const CambiDemand &demand);

/// Stand-ins for 1 / i, i up to the largest count of pixels in a window: the f32 nearest to 1 / i rounded to nine
/// decimal digits; 0 for 0 (cambi.md §6).
[[nodiscard]] const std::array<float, CAMBI_RECIPROCAL_COUNT> &cambi_reciprocals();

/// The f64 sum of the `count` largest values, added in the order of cambi.md §7. Moves the values, which are those of a
/// scale in raster order. 1 <= count <= values.size().
[[nodiscard]] double cambi_pooled_sum(std::span<float> values, std::size_t count);

/// Which sample of `count` stands for each of `scaled_count` when a picture is scaled (cambi.md §3).
[[nodiscard]] std::vector<int> cambi_scaled_positions(int count, int scaled_count);

/// cambi_ref.cpp: the definition.
std::unique_ptr<Extractor> make_cambi_reference(const VideoFormat &format, const CambiDemand &demand);

/// cambi_cpu.cpp: the CPU path, at the newest level up to `cap`; null if there is none.
std::unique_ptr<Extractor> make_cambi_cpu(const VideoFormat &format, const CambiDemand &demand, CpuLevel cap);

/// cambi_gpu.cpp
std::unique_ptr<GpuExtractor> make_cambi_gpu(const VideoFormat &format, const CambiDemand &demand);

/// Where the sums of an option set's pictures are in a demand.
struct CambiSumsUsed {
    std::size_t distorted = 0, source = 0; ///< the latter for full_ref
};

/// cambi_finish.cpp
std::unique_ptr<Finisher> make_cambi_finisher(const CambiSettings &settings, const CambiSumsUsed &used);

} // namespace isovmaf

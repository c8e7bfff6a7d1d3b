// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <string>
#include <vector>

#include "features/feature.hpp"
#include "features/speed/speed_math.h"

/// SpEED: how much the local entropies of two pictures differ (speed.md). What speed_chroma and speed_temporal
/// share. An analysis takes one plane to 25 eigenvalues and to one variance for each block; a comparison takes two
/// analyses to a score.
namespace isovmaf {

/// Where the samples of an analysis come from. A change is the previous picture minus this one.
enum class SpeedSource : std::uint8_t {
    reference_cb,
    distorted_cb,
    reference_cr,
    distorted_cr,
    reference_change,
    distorted_change,
    distorted_against_reference, ///< the previous distorted picture minus this frame's reference
};

/// Planes of a frame: what is analysed is `samples`, or `samples` - `subtracted` where that is not null. Null
/// `samples`: there is no earlier frame.
struct SpeedInput {
    const Plane *samples = nullptr, *subtracted = nullptr;
};
[[nodiscard]] SpeedInput speed_input(SpeedSource source, const PictureWindow &frames);

enum class SpeedMethod : std::uint8_t { nearest, bilinear, bicubic, lanczos4 };

/// Options ks, ps and psm.
struct SpeedPreparation {
    double kernelscale = 1, prescale = 1;
    SpeedMethod method = SpeedMethod::nearest;

    friend bool operator==(const SpeedPreparation &, const SpeedPreparation &) = default;
};

/// Sizes on the way from a plane to blocks (speed.md §2), in samples.
struct SpeedGeometry {
    int width = 0, height = 0;               ///< of the plane
    int scaled_width = 0, scaled_height = 0; ///< after prescaling
    bool resampled = false;                  ///< the prescale is not 1
    int kept_width = 0, kept_height = 0;     ///< after decimation
    int blocks_across = 0, blocks_down = 0;

    [[nodiscard]] int block_count() const { return blocks_across * blocks_down; }
    /// Places that a block of 5x5 can have: what means and covariances count.
    [[nodiscard]] int places_across() const { return SPEED_BLOCK * blocks_across - (SPEED_BLOCK - 1); }
    [[nodiscard]] int places_down() const { return SPEED_BLOCK * blocks_down - (SPEED_BLOCK - 1); }
};
[[nodiscard]] SpeedGeometry speed_geometry(int width, int height, double prescale);

/// What scores of one comparison depend on besides its analyses: options snn, nnf and wvm.
struct SpeedScoring {
    double sigma_nn = 0, nn_floor = 0;
    int weight_mode = 0;

    friend bool operator==(const SpeedScoring &, const SpeedScoring &) = default;
};

/// One plane, prepared in one way.
struct SpeedAnalysis {
    SpeedSource source = SpeedSource::reference_cb;
    SpeedPreparation preparation;

    friend bool operator==(const SpeedAnalysis &, const SpeedAnalysis &) = default;
};

/// Places of an analysis' words among the extracted ones. All of them are 0 when the analysis has no earlier frame, and
/// all but `bad` are 0 when it is bad.
struct SpeedWords {
    std::size_t eigenvalues = 0; ///< SPEED_VALUES of them
    std::size_t variances = 0;   ///< one for each block, in raster order
    std::size_t bad = 0;         ///< 1: the covariance matrix is singular
};

/// Two analyses and a scoring: what a Completion keeps of them is a score, and 1 where one of the two is bad.
struct SpeedComparison {
    std::size_t reference = 0, distorted = 0; ///< analyses
    SpeedScoring scoring;

    friend bool operator==(const SpeedComparison &, const SpeedComparison &) = default;
};

/// Numbers of an analysis' stages, in the order of computation.
struct SpeedStages {
    int first = 0;

    [[nodiscard]] int kept() const { return first; }            ///< low-pass filtered samples, decimated
    [[nodiscard]] int local() const { return first + 1; }       ///< the same without their local mean
    [[nodiscard]] int means() const { return first + 2; }       ///< 25 values
    [[nodiscard]] int covariances() const { return first + 3; } ///< 25 rows of 25
    [[nodiscard]] int eigenvalues() const { return first + 4; }
    [[nodiscard]] int variances() const { return first + 5; } ///< a value for each block
    static constexpr int count = 6;
};

/// All that one extraction computes. Option sets that need the same analysis or comparison share it.
struct SpeedDemand {
    VideoFormat format;
    std::vector<SpeedAnalysis> analyses = {};
    std::vector<SpeedComparison> comparisons = {};

    /// Number of the comparison; adds it, and its analyses, unless they are there.
    std::size_t add(SpeedSource reference, SpeedSource distorted, const SpeedPreparation &preparation,
                    const SpeedScoring &scoring);

    [[nodiscard]] SpeedGeometry geometry(std::size_t analysis) const;
    [[nodiscard]] SpeedStages stages(std::size_t analysis) const {
        return {static_cast<int>(analysis) * SpeedStages::count};
    }
    /// Of each analysis.
    [[nodiscard]] std::vector<SpeedWords> words() const;

    /// Kept words of a comparison.
    static constexpr std::size_t score_word(std::size_t comparison) { return 2 * comparison; }
    static constexpr std::size_t bad_word(std::size_t comparison) { return 2 * comparison + 1; }
};

/// A float as a word. All NaNs are one word: their signs depend on the processor.
[[nodiscard]] std::int64_t speed_word(float value);

/// speed_plan.cpp
[[nodiscard]] FeaturePlan speed_plan(const SpeedDemand &demand, std::vector<FeatureVariant> variants, CpuLevel cap);

/// speed_ref.cpp: the definition.
std::unique_ptr<Extractor> make_speed_reference(const SpeedDemand &demand);

/// speed_cpu.cpp: the CPU path, at the newest level up to `cap`; null if there is none.
std::unique_ptr<Extractor> make_speed_cpu(const SpeedDemand &demand, CpuLevel cap);

/// speed_gpu.cpp: the passes on a device.
std::unique_ptr<GpuExtractor> make_speed_gpu(const SpeedDemand &demand);

/// speed_completion.cpp: from analyses to scores (§8), at the newest level up to `cap`.
std::unique_ptr<Completion> make_speed_completion(const SpeedDemand &demand, CpuLevel cap);

} // namespace isovmaf

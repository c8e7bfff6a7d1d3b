// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/feature.hpp"
#include "features/semantics.hpp"

namespace isovmaf {

/// Motion: how much the blurred reference luma changes from frame to frame (features.md §2).
extern const FeatureDescriptor motion_feature;

/// What one extraction computes: the sum of absolute blurred differences at each distance in use.
struct MotionDemand {
    MotionBlur blur = MotionBlur::difference;
    bool one_back = false; ///< frame n against n-1
    bool two_back = false; ///< frame n against n-2 (five-frame window)
};

/// Which word has the sum of frame n against frame n - distance. That of two blurred neighbours has a word of its own.
[[nodiscard]] constexpr std::size_t motion_word(MotionBlur blur, std::int64_t distance) {
    return distance == 2 ? 1 : blur == MotionBlur::difference ? 0 : 2;
}

/// Stages of one difference: down the columns, along the rows too, and the sums of absolute values of each row. Those
/// of a demand follow each other, one_back first. Where each picture is blurred, a layer is a picture: the earlier one,
/// the current.
struct MotionStages {
    int first = 0; ///< number of the first stage
    int layers = 1;

    [[nodiscard]] int column(int layer) const { return first + layer; }
    [[nodiscard]] int blurred(int layer) const { return first + layers + layer; }
    [[nodiscard]] int row_sums() const { return first + 2 * layers; }
    [[nodiscard]] int end() const { return row_sums() + 1; }
};

struct MotionDemandStages {
    MotionStages one_back, two_back;
};
[[nodiscard]] MotionDemandStages motion_stages(const MotionDemand &demand);

/// motion_ref.cpp: the definition.
std::unique_ptr<Extractor> make_motion_reference(const VideoFormat &format, const MotionDemand &demand);

/// motion_cpu.cpp: the CPU path, at the newest level up to `cap`; null if there is none.
std::unique_ptr<Extractor> make_motion_cpu(const VideoFormat &format, const MotionDemand &demand, CpuLevel cap);

/// motion_gpu.cpp: the passes of motion.cu.
std::unique_ptr<GpuExtractor> make_motion_gpu(const VideoFormat &format, const MotionDemand &demand);

/// motion_finish.cpp. `options` belong to motion_feature.
std::unique_ptr<Finisher> make_motion_finisher(const PlanContext &context, const OptionSet &options);

/// Outputs of motion_feature that `options` switch on, in the order in which its finisher numbers them.
std::vector<OutputSpec> motion_outputs(const PlanContext &context, const OptionSet &options);

} // namespace isovmaf

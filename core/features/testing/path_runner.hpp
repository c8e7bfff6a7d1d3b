// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string_view>
#include <vector>

#include "features/testing/feature_runner.hpp"

namespace isovmaf::testing {

/// Every width is tested up to here, which is more than four of the longest vectors; beyond, every `wide_step`th.
/// Sanitized builds compute ten times as long, and find a read beyond a row at the first width that has it.
constexpr int narrow_width = 132;
#ifdef ISOVMAF_SANITIZED
constexpr int wide_step = 7;
constexpr int depth_step = 4;                    ///< 8, 12 and 16 bit
constexpr int needed_pictures = 2;               ///< in the smallest size that a feature takes, where that is wide
constexpr std::size_t bands_of_later_frames = 0; ///< numbers of bands: see expect_definition
#else
constexpr int wide_step = 1;
constexpr int depth_step = 1;
constexpr int needed_pictures = 3;
constexpr std::size_t bands_of_later_frames = 1;
#endif

/// Runs a feature's CPU path on every frame of a clip, at every level that this processor has, in one piece and in
/// bands, and expects the definition's words and its values at every stage, in every bit. Fails when a level has no CPU
/// path. Words are extracted twice: with taps, and without them. The first frame that has all its earlier ones is also
/// extracted from guarded frames, so that the process ends if a sample outside a row is read. Up to it, frames are cut
/// into every number of bands, later ones into one number, which is another for each frame: bands and taps read and
/// write in the same places, whatever the samples are. Sanitized builds extract later frames without taps alone.
void expect_definition(std::string_view feature, const std::vector<OptionTexts> &option_sets,
                       const std::vector<FramePair> &clip, Semantics semantics = Semantics::libvmaf_3_2);

/// Pictures on which vector code goes wrong: noise, equal frames, black beside white, alternating samples, ramps,
/// gradients with little noise, grain, and samples beyond the bit depth. The same seed gives the same pictures.
std::vector<FramePair> hard_clip(const VideoFormat &format, std::uint32_t seed);

/// The same without samples beyond the bit depth, which sessions refuse: some features need not define them.
std::vector<FramePair> hard_clip_within_depth(const VideoFormat &format, std::uint32_t seed);

/// The seed of a test's pictures: ISOVMAF_TEST_SEED, or 1. It is printed once.
std::uint32_t test_seed();

} // namespace isovmaf::testing

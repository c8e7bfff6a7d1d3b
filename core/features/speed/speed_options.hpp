// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <string>

#include "features/speed/speed.hpp"

/// The options that speed_chroma and speed_temporal share (speed.md §1), and what they make of them.
namespace isovmaf {

inline constexpr std::string_view speed_method_names[] = {"nearest", "bilinear", "bicubic", "lanczos4"};

inline const OptionSpec speed_kernelscale_option{
    "speed_kernelscale", "ks", "size of the Gaussian filters, one of a list of factors", 1.0, 0.1, 4};
inline const OptionSpec speed_prescale_option{
    "speed_prescale", "ps", "factor by which pictures are resized first", 1.0, 0.1, 4};
inline const OptionSpec speed_prescale_method_option{
    "speed_prescale_method", "psm", "how pictures are resized", std::string("nearest"), 0, 0, Naming::in_name,
    speed_method_names};
inline const OptionSpec speed_sigma_nn_option{"speed_sigma_nn", "snn", "variance of the neural noise", 0.29, 0.1, 2};
inline const OptionSpec speed_nn_floor_option{
    "speed_nn_floor", "nnf", "share by which entropies must exceed the noise's to count", 0.0, 0, 1};

[[nodiscard]] SpeedPreparation speed_preparation(const OptionSet &options);

/// With weight mode 0 where the feature has no such option.
[[nodiscard]] SpeedScoring speed_scoring(const OptionSet &options, int weight_mode);

/// What the options ask of a video whose planes 1 and 2, or plane 0, are analysed: sides of at least
/// SPEED_SMALLEST_SIDE after prescaling, and options that the specification has.
[[nodiscard]] FeatureNeeds speed_needs(const VideoFormat &format, const OptionSet &options, PlaneUse planes);

} // namespace isovmaf

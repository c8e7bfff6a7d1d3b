// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/speed/speed_options.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "features/speed/speed_taps.hpp"

namespace isovmaf {

namespace {

/// Samples that a side of a plane needs so that it has SPEED_SMALLEST_SIDE of them after prescaling.
int smallest_side(double prescale) {
    int side = 1;
    while (speed_geometry(side, side, prescale).scaled_width < SPEED_SMALLEST_SIDE)
        side++;
    return side;
}

/// Why the options have no meaning; empty if they have one.
std::string refusal(const SpeedPreparation &preparation) {
    if (!is_speed_kernelscale(preparation.kernelscale)) {
        std::vector<std::string> known;
        std::ranges::transform(speed_kernelscales(), std::back_inserter(known), format_g);
        return fmt::format("speed_kernelscale {} is not one of {}", format_g(preparation.kernelscale),
                           fmt::join(known, ", "));
    }
    if (preparation.prescale > 1 && preparation.prescale - 1 < SPEED_SAME_SCALE)
        return fmt::format("speed_prescale {} is too close to 1 to resize pictures: give 1 or {}",
                           format_g(preparation.prescale), format_g(1 + SPEED_SAME_SCALE));
    return {};
}

} // namespace

SpeedPreparation speed_preparation(const OptionSet &options) {
    const auto method = std::ranges::find(speed_method_names, options.words("speed_prescale_method"));
    return {options.number("speed_kernelscale"), options.number("speed_prescale"),
            static_cast<SpeedMethod>(method - std::begin(speed_method_names))};
}

SpeedScoring speed_scoring(const OptionSet &options, int weight_mode) {
    return {options.number("speed_sigma_nn"), options.number("speed_nn_floor"), weight_mode};
}

FeatureNeeds speed_needs(const VideoFormat &format, const OptionSet &options, PlaneUse planes) {
    const SpeedPreparation preparation = speed_preparation(options);
    const int side = smallest_side(preparation.prescale);
    FeatureNeeds needs{.width = side, .height = side, .depths = BitDepths::of({8, 10, 12, 16}), .planes = planes};
    if (planes == PlaneUse::chroma) {
        needs.chroma = true;
        needs.width <<= format.chroma_shift_x();
        needs.height <<= format.chroma_shift_y();
    }
    needs.refusal = refusal(preparation);
    return needs;
}

} // namespace isovmaf

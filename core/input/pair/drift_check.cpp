// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/drift_check.hpp"

#include <cmath>

#include <fmt/format.h>

#include "input/pair/sync.hpp"

namespace isovmaf {

DriftCheck::DriftCheck(const SourceInfo &reference, std::int64_t skip_reference, const SourceInfo &distorted,
                       std::int64_t skip_distorted)
    : reference_{display_name(reference.name), skip_reference}, distorted_{display_name(distorted.name),
                                                                           skip_distorted} {
    if (!rates_differ(reference, distorted) || reference.timing.variable || distorted.timing.variable)
        tolerance_seconds_ = half_frame_seconds(reference, distorted);
}

void DriftCheck::start(std::optional<double> reference_seconds, std::optional<double> distorted_seconds) {
    if (!reference_seconds || !distorted_seconds)
        return;
    reference_.first_seconds = *reference_seconds;
    distorted_.first_seconds = *distorted_seconds;
}

std::optional<std::string> DriftCheck::see(std::int64_t number, const Frame &reference, const Frame &distorted) {
    if (!tolerance_seconds_ || !reference.seconds() || !distorted.seconds())
        return std::nullopt;
    const double r = *reference.seconds() - reference_.first_seconds;
    const double d = *distorted.seconds() - distorted_.first_seconds;
    if (std::abs(r - d) <= *tolerance_seconds_)
        return std::nullopt;
    tolerance_seconds_.reset(); // one warning is enough
    return fmt::format(
        "frame {} of reference {} is shown {:.3f} s after its first frame, and frame {} of distorted {}, its "
        "partner, {:.3f} s: frames seem to be dropped or repeated; use --sync pts to pair frames by presentation "
        "time, or --sync index --offset",
        number + reference_.skip, reference_.name, r, number + distorted_.skip, distorted_.name, d);
}

} // namespace isovmaf

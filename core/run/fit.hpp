// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "run/format_agreement.hpp"
#include "run/video_request.hpp"

/// What --fit decides by what two files say of themselves. Each function leaves alone what an option by hand says, and
/// adds what it decides to VideoRequest::settled.
namespace isovmaf {

/// Gives the side with more chroma that of the other, where a feature reads chroma; and its bits, where bits are added
/// by shifting samples, so that chroma is interpolated with them. `stored`: the pair before any conversion.
Result<void> fit_chroma(VideoRequest &request, const PairInfo &stored);

/// Converts the distorted video to the range of the reference where both state one, and they differ.
void fit_range(VideoRequest &request, const PairInfo &stored);

/// Scales the distorted video to the size of the reference where sizes differ after the crops of the request.
/// `converted`: the pair after chroma has changed and pictures were turned.
void fit_size(VideoRequest &request, const PairInfo &converted);

} // namespace isovmaf

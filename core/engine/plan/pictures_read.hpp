// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "features/feature.hpp"
#include "isovmaf/request.hpp"

/// What the features of a session read of pictures, before there is a session. The functions fail where Session::create
/// does because of models, features or the format.
namespace isovmaf {

/// The names of the features that read chroma.
[[nodiscard]] Result<std::vector<std::string>> features_reading_chroma(const ScoringOptions &options,
                                                                       const VideoFormat &format);

/// The same for videos whose format is known later: see VideoRequest::chroma_readers.
[[nodiscard]] std::function<Result<std::vector<std::string>>(const VideoFormat &)>
chroma_readers_of(const ScoringOptions &options);

/// The earlier frames that some feature reads.
[[nodiscard]] Result<EarlierFrames> earlier_frames_read(const ScoringOptions &options, const VideoFormat &format);

} // namespace isovmaf

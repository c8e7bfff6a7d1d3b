// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isovmaf/isovmaf.hpp"

namespace isovmaf {

/// The names of the features that read chroma in a session with these options. Fails where Session::create does because
/// of models, features or the format.
[[nodiscard]] Result<std::vector<std::string>> features_reading_chroma(const ScoringOptions &options,
                                                                       const VideoFormat &format);

/// The same for videos whose format is known later: see VideoRequest::chroma_readers.
[[nodiscard]] std::function<Result<std::vector<std::string>>(const VideoFormat &)>
chroma_readers_of(const ScoringOptions &options);

} // namespace isovmaf

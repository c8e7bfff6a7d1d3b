// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "input/pair/pair_source.hpp"
#include "input/pair/sync.hpp"
#include "input/source_info.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// Fails unless these options are possible, and both videos have the same size, chroma subsampling and bit depth: the
/// error says what would help. Else the mode and the tolerance with which `options` pair the frames of these videos.
[[nodiscard]] Result<SyncResult> check_pair(const SourceInfo &reference, const SourceInfo &distorted,
                                            const PairOptions &options);

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "input/pair/pair_source.hpp"
#include "isovmaf/result.hpp"
#include "request/option_table.hpp"

/// The part of a command line that says which frames belong together.
namespace isovmaf {

struct SyncArguments {
    std::string sync = "auto";
    std::optional<double> sync_tolerance;
    bool align = false;      ///< look for a better offset and report its gain
    int align_range = 10;    ///< the largest offset that is looked for
    std::int64_t offset = 0; ///< reference frame n is paired with distorted frame n + offset
};

/// The values that --sync takes.
[[nodiscard]] std::vector<std::string> sync_mode_names();

/// The options that say how frames are paired, without those that look for a better offset.
[[nodiscard]] std::span<const RequestOption<SyncArguments>> pairing_options();

/// Pairs reference frame n with distorted frame n + `offset`, on top of the frames that `options` skip.
void add_offset(std::int64_t offset, PairOptions &options);

/// Adds the arguments to options whose frames to skip are set already. Fails with invalid_argument when they contradict
/// each other.
Result<void> apply_sync(const SyncArguments &arguments, PairOptions &options);

} // namespace isovmaf

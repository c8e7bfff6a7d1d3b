// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace isovmaf::batch {

/// Seconds of a time as Slurm's commands print it: "1-02:03:04" (days), "02:03:04" or "03:04" (minutes). Nothing when
/// the text is no time, as "NOT_SET".
[[nodiscard]] std::optional<std::int64_t> parse_slurm_time(std::string_view text);

} // namespace isovmaf::batch

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace isovmaf {

/// All frames of a video in one row under a title: `worst` has a bucket of UlpHistogram per frame. Where there are more
/// frames than columns, a column shows the worst of its frames. Words beside the row say which frames differ.
[[nodiscard]] std::string strip_html(std::string_view title, std::span<const std::uint8_t> worst);

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

#include "diff/result.hpp"

/// Pictures of the HTML report. Their classes are those of html_style.hpp.
namespace isovmaf::diff {

/// Text as HTML, in attributes too.
[[nodiscard]] std::string html_escape(std::string_view text);

/// Counts on a log scale by distance.
[[nodiscard]] std::string histogram_svg(const UlpHistogram &histogram);

/// All frames of a side in one row, the worst one of each column when there are many, and in words which ones differ.
[[nodiscard]] std::string strip_html(const Strip &strip);

/// A stage with its axes and the place of the first difference; "" when the heat map does not hold what it says.
[[nodiscard]] std::string heat_html(const StageFault &fault);

/// Colours and what they mean, up to a level.
[[nodiscard]] std::string legend_html(std::size_t last_level, std::string_view unit);

} // namespace isovmaf::diff

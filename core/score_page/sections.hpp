// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>

#include "score_page/page_data.hpp"
#include "score_page/score_page.hpp"

/// The sections of the page from top to bottom, as HTML; "" where there is nothing to show.
namespace isovmaf {

[[nodiscard]] std::string headline_html(const ScorePage &page, std::span<const ShownColumn> columns);
[[nodiscard]] std::string notices_html(const ScorePage &page);
[[nodiscard]] std::string chart_html(const Report &report, std::span<const ShownColumn> columns);
[[nodiscard]] std::string worst_frames_html(const ScorePage &page, std::span<const ShownColumn> columns);
[[nodiscard]] std::string distribution_html(const Report &report, std::span<const ShownColumn> columns);
[[nodiscard]] std::string comparison_html(const Report &report);
[[nodiscard]] std::string execution_html(const Report &report);

} // namespace isovmaf

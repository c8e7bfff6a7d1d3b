// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>

#include "score_page/score_page.hpp"

namespace isovmaf {

/// The HTML report of several distorted videos of one reference: a table of their scores and files, charts with all of
/// them, and below these the page of each video as score_page_html makes it, to be opened, with fewer pictures and
/// numbers: four videos of some thousand frames have less than 2 MB. One file without network, whose title begins with
/// "isovmaf score".
[[nodiscard]] std::string videos_page_html(std::span<const ScorePage> videos, const std::string &command);

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "isovmaf/frame.hpp"

namespace isovmaf::testing {

/// Where the rows of a guarded frame lie in their pages.
enum class RowPlace : std::uint8_t { page_start, page_end };

/// A copy whose rows have pages of their own, with a page between rows that cannot be read. With `page_start`, reading
/// in front of a row ends the process; with `page_end`, reading behind its last sample does.
Frame guarded_frame(const Frame &frame, RowPlace place);

} // namespace isovmaf::testing

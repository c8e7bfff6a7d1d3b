// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "isovmaf/isovmaf.hpp"

namespace isovmaf {

std::string_view version() { return ISOVMAF_VERSION; }

} // namespace isovmaf

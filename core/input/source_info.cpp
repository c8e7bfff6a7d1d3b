// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/source_info.hpp"

#include <fmt/format.h>

namespace isovmaf {

std::string conversion_text(const Conversion &conversion) {
    return conversion.filter && !conversion.filter->empty()
               ? fmt::format("{}, as ffmpeg -vf {}", conversion.what, *conversion.filter)
               : conversion.what;
}

} // namespace isovmaf

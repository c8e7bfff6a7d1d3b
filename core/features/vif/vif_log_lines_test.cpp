// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/vif/vif_log_lines.h"

#include <gtest/gtest.h>

#include "features/vif/vif.hpp"

namespace isovmaf::vif_log_lines_test {
namespace {

TEST(VifLogLines, GiveEveryLogarithmOfTheTable) {
    const auto &lines = vif_log_lines();
    const auto &logs = vif_log_table();
    for (std::size_t i = 0; i < logs.size(); i++)
        ASSERT_EQ(vif_on_line(lines[i / VIF_LINE_LOGS], static_cast<std::uint32_t>(i % VIF_LINE_LOGS)) +
                      VIF_LINE_ORIGIN,
                  logs[i])
            << "logarithm " << i;
}

} // namespace
} // namespace isovmaf::vif_log_lines_test

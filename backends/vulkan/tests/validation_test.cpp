// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/instance/validation.hpp"

#include <gtest/gtest.h>

namespace isovmaf::vulkan {
namespace {

TEST(VulkanValidation, TheFirstMessageIsReported) {
    ValidationMessages messages;
    messages.require_none();
    messages.add("the first\nof two");
    messages.add("the second");
    for (int call = 0; call < 2; call++) {
        const Outcome outcome = plugin::outcome_of([&] { messages.require_none(); });
        EXPECT_EQ(outcome.status, ISOVMAF_FAILED);
        EXPECT_EQ(outcome.sentence, "the Vulkan validation layer says: the first of two");
    }
}

TEST(VulkanValidationDeathTest, AMessageThatWasNeverReportedAbortsTheProcess) {
    EXPECT_DEATH(ValidationMessages().add("too late"), "the Vulkan validation layer says: too late");
}

} // namespace
} // namespace isovmaf::vulkan

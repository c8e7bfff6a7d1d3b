// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/device/logical_device.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "common/outcome.hpp"

namespace isovmaf::vulkan {
namespace {

VkBuffer buffer(std::uintptr_t number) { return reinterpret_cast<VkBuffer>(number); }

class PlacementsTest : public ::testing::Test {
  protected:
    PlacementsTest() {
        placements_.add(0x1000, 0x100, {buffer(1)});
        placements_.add(0x1100, 0x10, {buffer(2), 0, true});
    }

    bool finds(VkDeviceAddress address, std::uint64_t bytes) const {
        try {
            (void)placements_.find(address, bytes);
            return true;
        } catch (const plugin::FailedOutcome &failure) {
            EXPECT_EQ(failure.outcome().status, ISOVMAF_INVALID);
            return false;
        }
    }

    Placements placements_;
};

TEST_F(PlacementsTest, AnAddressIsAnOffsetIntoTheBufferThatHoldsIt) {
    const Place first = placements_.find(0x10f0, 0x10), second = placements_.find(0x1100, 0x10);
    EXPECT_EQ(first.buffer, buffer(1));
    EXPECT_EQ(first.offset, 0xf0u);
    EXPECT_FALSE(first.external);
    EXPECT_EQ(second.buffer, buffer(2));
    EXPECT_EQ(second.offset, 0u);
    EXPECT_TRUE(second.external);
}

TEST_F(PlacementsTest, ARangeOutsideOneBufferIsInvalid) {
    EXPECT_FALSE(finds(0xfff, 1));
    EXPECT_FALSE(finds(0x10f0, 0x11));
    EXPECT_FALSE(finds(0x1110, 1));
    EXPECT_FALSE(finds(0x1000, std::numeric_limits<std::uint64_t>::max()));
    placements_.remove(0x1000);
    EXPECT_FALSE(finds(0x1000, 1));
    EXPECT_TRUE(finds(0x1108, 8));
}

} // namespace
} // namespace isovmaf::vulkan

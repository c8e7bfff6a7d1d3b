// SPDX-License-Identifier: BSD-2-Clause-Patent
// A device loss affects all users of the device, but not a user who opens it afterwards. The layer of fault_layer.cpp
// makes the second submission of the process fail.
#include <gmock/gmock.h>

#include "device/testing/test_device.hpp"

namespace isovmaf {
namespace {

using namespace testing;
using ::testing::HasSubstr;

TEST(VulkanLoss, AffectsAllUsersUntilTheDeviceIsOpenedAgain) {
    const Device first = open_test_device(), second = open_test_device();
    Queue queue = value_of(first.create_queue());
    const Buffer word = value_of(first.create_buffer(ISOVMAF_MEMORY_DEVICE, 4));
    Recorder recorder(first);
    recorder.fill(word.at(0), 4, 1);
    const Commands commands = value_of(recorder.finish());
    value_of(queue.run(commands));
    const Result<isovmaf_ticket> ticket = queue.submit(commands);
    ASSERT_FALSE(ticket);
    EXPECT_EQ(ticket.error().code, ErrorCode::device_lost);
    EXPECT_THAT(ticket.error().message, HasSubstr("submitting commands failed: VK_ERROR_DEVICE_LOST (-4)"));

    const Result<Buffer> buffer = second.create_buffer(ISOVMAF_MEMORY_DEVICE, 4);
    ASSERT_FALSE(buffer);
    EXPECT_EQ(buffer.error().code, ErrorCode::device_lost);
    EXPECT_EQ(buffer.error().message, ticket.error().message);

    const Device next = open_test_device();
    Queue sound = value_of(next.create_queue());
    const std::vector<std::uint32_t> values{1, 2, 3};
    const Buffer uploaded = upload<std::uint32_t>(next, sound, values);
    EXPECT_EQ(download<std::uint32_t>(next, sound, uploaded, values.size()), values);
}

} // namespace
} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/incoming_frame.hpp"

#include <gmock/gmock.h>

#include "base/failure.hpp"
#include "content/patterns.hpp"

namespace isovmaf::incoming_frame_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr VideoFormat format{.width = 8, .height = 4, .chroma = Chroma::k400};

DeviceHandle open(const std::string &name, std::uint32_t index) {
    const auto plugin = value_of(Plugin::open(std::string(ISOVMAF_FAKE_BACKENDS) + "/fake_" + name + ".so"));
    return std::make_shared<const Device>(value_of(Device::open(plugin, index)));
}

Frame frame_on(const DeviceHandle &device) {
    return Frame::on_device(device, format, std::make_shared<int>(), {4096}, {128});
}

Result<Frame> enter(const Frame &frame, const DeviceHandle &device) {
    FramePool pool(format);
    return enter_frame(frame, format, device, pool);
}

TEST(IncomingFrame, OfTheSessionsDeviceStaysThere) {
    const DeviceHandle device = open("sound", 1);
    const Result<Frame> same = enter(frame_on(device), device);
    ASSERT_TRUE(same) << same.error().message;
    EXPECT_EQ(same->address(0), 4096U);
    EXPECT_TRUE(enter(frame_on(open("sound", 1)), device)) << "opened once more";
}

TEST(IncomingFrame, OfAnotherDeviceIsRefusedWithBothNames) {
    for (const DeviceHandle &other : {open("sound", 0), open("cuda", 0)}) {
        const Result<Frame> entered = enter(frame_on(other), open("sound", 1));
        ASSERT_FALSE(entered);
        EXPECT_EQ(entered.error().code, ErrorCode::mismatch);
        EXPECT_THAT(entered.error().message,
                    AllOf(HasSubstr("memory of " + other->plugin().name() + ":0"), HasSubstr("computes on sound:1")));
    }
    const Result<Frame> on_cpu = enter(frame_on(open("sound", 0)), nullptr);
    ASSERT_FALSE(on_cpu);
    EXPECT_EQ(on_cpu.error().code, ErrorCode::unsupported);
}

TEST(IncomingFrame, WithoutAnOwnerIsCopied) {
    const Frame owned = constant_frame(format, 7);
    EXPECT_EQ(enter(owned, nullptr)->plane(0).data, owned.plane(0).data);
    const Frame unowned(format, nullptr, {owned.plane(0).data}, {owned.plane(0).stride_bytes});
    const Result<Frame> copy = enter(unowned, nullptr);
    ASSERT_TRUE(copy) << copy.error().message;
    EXPECT_NE(copy->plane(0).data, owned.plane(0).data);
    EXPECT_EQ(*copy->plane(0).row<std::uint8_t>(3), 7);
}

} // namespace
} // namespace isovmaf::incoming_frame_test

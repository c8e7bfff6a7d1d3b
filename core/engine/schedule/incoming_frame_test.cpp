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
    return enter_frame(frame, {format, device ? std::vector{device} : std::vector<DeviceHandle>()}, pool, {"a", 0});
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

TEST(IncomingFrame, MayLieOnAnyOfTheSessionsDevices) {
    const std::vector devices{open("sound", 0), open("sound", 1)};
    FramePool pool(format);
    for (const DeviceHandle &device : devices)
        EXPECT_TRUE(enter_frame(frame_on(device), {format, devices}, pool, {"a", 0}));
    EXPECT_THAT(enter_frame(frame_on(open("cuda", 0)), {format, devices}, pool, {"a", 0}).error().message,
                AllOf(HasSubstr("sound:0 ("), HasSubstr(", sound:1 (")));
}

TEST(IncomingFrame, LiesOnTheDeviceOfTheOthersOfItsPair) {
    const Frame first = frame_on(open("sound", 0)), second = frame_on(open("sound", 1)),
                same = frame_on(open("sound", 1)), host = constant_frame(format, 7);
    EXPECT_TRUE(check_places(second, std::vector{same, host, Frame()}));
    EXPECT_TRUE(check_places(host, std::vector{host, first}));
    EXPECT_EQ(check_places(first, std::vector{second}).error().code, ErrorCode::mismatch);
    EXPECT_EQ(check_places(host, std::vector{first, second}).error().code, ErrorCode::mismatch);
    EXPECT_EQ(check_places(first, std::vector{host, second}).error().code, ErrorCode::mismatch);
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

TEST(IncomingFrame, ThatIsNotPlainIsCopiedAndLetGo) {
    const std::array<std::uint8_t, 32> samples{0, 1, 2, 3, 4, 5, 6, 7};
    auto owner = std::make_shared<int>();
    const Frame every_second(format, owner, {samples.data()}, {0}, ChromaEdge::absent, {SampleLayout{.step = 2}});
    const Result<Frame> copy = enter(every_second, nullptr);
    ASSERT_TRUE(copy) << copy.error().message;
    EXPECT_TRUE(copy->is_plain());
    EXPECT_EQ(copy->plane(0).row<std::uint8_t>(1)[3], 6);
    EXPECT_EQ(owner.use_count(), 2) << "the copy has an owner of its own";
}

TEST(IncomingFrame, WithoutChromaThatSomeFeatureReadsIsRefused) {
    const VideoFormat odd{.width = 9, .height = 5};
    const auto enter_odd = [&](ChromaEdge has, ChromaEdge needed) {
        FramePool pool(odd, needed);
        return enter_frame(noise_frame(odd, 1, default_poison, has),
                           {.format = odd, .devices = {}, .chroma_edge = needed}, pool, {"a", 0});
    };
    EXPECT_TRUE(enter_odd(ChromaEdge::present, ChromaEdge::present));
    EXPECT_TRUE(enter_odd(ChromaEdge::present, ChromaEdge::absent));
    EXPECT_TRUE(enter_odd(ChromaEdge::absent, ChromaEdge::absent));
    const Result<Frame> entered = enter_odd(ChromaEdge::absent, ChromaEdge::present);
    ASSERT_FALSE(entered);
    EXPECT_EQ(entered.error().code, ErrorCode::mismatch);
    EXPECT_THAT(entered.error().message, HasSubstr("without the last column or row of its chroma"));
}

TEST(IncomingFrame, WithSamplesThatCannotLieSoIsRefused) {
    const DeviceHandle device = open("sound", 1);
    const Frame plain = constant_frame(format, 7);
    for (const SampleLayout wrong : {SampleLayout{.step = 0}, {.step = -1}, {.step = 5}, {.shift = -1}, {.shift = 1}}) {
        const Frame on_host(format, plain.owner(), {plain.plane(0).data}, {plain.plane(0).stride_bytes},
                            ChromaEdge::absent, {wrong});
        const Frame there = Frame::on_device(device, format, plain.owner(), {4096}, {128}, {wrong});
        for (const Frame &frame : {on_host, there}) {
            const Result<Frame> entered = enter(frame, device);
            ASSERT_FALSE(entered) << wrong.step << " " << wrong.shift;
            EXPECT_EQ(entered.error().code, ErrorCode::invalid_argument);
            EXPECT_THAT(entered.error().message, HasSubstr("8-bit frame a step of 1 to 4 and a shift of 0 to 0"));
        }
    }
    // Rows of 8 samples, of which every second one is read, take 15 bytes.
    const auto rows_apart = [&](std::uint64_t stride) {
        return Frame::on_device(device, format, plain.owner(), {4096}, {stride}, {SampleLayout{.step = 2}});
    };
    EXPECT_THAT(enter(rows_apart(14), device).error().message, HasSubstr("rows take 15 bytes"));
    EXPECT_TRUE(enter(rows_apart(15), device));
}

} // namespace
} // namespace isovmaf::incoming_frame_test

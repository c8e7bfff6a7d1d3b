// SPDX-License-Identifier: BSD-2-Clause-Patent
// Tests of the Vulkan plugin beyond the plugin contract, on the first device, with the validation layer.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "base/testing/temporary_folder.hpp"
#include "base/testing/variable.hpp"
#include "device/testing/test_device.hpp"
#include "features/motion/motion_params.h"

namespace isovmaf {
namespace {

using namespace testing;
using ::testing::HasSubstr;

class VulkanPlugin : public ::testing::Test {
  protected:
    Buffer memory(isovmaf_memory kind, std::uint64_t bytes) { return value_of(device_.create_buffer(kind, bytes)); }

    Device device_ = open_test_device();
    Queue queue_ = value_of(device_.create_queue());
};

TEST_F(VulkanPlugin, DevicesNameTheirDriver) {
    const isovmaf_device_info &info = device_.info();
    EXPECT_STREQ(info.arch, "spirv1.5");
    EXPECT_THAT(info.details, HasSubstr("Vulkan 1."));
    EXPECT_THAT(info.details, HasSubstr("subgroups of "));
    const std::uint32_t is_lavapipe = std::string(info.name).starts_with("llvmpipe") ? 1 : 0;
    EXPECT_EQ(info.cpu, is_lavapipe) << info.name;
    EXPECT_GE(info.shares_memory, is_lavapipe) << info.name;
}

TEST_F(VulkanPlugin, ALaunchHasToUseTheShadersGroupSize) {
    const Buffer sums = memory(ISOVMAF_MEMORY_DEVICE, 8);
    Recorder recorder(device_);
    recorder.dispatch("motion_sad_8", {1, 1, 1}, {64, 2, 1}, {sums.at(0), sums.at(0), sums.at(0)}, MotionParams{});
    const Result<Commands> commands = recorder.finish();
    ASSERT_FALSE(commands);
    EXPECT_THAT(commands.error().message, HasSubstr("motion_sad_8 has groups of"));
    EXPECT_THAT(commands.error().message, HasSubstr("is launched with 64x2x1"));
}

/// Copies and fills that touch the same bytes need barriers, others have none. The validation layer reports a missing
/// one.
TEST_F(VulkanPlugin, TransfersThatTouchTheSameBytesKeepTheirOrder) {
    constexpr std::uint64_t bytes = 1 << 16, half = bytes / 2;
    const Buffer a = memory(ISOVMAF_MEMORY_DEVICE, bytes), b = memory(ISOVMAF_MEMORY_DEVICE, bytes);
    Recorder recorder(device_);
    recorder.fill(a.at(0), half, 1);
    recorder.fill(a.at(half), half, 2);       // touches other bytes
    recorder.copy(a.at(0), b.at(half), half); // reads after the write
    recorder.fill(a.at(0), half, 3);          // writes after the read
    recorder.copy(b.at(half), b.at(0), half); // within one buffer
    recorder.copy(a.at(0), b.at(half), half); // writes after the read
    recorder.fill(b.at(half), 4, 4);          // writes after the write
    run(recorder, queue_);
    const auto in_a = download<std::uint32_t>(device_, queue_, a, bytes / 4);
    const auto in_b = download<std::uint32_t>(device_, queue_, b, bytes / 4);
    EXPECT_EQ((std::vector{in_a[0], in_a[half / 4 - 1], in_a[half / 4]}), (std::vector<std::uint32_t>{3, 3, 2}));
    EXPECT_EQ((std::vector{in_b[0], in_b[half / 4 - 1], in_b[half / 4], in_b[half / 4 + 1], in_b.back()}),
              (std::vector<std::uint32_t>{1, 1, 4, 3, 3}));
}

TEST_F(VulkanPlugin, ManyQueuesShareTheQueuesOfVulkan) {
    constexpr std::uint32_t count = 40; // more queues than any device has
    const Buffer word = memory(ISOVMAF_MEMORY_DEVICE, 4), down = memory(ISOVMAF_MEMORY_READBACK, 4);
    std::vector<Queue> queues;
    std::vector<Commands> list;
    std::vector<isovmaf_ticket> last;
    for (std::uint32_t i = 0; i < count; i++) {
        Recorder recorder(device_);
        recorder.fill(word.at(0), 4, i);
        recorder.copy(word.at(0), down.at(0), 4);
        list.push_back(value_of(recorder.finish()));
        queues.push_back(value_of(device_.create_queue()));
        last = {value_of(queues.back().submit(list.back(), last))};
    }
    value_of(queues.back().wait(last[0].value));
    std::uint32_t value = 0;
    std::memcpy(&value, down.host(), sizeof value);
    EXPECT_EQ(value, count - 1);
}

/// A destroyed queue leaves its timeline to the next queue, because other queues may still wait for it.
TEST_F(VulkanPlugin, ANewQueueRejectsTicketsOfTheQueueBefore) {
    const Buffer word = memory(ISOVMAF_MEMORY_DEVICE, 4);
    Recorder recorder(device_);
    recorder.fill(word.at(0), 4, 1);
    const Commands commands = value_of(recorder.finish());
    std::uint64_t old = 0;
    {
        Queue queue = value_of(device_.create_queue());
        old = value_of(queue.submit(commands)).value;
        value_of(queue.wait(old));
    }
    Queue queue = value_of(device_.create_queue());
    EXPECT_FALSE(queue.wait(old));
    const isovmaf_ticket ticket = value_of(queue.submit(commands));
    EXPECT_TRUE(queue.wait(ticket.value));
}

TEST(VulkanCache, KeepsKernelsAndIsIgnoredWhenDamaged) {
    const testing::TemporaryFolder folder;
    const Variable home("XDG_CACHE_HOME", folder.path().c_str());
    const auto use = [](const char *without) { // changed settings: the device is created again
        const Variable settings("ISOVMAF_VULKAN_WITHOUT", without);
        (void)value_of(open_test_device().find_kernel("motion_sad_8"));
    };
    use("VK_KHR_external_memory_fd");
    const std::filesystem::path kept = folder.path() / "isovmaf";
    ASSERT_EQ(std::distance(std::filesystem::directory_iterator(kept), {}), 1);
    const std::filesystem::path file = std::filesystem::directory_iterator(kept)->path();
    const std::uintmax_t size = std::filesystem::file_size(file);
    std::ofstream(file, std::ios::binary) << "not a cache";
    use("VK_EXT_external_memory_dma_buf");
    EXPECT_EQ(std::filesystem::file_size(file), size) << "was not written anew";
}

} // namespace
} // namespace isovmaf

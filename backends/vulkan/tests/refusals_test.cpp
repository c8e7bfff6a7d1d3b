// SPDX-License-Identifier: BSD-2-Clause-Patent
// Requests that the plugin refuses, and the effects of a message of the validation layer.
#include <atomic>
#include <cstdlib>
#include <optional>
#include <thread>

#include <gmock/gmock.h>

#include "base/testing/variable.hpp"
#include "device/self_test_math.h"
#include "device/self_test_params.h"
#include "device/testing/test_device.hpp"

namespace isovmaf {
namespace {

using namespace testing;
using ::testing::HasSubstr;

std::shared_ptr<const Plugin> test_plugin() { return value_of(Plugin::open(std::getenv("ISOVMAF_TEST_PLUGIN"))); }

TEST(VulkanRefusal, ADeviceThatLacksFeaturesIsListedButNotOpened) {
    const Variable without("ISOVMAF_VULKAN_WITHOUT", "shaderInt64,timelineSemaphore,maxComputeSharedMemorySize");
    const auto plugin = test_plugin();
    EXPECT_THAT(value_of(plugin->describe(0)).details, HasSubstr("lacks shaderInt64; lacks timelineSemaphore"));
    const Result<Device> device = Device::open(plugin, 0);
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().code, ErrorCode::unsupported);
    EXPECT_THAT(device.error().message,
                HasSubstr("lacks shaderInt64, timelineSemaphore, maxComputeSharedMemorySize 32768 (it has 0)"));
}

TEST(VulkanRefusal, QueuesAreNotBorrowed) {
    const Device device = open_test_device();
    int somewhere = 0;
    const Result<Queue> queue = device.create_queue(&somewhere);
    ASSERT_FALSE(queue);
    EXPECT_EQ(queue.error().code, ErrorCode::unsupported);
}

/// Destroys a buffer without waiting for the submission that uses it, which the validation layer reports as an error.
void forget_to_wait(const Device &device) {
    constexpr std::uint32_t done = 0x600dda7a;
    const Buffer result = value_of(device.create_buffer(ISOVMAF_MEMORY_READBACK, sizeof done));
    Queue queue = value_of(device.create_queue());
    std::optional<Buffer> memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, sizeof done));
    Recorder recorder(device);
    recorder.fill(memory->at(0), sizeof done, done);
    recorder.copy(memory->at(0), result.at(0), sizeof done);
    const Commands commands = value_of(recorder.finish());
    (void)value_of(queue.submit(commands));
    std::atomic_ref word(*static_cast<std::uint32_t *>(static_cast<void *>(result.host())));
    while (word != done)
        std::this_thread::yield();
    memory.reset();
}

TEST(VulkanValidation, AMessageFailsTheNextCallOfEveryDevice) {
    const Variable validation("ISOVMAF_VULKAN_VALIDATION", "1");
    const auto plugin = test_plugin();
    const Device other = value_of(Device::open(plugin, 0));
    forget_to_wait(value_of(Device::open(plugin, 0)));
    for (int call = 0; call < 2; call++) {
        const Result<Buffer> buffer = other.create_buffer(ISOVMAF_MEMORY_DEVICE, 64);
        ASSERT_FALSE(buffer);
        EXPECT_EQ(buffer.error().code, ErrorCode::device_failed);
        EXPECT_THAT(buffer.error().message, HasSubstr("the Vulkan validation layer says: "));
        EXPECT_THAT(buffer.error().message, HasSubstr("VkBuffer"));
    }
}

/// The kernel's buffer has fewer elements than its parameters say. Only the validation layer notices.
TEST(VulkanValidation, AKernelThatReadsOutsideABufferIsFound) {
    const Variable validation("ISOVMAF_VULKAN_VALIDATION", "gpu");
    const Device device = value_of(Device::open(test_plugin(), 0));
    Queue queue = value_of(device.create_queue());
    constexpr int count = SELF_TEST_THREADS;
    const Buffer results = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, count * sizeof(std::uint64_t)));
    const Buffer probes = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, count / 8 * sizeof(SelfTestProbe)));
    Recorder recorder(device);
    recorder.dispatch("self_test_probes", {1, 1, 1}, {SELF_TEST_THREADS, 1, 1}, {probes.at(0), results.at(0)},
                      SelfTestParams{count});
    const Commands commands = value_of(recorder.finish());
    (void)queue.wait(value_of(queue.submit(commands)).value);
    const Result<Buffer> next = device.create_buffer(ISOVMAF_MEMORY_DEVICE, 64);
    ASSERT_FALSE(next);
    EXPECT_THAT(next.error().message, HasSubstr("the Vulkan validation layer says: "));
    EXPECT_THAT(next.error().message, HasSubstr("bounds"));
}

/// Closes a device whose buffer still exists, which the validation layer reports as an error.
void leak_a_buffer(const std::shared_ptr<const Plugin> &plugin) {
    const isovmaf_backend &backend = plugin->backend();
    isovmaf_message message{};
    isovmaf_device *device = nullptr;
    static isovmaf_buffer *buffer; // static, so that LeakSanitizer does not report it
    ASSERT_EQ(backend.device_open(0, &device, &message), ISOVMAF_OK) << message.text;
    ASSERT_EQ(backend.buffer_create(device, ISOVMAF_MEMORY_DEVICE, 64, &buffer, &message), ISOVMAF_OK);
    backend.device_close(device);
}

TEST(VulkanValidationDeathTest, AMessageThatCannotBeReturnedAbortsTheProcess) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const Variable validation("ISOVMAF_VULKAN_VALIDATION", "1");
    EXPECT_DEATH(leak_a_buffer(test_plugin()), "the Vulkan validation layer says: .*VkBuffer");
}

} // namespace
} // namespace isovmaf

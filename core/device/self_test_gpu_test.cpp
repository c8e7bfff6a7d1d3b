// SPDX-License-Identifier: BSD-2-Clause-Patent
// The self-test on the plugin that ISOVMAF_TEST_PLUGIN names.
#include <cstdlib>

#include <gtest/gtest.h>

#include "device/self_test.hpp"

namespace isovmaf::self_test_gpu_test {
namespace {

TEST(SelfTestKernels, EveryDevicePasses) {
    const char *const path = std::getenv("ISOVMAF_TEST_PLUGIN");
    ASSERT_TRUE(path) << "ISOVMAF_TEST_PLUGIN has to name a backend plugin";
    const auto plugin = Plugin::open(path);
    ASSERT_TRUE(plugin) << plugin.error().message;
    const auto runtime = (*plugin)->probe();
    ASSERT_TRUE(runtime) << runtime.error().message;
    for (std::uint32_t index = 0; index < runtime->device_count; index++) {
        const Result<Device> device = Device::open(*plugin, index);
        ASSERT_TRUE(device) << device.error().message;
        const Result<SelfTestReport> passed = self_test(*device);
        ASSERT_TRUE(passed) << passed.error().message;
        EXPECT_EQ(passed->f32_fault, "");
    }
}

} // namespace
} // namespace isovmaf::self_test_gpu_test

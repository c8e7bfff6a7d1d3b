// SPDX-License-Identifier: BSD-2-Clause-Patent
// Which files of kernels the HIP plugin loads, and when. Runs over the same runtimes as plugin_test.cpp.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hip/testing/hip_plugin.hpp"

namespace isovmaf {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// How many of the loaded modules have kernels with taps.
std::ptrdiff_t with_taps() {
    using namespace std::string_view_literals;
    return std::ranges::count_if(
        fake().modules, [](std::string_view image) { return image.find("_taps.kd\0"sv) != std::string_view::npos; });
}

TEST_F(HipPlugin, AFileIsLoadedWhenAKernelOfItIsWanted) {
    const Device device = open();
    EXPECT_EQ(fake().modules.size(), 1u) << "one shows whether the device takes them";
    for (const char *const name : {"motion_sad_8", "motion_sad_16", "motion_sad_8"}) {
        value_of(device.find_kernel(name));
        EXPECT_EQ(fake().modules.size(), 2u) << name;
    }
    value_of(device.find_kernel("psnr_error_8"));
    EXPECT_EQ(fake().modules.size(), 3u);
}

TEST_F(HipPlugin, NoFileIsLoadedToFindThatThereAreNoKernelsWithMatrices) {
    const Device device = open();
    for (const char *const name : {"vif_matrix_8", "vif_matrix_8_taps"})
        EXPECT_FALSE(device.find_kernel(name)) << name;
    EXPECT_EQ(fake().modules.size(), 1u) << "the one that shows whether the device takes them";
}

TEST_F(HipPlugin, AFileWithTapsIsLoadedWhenAKernelOfItIsWanted) {
    const Device device = open();
    EXPECT_FALSE(device.find_kernel("no_such_kernel")) << "it is looked for in all ordinary files";
    const std::size_t opened = fake().modules.size();
    const int objects = fake().live_objects;
    EXPECT_GT(opened, 3u);
    EXPECT_EQ(with_taps(), 0);
    value_of(device.find_kernel(kernel));
    EXPECT_EQ(fake().modules.size(), opened);
    for (const char *const name : {"motion_sad_8_taps", "motion_legacy_sad_16_taps", "motion_sad_8_taps"}) {
        value_of(device.find_kernel(name));
        EXPECT_EQ(fake().modules.size(), opened + 1) << name;
        EXPECT_EQ(with_taps(), 1) << name;
        EXPECT_EQ(fake().live_objects, objects + 1) << name;
    }
    value_of(device.find_kernel("psnr_error_8_taps"));
    EXPECT_EQ(fake().modules.size(), opened + 2);
    EXPECT_EQ(with_taps(), 2);
}

TEST_F(HipPlugin, AFileWithTapsIsLoadedOnceForAllThreads) {
    const Device device = open();
    const int opened = fake().module_loads;
    fake().loading_takes = std::chrono::milliseconds(50); // long enough for all threads to ask for it meanwhile
    std::atomic<int> ready = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; i++)
        threads.emplace_back([&, name = i % 2 ? "motion_sad_8_taps" : "motion_sad_16_taps"] {
            for (ready++; ready < 8;)
                std::this_thread::yield();
            EXPECT_TRUE(device.find_kernel(name));
        });
    threads.clear();
    EXPECT_EQ(fake().module_loads, opened + 1);
}

TEST_F(HipPlugin, UnknownKernelsWithTapsAreRefusedAsOthersAre) {
    const Device device = open();
    for (const char *const name : {"no_such_kernel", "foo_taps", "motion_sad_8_taps_taps", "_taps"}) {
        const Result<isovmaf_kernel *> found = device.find_kernel(name);
        ASSERT_FALSE(found) << name;
        EXPECT_EQ(found.error().code, ErrorCode::unsupported);
        EXPECT_THAT(found.error().message, ::testing::EndsWith("this plugin has no kernel " + std::string(name)));
    }
}

TEST_F(HipPlugin, TapsThatCannotBeLoadedAreAnErrorThatPasses) {
    const Device device = open();
    value_of(device.find_kernel(kernel));
    const auto refused = [&](int error) {
        set_error("hipModuleLoadData", error);
        const Result<isovmaf_kernel *> found = device.find_kernel("motion_sad_8_taps");
        EXPECT_TRUE(device.find_kernel(kernel)) << "kernels of loaded files are there";
        set_error("hipModuleLoadData", 0);
        return found ? Error{ErrorCode::internal, "found"} : found.error();
    };
    const std::string attempt = "loading the kernels of motion_taps for " + fake_arch() + " failed: ";
    const Error memory = refused(gpu::hipErrorOutOfMemory);
    EXPECT_EQ(memory.code, ErrorCode::out_of_memory);
    EXPECT_THAT(memory.message, AllOf(HasSubstr(attempt), HasSubstr("(2)")));
    const Error code = refused(gpu::hipErrorNoBinaryForGpu);
    EXPECT_EQ(code.code, ErrorCode::unsupported);
    EXPECT_THAT(code.message, AllOf(HasSubstr(attempt), HasSubstr("refused"), HasSubstr("(209)")));
    EXPECT_TRUE(device.find_kernel("motion_sad_8_taps"));
}

} // namespace
} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
// Contexts on the device that ISOVMAF_BACKEND names.
#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capi/picture.hpp"
#include "capi/testing/captured.hpp"
#include "capi/testing/client.hpp"

namespace isovmaf::capi::testing::device_context_test {
namespace {

using ::testing::HasSubstr;

constexpr const char *features[] = {"psnr", "motion", "vif"};
constexpr const char *names[] = {"psnr_y", motion_sad, motion2, "VMAF_integer_feature_vif_scale3_score"};

std::vector<std::optional<double>> scores(unsigned threads, const VideoFormat &format) {
    const Client client(threads);
    for (const char *const feature : features)
        EXPECT_EQ(vmaf_use_feature(client, feature, nullptr), 0);
    for (unsigned n = 0; n < 5; n++)
        EXPECT_EQ(client.read(n, n, format), 0);
    EXPECT_EQ(client.flush(), 0);
    std::vector<std::optional<double>> scores;
    for (const char *const name : names)
        for (unsigned n = 0; n < 5; n++)
            scores.push_back(client.score(name, n));
    return scores;
}

TEST(DeviceContext, GivesTheScoresOfTheCpu) {
    const std::string device = std::getenv("ISOVMAF_BACKEND");
    for (const VideoFormat &format : {small, VideoFormat{67, 49, Chroma::k422, 10}}) {
        setenv("ISOVMAF_BACKEND", "cpu", 1);
        const std::vector<std::optional<double>> cpu = scores(0, format);
        setenv("ISOVMAF_BACKEND", device.c_str(), 1);
        EXPECT_EQ(scores(0, format), cpu);
        EXPECT_EQ(scores(2, format), cpu);
        EXPECT_TRUE(cpu.front());
    }
}

/// The first two of the backend.
TEST(DeviceContext, SharesFramesAmongSeveralDevices) {
    const std::vector<std::optional<double>> one = scores(2, small);
    setenv("ISOVMAF_DEVICE", "0,1", 1);
    for (const unsigned threads : {0U, 2U})
        EXPECT_EQ(scores(threads, small), one);
    const std::string printed = printed_by([] {
        setenv("ISOVMAF_LOG", "info", 1);
        EXPECT_EQ(Client({"psnr"}).read(0), 0);
        unsetenv("ISOVMAF_LOG");
    });
    EXPECT_THAT(printed, HasSubstr("2 devices of"));
    unsetenv("ISOVMAF_DEVICE");
}

TEST(DeviceContext, SaysWhichDeviceItUses) {
    const std::string printed = printed_by([] {
        VmafContext *context = nullptr;
        ASSERT_EQ(vmaf_init(&context, {VMAF_LOG_LEVEL_INFO, 0, 1, 0, 0}), 0);
        EXPECT_EQ(vmaf_use_feature(context, "psnr", nullptr), 0);
        auto [reference, distorted] = pictures(0);
        EXPECT_EQ(vmaf_read_pictures(context, &reference, &distorted, 0), 0);
        EXPECT_EQ(vmaf_close(context), 0);
    });
    EXPECT_THAT(printed, HasSubstr("libvmaf INFO isovmaf "));
    EXPECT_THAT(printed, HasSubstr(std::string("computes with backend ") + std::getenv("ISOVMAF_BACKEND")));
    EXPECT_THAT(printed, HasSubstr("was asked for by name; ISOVMAF_BACKEND is "));
}

/// Whether the picture lies where pictures are allocated now.
bool lies_best(const VmafPicture &picture) {
    return process_memory().is_best(static_cast<const std::byte *>(picture.data[0]), 1);
}

TEST(DeviceContext, PicturesLieInItsPinnedMemoryFromTheFirstPairOn) {
    VmafPicture early = allocate(small), late{}, pooled{};
    EXPECT_TRUE(lies_best(early)); // no device is open: on the heap
    {
        const Client client({"psnr"});
        ASSERT_EQ(vmaf_preallocate_pictures(client, {{64, 48, 8, VMAF_PIX_FMT_YUV420P}, 2}), 0);
        EXPECT_EQ(client.read(0), 0);
        EXPECT_FALSE(lies_best(early));
        late = allocate(small);
        EXPECT_TRUE(lies_best(late));
        ASSERT_EQ(vmaf_fetch_preallocated_picture(client, &pooled), 0); // its first memory was on the heap
        EXPECT_TRUE(lies_best(pooled));
        EXPECT_EQ(client.read(1), 0);
        EXPECT_EQ(client.flush(), 0);
    }
    for (VmafPicture *const picture : {&early, &late, &pooled})
        EXPECT_EQ(vmaf_picture_unref(picture), 0);
    VmafPicture after = allocate(small);
    EXPECT_TRUE(lies_best(after)); // on the heap again: nobody keeps the device
    EXPECT_EQ(vmaf_picture_unref(&after), 0);
}

/// Run where the device is lost after a while.
TEST(LostDevice, IsAnErrorFromThenOnAndReportedOnce) {
    setenv("ISOVMAF_LOG", "error", 1);
    const Client client({"psnr", "motion"}, 1);
    unsigned accepted = 0;
    const std::string printed = printed_by([&] {
        while (accepted < 1000 && client.read(accepted) == 0)
            accepted++;
        EXPECT_EQ(client.read(accepted), -EINVAL);
        EXPECT_EQ(client.flush(), -EINVAL);
        EXPECT_EQ(client.read(accepted), -EINVAL);
    });
    ASSERT_GT(accepted, 1u);
    ASSERT_LT(accepted, 1000u);
    EXPECT_THAT(printed, ::testing::StartsWith("libvmaf ERROR "));
    EXPECT_EQ(std::ranges::count(printed, '\n'), 1) << printed;
    EXPECT_TRUE(client.score("psnr_y", 0));
    EXPECT_FALSE(client.score("psnr_y", accepted - 1)); // it was in flight
    EXPECT_EQ(vmaf_write_output(client, "/dev/null", VMAF_OUTPUT_FORMAT_JSON), 0);
}

} // namespace
} // namespace isovmaf::capi::testing::device_context_test

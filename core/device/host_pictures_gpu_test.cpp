// SPDX-License-Identifier: BSD-2-Clause-Patent
// How kernels get pictures of the host, on the plugin that ISOVMAF_TEST_PLUGIN names. The stand-in plays a device that
// shares the host's memory.
#include "device/host_pictures.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/testing/variable.hpp"
#include "device/testing/test_device.hpp"

namespace isovmaf::host_pictures_gpu_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Variable;

TEST(HostPictures, OfADeviceThatSharesMemoryAreMeasuredOrAsTheVariableSays) {
    const Variable shares("ISOVMAF_HOST_SHARED_MEMORY", "1");
    const Device device = testing::open_test_device();
    EXPECT_FALSE(device.host_pictures().in_place) << "nobody has asked";
    if (device.info().shares_memory == 0)
        GTEST_SKIP() << device.info().name << " shares no memory";
    for (const char *const value : {"0", "1"}) {
        const Variable wanted(host_pictures_variable, value);
        const HostPictures pictures = value_of(find_host_pictures(device));
        EXPECT_EQ(pictures.in_place, *value == '1');
        EXPECT_EQ(pictures.reason, fmt::format("ISOVMAF_SHARED_MEMORY is {}", value));
    }
    const Variable measured(host_pictures_variable, nullptr);
    const HostPictures pictures = value_of(find_host_pictures(device));
    EXPECT_THAT(pictures.reason,
                AllOf(HasSubstr("ms for a picture of 256 KiB in place, "), HasSubstr("with an upload")));
    EXPECT_EQ(value_of(find_host_pictures(device)).reason, pictures.reason) << "measured once";
}

TEST(HostPictures, OfAnotherDeviceAreUploaded) {
    const Variable shares("ISOVMAF_HOST_SHARED_MEMORY", "0"), wanted(host_pictures_variable, "1");
    const Device device = testing::open_test_device();
    if (device.info().shares_memory != 0)
        GTEST_SKIP() << device.info().name << " shares memory";
    const HostPictures pictures = value_of(find_host_pictures(device));
    EXPECT_FALSE(pictures.in_place);
    EXPECT_EQ(pictures.reason, "");
}

TEST(HostPictures, RefuseAnotherValueOfTheVariable) {
    const Variable wanted(host_pictures_variable, "yes");
    const Result<HostPictures> pictures = find_host_pictures(testing::open_test_device());
    ASSERT_FALSE(pictures);
    EXPECT_EQ(pictures.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(pictures.error().message, AllOf(HasSubstr("ISOVMAF_SHARED_MEMORY"), HasSubstr("0 or 1")));
}

} // namespace
} // namespace isovmaf::host_pictures_gpu_test

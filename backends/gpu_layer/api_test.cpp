// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "gpu_layer/api.hpp"

#include <gtest/gtest.h>

namespace isovmaf::gpu {
namespace {

TEST(Failure, CodesHaveTheirStatus) {
    EXPECT_EQ(status_of(hipSuccess), ISOVMAF_OK);
    EXPECT_EQ(status_of(hipErrorOutOfMemory), ISOVMAF_OUT_OF_MEMORY);
    EXPECT_EQ(status_of(hipErrorNotReady), ISOVMAF_NOT_READY);
    EXPECT_EQ(status_of(hipErrorNoBinaryForGpu), ISOVMAF_UNSUPPORTED);
    EXPECT_EQ(status_of(hipErrorNoDevice), ISOVMAF_UNAVAILABLE);
    EXPECT_EQ(status_of(hipErrorInvalidValue), ISOVMAF_FAILED);
    EXPECT_EQ(status_of(hipErrorUnknown), ISOVMAF_FAILED);
}

TEST(Failure, FaultsOfKernelsLoseTheDevice) {
    for (const hipError_t error : {hipErrorIllegalAddress, hipErrorLaunchFailure, hipErrorLaunchTimeOut, hipErrorAssert,
                                   hipErrorECCNotCorrectable, hipErrorContextIsDestroyed})
        EXPECT_EQ(status_of(error), ISOVMAF_DEVICE_LOST) << error;
    EXPECT_EQ(status_of(hipErrorLaunchOutOfResources), ISOVMAF_FAILED) << "the next launch may work";
    EXPECT_EQ(status_of(static_cast<hipError_t>(715)), ISOVMAF_DEVICE_LOST) << "CUDA's illegal instruction";
}

TEST(Failure, TheSentenceHasTheAttemptAndTheCode) {
    Api api;
    EXPECT_EQ(runtime_failure(api, hipErrorUnknown, "copying").outcome().sentence, "copying failed: error (999)");
    api.hipGetErrorName = [](hipError_t) { return "hipErrorUnknown"; };
    EXPECT_EQ(runtime_failure(api, hipErrorUnknown, "copying").outcome().sentence,
              "copying failed: hipErrorUnknown (999)");
}

} // namespace
} // namespace isovmaf::gpu

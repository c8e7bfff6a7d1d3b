// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/status.hpp"

#include <stdexcept>

#include "capi/testing/captured.hpp"

namespace isovmaf::capi {
namespace {

const Log everything(VMAF_LOG_LEVEL_DEBUG);

TEST(Status, CodesAreThoseOfLibvmaf) {
    EXPECT_EQ(status_ok, 0);
    EXPECT_EQ(status_invalid, -22);
    EXPECT_EQ(status_no_memory, -12);
}

TEST(Status, ASuccessIsSilent) {
    EXPECT_EQ(printed_by([] { EXPECT_EQ(guarded(everything, []() -> Result<void> { return {}; }), status_ok); }), "");
    EXPECT_EQ(guarded(everything, [] { return status_ok; }), status_ok);
}

TEST(Status, AFailureIsPrintedAndHasACode) {
    const auto failing = [](ErrorCode code) {
        return guarded(everything, [code]() -> Result<void> { return fail(code, "it failed"); });
    };
    EXPECT_EQ(printed_by([&] { EXPECT_EQ(failing(ErrorCode::device_lost), status_invalid); }),
              "libvmaf ERROR it failed\n");
    EXPECT_EQ(printed_by([&] { EXPECT_EQ(failing(ErrorCode::out_of_memory), status_no_memory); }),
              "libvmaf ERROR it failed\n");
}

TEST(Status, NoExceptionLeavesAFunction) {
    EXPECT_EQ(guarded(everything, []() -> int { throw std::bad_alloc(); }), status_no_memory);
    EXPECT_EQ(printed_by([] {
                  EXPECT_EQ(guarded(everything, []() -> int { throw std::runtime_error("thrown"); }), status_invalid);
              }),
              "libvmaf ERROR thrown\n");
    EXPECT_NE(printed_by([] { EXPECT_EQ(guarded(everything, []() -> int { throw 1; }), status_invalid); }), "");
}

TEST(Status, ArgumentsThatAreNullAreRefused) {
    const int here = 0;
    const char *const nowhere = nullptr;
    EXPECT_TRUE(require_arguments("f", &here, "text"));
    EXPECT_FALSE(require_arguments("f", &here, nowhere));
    EXPECT_EQ(require_arguments("f", nowhere).error().message, "f: an argument that is needed is NULL");
}

} // namespace
} // namespace isovmaf::capi

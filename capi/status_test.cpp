// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/status.hpp"

#include <cstdlib>
#include <stdexcept>

#include <gmock/gmock.h>

#include "capi/testing/captured.hpp"

namespace isovmaf::capi {

namespace {

using ::testing::HasSubstr;

/// A value of ISOVMAF_LOG, until the end of a test.
class LogVariable {
  public:
    explicit LogVariable(const char *value) { setenv("ISOVMAF_LOG", value, 1); }
    ~LogVariable() { unsetenv("ISOVMAF_LOG"); }
    LogVariable(const LogVariable &) = delete;
    LogVariable &operator=(const LogVariable &) = delete;
};

void print_all(const Log &log) {
    log.error("a");
    log.warning("b");
    log.info("c");
    log.debug("d");
}

TEST(Log, PrintsMessagesUpToItsLevel) {
    EXPECT_EQ(printed_by([] { print_all(Log(VMAF_LOG_LEVEL_NONE)); }), "");
    EXPECT_EQ(printed_by([] { print_all(Log(VMAF_LOG_LEVEL_WARNING)); }), "libvmaf ERROR a\nlibvmaf WARNING b\n");
    EXPECT_EQ(printed_by([] { print_all(Log(VMAF_LOG_LEVEL_DEBUG)); }),
              "libvmaf ERROR a\nlibvmaf WARNING b\nlibvmaf INFO c\nlibvmaf DEBUG d\n");
}

TEST(Log, TakesLevelsBeyondTheLastForTheLast) {
    for (const unsigned number : {5U, ~0U})
        EXPECT_EQ(Log(static_cast<VmafLogLevel>(number)).level(), VMAF_LOG_LEVEL_DEBUG);
}

TEST(Log, TheEnvironmentReplacesTheLevel) {
    const LogVariable variable("warning");
    EXPECT_EQ(Log(VMAF_LOG_LEVEL_NONE).level(), VMAF_LOG_LEVEL_WARNING);
    EXPECT_EQ(Log(VMAF_LOG_LEVEL_DEBUG).level(), VMAF_LOG_LEVEL_WARNING);
}

TEST(Log, AValueOfTheEnvironmentThatIsNoLevelGetsAWarning) {
    const LogVariable variable("loud");
    EXPECT_THAT(printed_by([] { EXPECT_EQ(Log(VMAF_LOG_LEVEL_INFO).level(), VMAF_LOG_LEVEL_INFO); }),
                HasSubstr("libvmaf WARNING the environment variable ISOVMAF_LOG is \"loud\""));
}

TEST(Log, EveryLevelHasAName) {
    EXPECT_EQ(parse_log_level("none"), VMAF_LOG_LEVEL_NONE);
    EXPECT_EQ(parse_log_level("error"), VMAF_LOG_LEVEL_ERROR);
    EXPECT_EQ(parse_log_level("warning"), VMAF_LOG_LEVEL_WARNING);
    EXPECT_EQ(parse_log_level("info"), VMAF_LOG_LEVEL_INFO);
    EXPECT_EQ(parse_log_level("debug"), VMAF_LOG_LEVEL_DEBUG);
    EXPECT_FALSE(parse_log_level(""));
    EXPECT_FALSE(parse_log_level("ERROR"));
}

TEST(Log, SinksPrintNoticesOfTheRestOfIsovmaf) {
    const LogSink sink = Log(VMAF_LOG_LEVEL_INFO).sink();
    EXPECT_EQ(printed_by([&] {
                  sink(Severity::warning, "w");
                  sink(Severity::info, "i");
              }),
              "libvmaf WARNING w\nlibvmaf INFO i\n");
}

TEST(Log, FunctionsWithoutAContextPrintAtTheLevelSetLast) {
    const Log before = process_log();
    set_process_log(Log(VMAF_LOG_LEVEL_NONE));
    EXPECT_EQ(printed_by([] { process_log().error("e"); }), "");
    set_process_log(before);
    EXPECT_EQ(printed_by([] { process_log().error("e"); }), "libvmaf ERROR e\n");
}

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

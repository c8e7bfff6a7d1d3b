// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "execution/execution.hpp"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/forked.hpp"
#include "device/testing/plugin_folder.hpp"

namespace isovmaf::execution_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ParseBackend, TakesADeviceACpuOrBoth) {
    const auto parsed = [](std::string_view text) {
        const Result<BackendWish> wish = parse_backend(text);
        return wish ? wish->device + "+" + wish->cpu : wish.error().message;
    };
    EXPECT_EQ(parsed("auto"), "auto+cpu");
    EXPECT_EQ(parsed("cpu"), "+cpu");
    EXPECT_EQ(parsed("cpu-ref"), "+cpu-ref");
    EXPECT_EQ(parsed("hip"), "hip+");
    EXPECT_EQ(parsed("hip,cpu"), "hip+cpu");
    EXPECT_EQ(parsed("cpu-ref,hip"), "hip+cpu-ref") << "the order says nothing";
}

TEST(ParseBackend, RefusesWhatOneSessionCannotUse) {
    const auto refusal = [](std::string_view text) {
        const Result<BackendWish> wish = parse_backend(text);
        EXPECT_FALSE(wish) << text;
        return wish ? "" : wish.error().message;
    };
    for (const char *text : {"", "hip,", ",cpu", "hip,,cpu"})
        EXPECT_THAT(refusal(text), HasSubstr("a name is missing"));
    for (const char *text : {"auto,cpu", "hip,auto"})
        EXPECT_THAT(refusal(text), HasSubstr("auto stands alone"));
    EXPECT_THAT(refusal("hip,cuda"), HasSubstr("\"hip\" or \"cuda\", not both"));
    EXPECT_THAT(refusal("cpu,cpu-ref"), HasSubstr("\"cpu\" or \"cpu-ref\", not both"));
    EXPECT_THAT(refusal("hip,hip"), HasSubstr("not both"));
}

std::string refusal(const ExecutionOptions &options) {
    const Result<void> checked = check_execution_options(options);
    const Result<ExecutionHandle> opened = open_execution(options);
    if (checked || opened)
        return "accepted";
    EXPECT_EQ(opened.error().message, checked.error().message);
    return checked.error().message;
}

TEST(OpenExecution, RefusesWhatCannotBeRightBeforeItOpensAnything) {
    EXPECT_EQ(refusal({.threads = -1}), "-1 threads: give 0 to 1024");
    EXPECT_EQ(refusal({.threads = 1025}), "1025 threads: give 0 to 1024");
    EXPECT_THAT(refusal({.frames_in_flight = -1}), HasSubstr("frames in flight"));
    EXPECT_THAT(refusal({.device_queues = 65}), HasSubstr("queues"));
    EXPECT_THAT(refusal({.backend = "hip,cuda"}), HasSubstr("not both"));
    EXPECT_THAT(refusal({.cpu_level = "mmx"}), HasSubstr("mmx"));
}

TEST(OpenExecution, OfTheCpuHasNoDeviceAndIsThereAtOnce) {
    const ExecutionHandle cpu = open_execution({.backend = "cpu-ref", .threads = 3, .cpu_level = "scalar"}).value();
    EXPECT_FALSE(cpu->is_opening());
    EXPECT_TRUE(cpu->opened()->devices.empty());
    EXPECT_THAT(cpu->opened()->reason, HasSubstr("the definitions were asked for"));
    EXPECT_EQ(cpu->wish().cpu, "cpu-ref");
    EXPECT_EQ(cpu->threads(), 3);
    EXPECT_EQ(cpu->cpu_level(), CpuLevel::scalar);
    EXPECT_GT(open_execution({}).value()->threads(), 0);
}

class Opening : public ::testing::Test {
  protected:
    /// Opens the device of a plugin that the tests' build made.
    ExecutionHandle open(const std::string &name) {
        folder_.add(name);
        return open_execution({.backend = name, .backend_folders = {folder_.text()}}).value();
    }

    testing::PluginFolder folder_;
};

TEST_F(Opening, ADeviceIsTestedAndSaysWhyItWasTaken) {
    const OpenedDevices opened = open("sound")->opened().value();
    ASSERT_EQ(opened.devices.size(), 1U);
    EXPECT_EQ(opened.devices.front().device->plugin().name(), "sound");
    EXPECT_TRUE(opened.devices.front().device->exact_f32());
    EXPECT_THAT(opened.reason, HasSubstr("asked for by name"));
}

TEST_F(Opening, RunsBesideOtherWork) {
    const std::string gate = (folder_.path() / "gate").string();
    setenv("FAKE_OPENING_UNTIL", gate.c_str(), 1);
    const ExecutionHandle execution = open("slow");
    EXPECT_TRUE(execution->is_opening());
    EXPECT_EQ(execution->wish().device, "slow");
    std::ofstream(gate) << "open";
    const DeviceHandle device = execution->opened()->devices.front().device;
    unsetenv("FAKE_OPENING_UNTIL");
    EXPECT_FALSE(execution->is_opening());
    EXPECT_EQ(execution->opened()->devices.front().device, device) << "the device was opened once";
}

TEST_F(Opening, GivesItsFailureToAllWhoAsk) {
    const ExecutionHandle execution =
        open_execution({.backend = "nowhere", .backend_folders = {folder_.text()}}).value();
    for (int asked = 0; asked < 2; asked++) {
        const Result<OpenedDevices> opened = execution->opened();
        ASSERT_FALSE(opened);
        EXPECT_THAT(opened.error().message, HasSubstr("backend nowhere was not found"));
    }
}

/// The reason of the opened execution, or why it cannot be used, in a forked process, which drops the handle.
std::string opened_in_forked_process(ExecutionHandle execution) {
    return testing::in_forked_process([&] {
        const Result<OpenedDevices> opened = execution->opened();
        execution.reset();
        return opened ? opened->reason : opened.error().message;
    });
}

TEST_F(Opening, OfADeviceIsNotInherited) {
    for (const char *const plugin : {"sound", "slow"}) { // the slow one is being opened by a thread during the fork
        EXPECT_THAT(opened_in_forked_process(open(plugin)),
                    AllOf(HasSubstr("cannot use the backend, which process"), HasSubstr("after the fork"),
                          Not(HasSubstr("killed"))));
    }
}

TEST(OpenExecution, OfTheCpuIsInherited) {
    EXPECT_THAT(opened_in_forked_process(open_execution({.backend = "cpu-ref"}).value()),
                HasSubstr("the definitions were asked for"));
}

} // namespace
} // namespace isovmaf::execution_test

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "execution/execution.hpp"

#include <cstdlib>
#include <fstream>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/forked.hpp"
#include "device/plugin.hpp"
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

TEST(ReadDevices, TakesNumbersOrAll) {
    const auto read = [](std::string_view text) {
        ExecutionOptions options{.devices = {7}, .all_devices = true};
        const Result<void> done = read_devices("--device", text, options);
        return done ? fmt::format("{}{}", options.all_devices ? "all" : "", fmt::join(options.devices, "+"))
                    : done.error().message;
    };
    EXPECT_EQ(read(""), "");
    EXPECT_EQ(read("3"), "3");
    EXPECT_EQ(read("1,0"), "1+0");
    EXPECT_EQ(read("all"), "all");
    for (const char *wrong : {"-1", "x", "0,", "0,all", "70000"})
        EXPECT_EQ(read(wrong),
                  fmt::format("--device takes a number, several numbers such as 0,1, or all, not \"{}\"", wrong));
    EXPECT_EQ(read("1,0,1"), "--device 1,0,1 names device 1 twice");
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
    EXPECT_THAT(refusal({.backend = "hip", .devices = {0, 0}}), HasSubstr("names device 0 twice"));
    EXPECT_THAT(refusal({.backend = "hip", .devices = {0, -1}}), HasSubstr("a number from 0"));
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

    /// A plugin that is loaded before threads open its devices: none of them sees it set itself up.
    auto load(const std::string &name) { return Plugin::open(folder_.add(name)).value(); }

    testing::PluginFolder folder_;
};

TEST_F(Opening, ADeviceIsTestedAndSaysWhyItWasTaken) {
    const OpenedDevices opened = open("sound")->opened().value();
    ASSERT_EQ(opened.devices.size(), 1U);
    EXPECT_EQ(opened.devices.front().device->plugin().name(), "sound");
    EXPECT_TRUE(opened.devices.front().device->exact_f32());
    EXPECT_THAT(opened.reason, HasSubstr("asked for by name"));
}

TEST_F(Opening, OfSeveralDevicesGivesThemInTheirOrder) {
    const auto loaded = load("sound");
    const auto opened = [&](ExecutionOptions options) {
        options.backend_folders = {folder_.text()};
        const Result<OpenedDevices> devices = open_execution(options).value()->opened();
        if (!devices)
            return devices.error().message;
        std::string labels;
        for (const OpenedDevice &device : devices->devices)
            labels += label_of(*device.device) + " ";
        return labels + devices->reason;
    };
    EXPECT_EQ(opened({.backend = "sound", .devices = {1, 0}}), "sound:1 sound:0 2 devices of sound share the frames");
    EXPECT_EQ(opened({.backend = "sound", .all_devices = true}), "sound:0 sound:1 2 devices of sound share the frames");
    EXPECT_EQ(opened({.backend = "auto", .devices = {1, 0}}), "sound:1 sound:0 2 devices of sound share the frames");
    EXPECT_THAT(opened({.backend = "sound", .devices = {1, 7}}), HasSubstr("sound has no device 7"));
    EXPECT_THAT(opened({.backend = "cpu", .devices = {0, 1}}), HasSubstr("backend cpu has none"));
}

TEST_F(Opening, OfJoinedPlacesGivesTheirDevices) {
    const auto loaded = load("sound");
    std::vector<ExecutionHandle> places;
    for (const int number : {1, 0})
        places.push_back(open_execution({.backend = "sound,cpu",
                                         .devices = {number},
                                         .backend_folders = {folder_.text()},
                                         .threads = 2 + number})
                             .value());
    const ExecutionHandle joined = SharedExecution::join(places);
    EXPECT_EQ(joined->threads(), 5);
    EXPECT_EQ(joined->wish().cpu, "cpu");
    const OpenedDevices opened = joined->opened().value();
    ASSERT_EQ(opened.devices.size(), 2U);
    for (std::size_t i = 0; i < places.size(); i++)
        EXPECT_EQ(opened.devices[i].device, places[i]->opened()->devices.front().device);
    EXPECT_EQ(opened.reason, "2 devices of sound share the frames");
    places.push_back(open_execution({.backend = "sound", .devices = {7}, .backend_folders = {folder_.text()}}).value());
    EXPECT_THAT(SharedExecution::join(places)->opened().error().message, HasSubstr("sound has no device 7"));
}

TEST(AddDevice, JoinsTextsAndAddsNumbers) {
    Execution joined{.device = "one", .arch = "sm_90", .pci_id = "a", .frames_in_flight = 8, .queues = 3};
    add_device({.device = "two", .arch = "sm_90", .frames_in_flight = 4, .queues = 2, .memory = {.pinned = 5}}, joined);
    add_device({.arch = "sm_80", .pci_id = "b", .memory = {.pinned = 6}}, joined);
    EXPECT_EQ(joined.device, "one, two");
    EXPECT_EQ(joined.arch, "sm_90, sm_80");
    EXPECT_EQ(joined.pci_id, "a, b");
    EXPECT_EQ(joined.frames_in_flight, 12);
    EXPECT_EQ(joined.queues, 5);
    EXPECT_EQ(joined.memory.pinned, 11U);
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

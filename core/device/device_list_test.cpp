// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/device_list.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "device/backends.hpp"
#include "device/testing/plugin_folder.hpp"

namespace isovmaf::testing::device_list_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Which = DeviceWish::Which;

/// An environment variable while it lives; removed then.
class Variable {
  public:
    Variable(const char *name, const char *value) : name_(name) { setenv(name, value, 1); }
    ~Variable() { unsetenv(name_); }
    Variable(const Variable &) = delete;
    Variable &operator=(const Variable &) = delete;

  private:
    const char *name_;
};

class DeviceList : public ::testing::Test {
  protected:
    void SetUp() override {
        for (const char *const name :
             {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"})
            unsetenv(name);
    }

    Result<ListedDevices> choose(const std::string &list) const { return choose_devices(list, {folder_.text()}); }

    std::string labels(const std::string &list) const {
        const Result<ListedDevices> chosen = choose(list);
        if (!chosen)
            return chosen.error().message;
        std::string text;
        for (const ListedDevice &device : chosen->devices)
            text += (text.empty() ? "" : " ") + device.label();
        return text;
    }

    PluginFolder folder_;
};

/// What has started the runtimes of backends.
TEST_F(DeviceList, RuntimesOfOtherBackendsAreNotStarted) {
    for (const char *const name : {"absent", "cuda", "sound", "understudy"})
        folder_.add(name);
    const TemporaryFolder out;
    const auto probed = [&](const auto &look) {
        const std::string file = out.write("probed", "");
        const Variable variable("FAKE_PROBED", file.c_str());
        look();
        std::ifstream text(file);
        return std::string(std::istreambuf_iterator(text), {});
    };
    const std::vector<std::string> folders{folder_.text()};
    EXPECT_EQ(probed([&] { EXPECT_TRUE(choose_backend({"sound", {}, folders})); }), "sound ");
    EXPECT_EQ(probed([&] { EXPECT_FALSE(choose("sound:1,cuda")) << "one GPU"; }), "sound cuda ");
    EXPECT_EQ(probed([&] { EXPECT_TRUE(find_devices("understudy", folders)); }), "understudy ");
    EXPECT_EQ(probed([&] { EXPECT_TRUE(choose("cpu")); }), "");
    EXPECT_EQ(probed([&] { EXPECT_FALSE(choose("hip")); }), "") << "the error names them";
}

TEST_F(DeviceList, EntriesAreRead) {
    EXPECT_THAT(*parse_device_list("all"), ElementsAre(DeviceWish{"", Which::every_gpu}));
    EXPECT_THAT(*parse_device_list("hip:0,hip:12,cpu,vulkan,cuda:*"),
                ElementsAre(DeviceWish{"hip", Which::one, 0}, DeviceWish{"hip", Which::one, 12}, DeviceWish{"cpu"},
                            DeviceWish{"vulkan"}, DeviceWish{"cuda", Which::every}));
}

TEST_F(DeviceList, WhatIsNoListIsRefused) {
    const auto refusal = [](const char *list) {
        const auto wishes = parse_device_list(list);
        return wishes ? "accepted" : wishes.error().message;
    };
    for (const char *const list : {"", "hip:0,", ",cpu", ":1", "auto"})
        EXPECT_THAT(refusal(list), HasSubstr("this names no backend")) << list;
    for (const char *const list : {"hip:", "hip:-1", "hip:x", "hip:1 ", "hip:99999", "hip:0:1"})
        EXPECT_THAT(refusal(list), HasSubstr("the number of a device, or *")) << list;
    EXPECT_THAT(refusal("cpu:0"), HasSubstr("cpu has no devices with numbers"));
    EXPECT_THAT(refusal("all,cpu"), HasSubstr("all stands alone"));
    EXPECT_THAT(refusal("cpu,hip:1,cpu"), HasSubstr("it is taken twice; --workers"));
}

TEST_F(DeviceList, AllTakesTheGpusOfOneBackend) {
    for (const std::string name : {"absent", "broken", "sound", "understudy"})
        folder_.add(name);
    EXPECT_EQ(labels("all"), "broken:10");
    EXPECT_THAT(choose("all")->notices,
                AllOf(::testing::SizeIs(10), ::testing::Each(HasSubstr("passed over: device "))));
    std::filesystem::remove(folder_.path() / "libvmaf_broken.so");
    EXPECT_EQ(labels("all"), "sound:0 sound:1");
    const auto chosen = choose("all");
    EXPECT_EQ(chosen->summary,
              "all GPUs of sound, the first backend that has some: sound:0 (Fake GPU), sound:1 (Fake GPU)");
    EXPECT_THAT(chosen->notices, IsEmpty());
    EXPECT_EQ(chosen->devices[1].pci_id, "0000:c1:00.0");
}

TEST_F(DeviceList, DevicesAreFoundWithoutOpeningOne) {
    for (const std::string name : {"absent", "sound", "understudy"})
        folder_.add(name);
    const auto found = [&](const char *backend) {
        const std::vector<ListedDevice> devices = find_devices(backend, {folder_.text()}).value();
        std::string text;
        for (const ListedDevice &device : devices)
            text += device.label() + " " + device.pci_id + " ";
        return text;
    };
    EXPECT_EQ(found("sound"), "sound:0 0000:c1:00.0 sound:1 0000:c1:00.0 ");
    EXPECT_EQ(found("auto"), found("sound"));
    EXPECT_THAT(found("understudy"), ::testing::StartsWith("understudy:0 ")) << "a CPU that is asked for by name";
    EXPECT_THAT(find_devices("hip", {folder_.text()}).error().message, HasSubstr("backend hip was not found"));
    std::filesystem::remove(folder_.path() / "libvmaf_sound.so");
    EXPECT_THAT(find_devices("auto", {folder_.text()}).error().message,
                AllOf(HasSubstr("there is no GPU: "), HasSubstr("understudy has no GPU")));
}

TEST_F(DeviceList, WithoutAGpuAllTakesTheCpuAndSaysWhy) {
    EXPECT_EQ(labels("all"), "cpu");
    EXPECT_EQ(choose("all")->summary, "the CPU, because no GPU can be used: there is no plugin");
    for (const std::string name : {"absent", "understudy"})
        folder_.add(name);
    EXPECT_EQ(labels("all"), "cpu");
    EXPECT_THAT(choose("all")->summary,
                AllOf(HasSubstr("install the fake driver"), HasSubstr("understudy has no GPU that works")));
}

TEST_F(DeviceList, AListIsTakenAsItStands) {
    for (const std::string name : {"sound", "understudy"})
        folder_.add(name);
    EXPECT_EQ(labels("sound:1,cpu,sound:0"), "sound:1 cpu sound:0");
    EXPECT_EQ(labels("sound:*,cpu-ref"), "sound:0 sound:1 cpu-ref");
    EXPECT_EQ(labels("sound"), "sound:0");
    EXPECT_EQ(labels("understudy:*"), "understudy:0") << "a CPU that is asked for by name";
    EXPECT_EQ(choose("sound:1,cpu")->summary, "sound:1 (Fake GPU), cpu, as the list of devices says");
    EXPECT_TRUE(choose_devices("cpu", {"/nonexistent"})) << "no plugin is looked for";
}

TEST_F(DeviceList, AnErrorNamesWhatThereIs) {
    folder_.add("sound");
    EXPECT_THAT(labels("hip:0"), HasSubstr("backend hip was not found: no libvmaf_hip.so, there is sound; searched: "));
    EXPECT_THAT(labels("suond:0"), HasSubstr("backend suond was not found (did you mean sound?): no libvmaf_suond.so"));
    EXPECT_THAT(labels("cpu,sound:2"),
                AllOf(HasSubstr("sound has no device 2: it has 2 devices, counted from 0"), Not(HasSubstr("hides"))));
    folder_.add("broken");
    EXPECT_THAT(labels("broken:0"), HasSubstr("device 0 of broken (Fake GPU) is not used"));
}

TEST_F(DeviceList, OneGpuIsNotTakenTwice) {
    for (const std::string name : {"sound", "understudy"})
        folder_.add(name);
    EXPECT_THAT(labels("sound:0,understudy:0"),
                HasSubstr("\"understudy:0\": it is the same GPU as sound:0, at 0000:c1:00.0: name one of them"));
    EXPECT_THAT(labels("sound:*,sound:1"), HasSubstr("it is taken twice"));
}

TEST_F(DeviceList, VariablesThatHideDevicesAreNamed) {
    const PluginFolder as_cuda;
    as_cuda.add("cuda");
    const Variable variable("CUDA_VISIBLE_DEVICES", "MIG-1,\x1b[2m");
    const auto refusal = choose_devices("cuda:4", {as_cuda.text()});
    ASSERT_FALSE(refusal);
    EXPECT_THAT(refusal.error().message,
                HasSubstr("counted from 0; devices that CUDA_VISIBLE_DEVICES=MIG-1,\\x1b[2m hides are not counted"));
    EXPECT_EQ(choose_devices("all", {as_cuda.text()})->devices.front().label(), "cuda:0");
    folder_.add("sound");
    const auto left_alone = choose("all");
    EXPECT_EQ(left_alone->devices.front().label(), "cpu") << "sound knows nothing of the variable";
    EXPECT_THAT(left_alone->summary, HasSubstr("sound does not read CUDA_VISIBLE_DEVICES="));
    EXPECT_EQ(labels("sound:1"), "sound:1");
}

} // namespace
} // namespace isovmaf::testing::device_list_test

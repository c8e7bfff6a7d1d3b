// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/backends.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/float_environment.hpp"
#include "device/testing/plugin_folder.hpp"

namespace isovmaf {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::PluginFolder;
using ::testing::StartsWith;

constexpr std::uint32_t sound_device_of_broken = 10; ///< after its nine defects and one that does not open

class Backends : public ::testing::Test {
  protected:
    std::vector<BackendCandidate> find() const { return *find_backends({folder_.text()}); }

    Result<BackendChoice> choose(const std::string &name, std::optional<int> device = {}) const {
        return choose_backend({name, device, {folder_.text()}});
    }

    std::string refusal(const std::string &name, std::optional<int> device = {}) const {
        const Result<BackendChoice> choice = choose(name, device);
        return choice ? "chose: " + choice->reason : choice.error().message;
    }

    PluginFolder folder_;
};

TEST_F(Backends, EveryPluginFileGetsAVerdictInTheOrderOfNames) {
    for (const std::string name : {"stale", "sound", "absent"})
        folder_.add(name);
    folder_.add("sound", "vmaf_sound.so"); // no plugin's name
    folder_.add("sound", "libvmaf_sound.so.1");
    fs::create_directory(folder_.path() / "libvmaf_folder.so");
    const std::vector<BackendCandidate> found = find();
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].file, folder_.path() / "libvmaf_absent.so");
    EXPECT_EQ(found[0].verdict, PluginVerdict::unavailable);
    EXPECT_EQ(found[0].reason, "libfake.so.1 is not installed: install the fake driver");
    EXPECT_EQ(found[0].plugin->name(), "absent");
    EXPECT_EQ(found[1].file, folder_.path() / "libvmaf_sound.so");
    EXPECT_EQ(found[1].verdict, PluginVerdict::loaded);
    EXPECT_EQ(found[1].reason, "2 devices through libfake.so.1");
    EXPECT_EQ(found[1].runtime.device_count, 2U);
    EXPECT_EQ(found[2].file, folder_.path() / "libvmaf_stale.so");
    EXPECT_EQ(found[2].verdict, PluginVerdict::refused);
    EXPECT_FALSE(found[2].plugin);
}

TEST_F(Backends, AutoChoosesAmongBackendsThatWereFound) {
    folder_.add("sound");
    BackendRequest request{"auto", {}, {folder_.text()}};
    request.found = std::make_shared<const std::vector<BackendCandidate>>(find());
    const std::string expected = choose("auto")->reason;
    fs::remove_all(folder_.path());
    EXPECT_EQ(choose_backend(request)->reason, expected);
    request.found = nullptr;
    EXPECT_FALSE(choose_backend(request));
}

TEST_F(Backends, APluginDoesNotChangeHowThisThreadComputes) {
    folder_.add("rounding");
    const FloatRegisters before = FloatRegisters::read();
    const auto plugin = Plugin::open(folder_.path() / "libvmaf_rounding.so");
    ASSERT_TRUE(plugin) << plugin.error().message;
    EXPECT_EQ(FloatRegisters::read(), before);
    EXPECT_TRUE((*plugin)->probe());
    EXPECT_EQ(FloatRegisters::read(), before);
}

TEST_F(Backends, ARefusalNamesTheFileTheFaultAndTheCure) {
    const auto refused = [&](const fs::path &file) {
        const std::vector<BackendCandidate> found = find();
        EXPECT_EQ(found.size(), 1U);
        EXPECT_EQ(found[0].verdict, PluginVerdict::refused);
        EXPECT_THAT(found[0].reason, HasSubstr(file.string() + ": "));
        fs::remove(file);
        return found[0].reason;
    };
    EXPECT_THAT(refused(folder_.write("libvmaf_text.so", "not a library\n")),
                AllOf(HasSubstr("cannot be loaded"), HasSubstr("reinstall")));
    fs::create_symlink("/nonexistent", folder_.path() / "libvmaf_link.so");
    EXPECT_THAT(refused(folder_.path() / "libvmaf_link.so"), HasSubstr("No such file"));
    EXPECT_THAT(refused(folder_.add("symbolless")), HasSubstr("no symbol isovmaf_backend_entry; remove the file"));
    EXPECT_THAT(refused(folder_.add("magicless")), HasSubstr("its magic number is 0x12345678, not 0x464d5649"));
    EXPECT_THAT(refused(folder_.add("stale")),
                AllOf(HasSubstr("layout 0x0000000000000123"),
                      HasSubstr(fmt::format("{:#018x}", ISOVMAF_BACKEND_LAYOUT)), HasSubstr("rebuild or reinstall")));
    EXPECT_THAT(refused(folder_.add("misnamed")), HasSubstr("\"cpu\""));
}

TEST_F(Backends, OfTwoWithOneNameTheEarlierFolderWins) {
    const PluginFolder first, second;
    first.add("sound", "libvmaf_z.so");
    second.add("sound", "libvmaf_z.so");
    second.add("sound", "libvmaf_zz.so");
    const auto found = *find_backends({first.text(), second.text()});
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].file.parent_path(), first.path());
    EXPECT_EQ(found[0].verdict, PluginVerdict::loaded);
    for (const std::size_t i : {1U, 2U}) {
        EXPECT_EQ(found[i].verdict, PluginVerdict::refused);
        EXPECT_THAT(found[i].reason,
                    AllOf(HasSubstr(found[i].file.string()), HasSubstr(found[0].file.string()), HasSubstr("remove")));
    }
}

TEST_F(Backends, AFolderThatIsNotThereIsAnErrorForEveryPlugin) {
    for (const std::string name : {"auto", "sound"}) {
        const auto choice = choose_backend({name, {}, {"/nonexistent"}});
        ASSERT_FALSE(choice);
        EXPECT_THAT(choice.error().message, HasSubstr("/nonexistent"));
    }
    EXPECT_TRUE(choose_backend({"cpu", {}, {"/nonexistent"}})) << "no plugin is looked for";
}

TEST_F(Backends, AutoTakesTheFirstDeviceThatPasses) {
    for (const std::string name : {"absent", "broken", "sound", "stale"})
        folder_.add(name);
    const auto choice = choose("auto");
    ASSERT_TRUE(choice && choice->device);
    EXPECT_EQ(choice->device->plugin().name(), "broken");
    EXPECT_EQ(choice->device->index(), sound_device_of_broken);
    EXPECT_EQ(choice->runtime.device_count, choice->device->plugin().probe()->device_count);
    EXPECT_THAT(choice->reason,
                AllOf(HasSubstr("device 10 of broken (Fake GPU) is the first"), HasSubstr("install the fake driver")));
    EXPECT_THAT(choice->notices, ElementsAre(AllOf(HasSubstr("passed over: device 0 of broken (Fake GPU) is not used"),
                                                   Not(HasSubstr("install the fake driver")))));
}

TEST_F(Backends, AutoTakesTheCpuAndSaysWhy) {
    EXPECT_THAT(choose("auto")->reason,
                AllOf(HasSubstr("the CPU"), HasSubstr("no backend plugin"), HasSubstr(folder_.text())));
    folder_.add("absent");
    folder_.add("stale");
    const auto choice = choose("auto");
    ASSERT_TRUE(choice);
    EXPECT_FALSE(choice->device);
    EXPECT_THAT(choice->reason, AllOf(HasSubstr("install the fake driver"), HasSubstr("libvmaf_stale.so")));
    EXPECT_THAT(choice->notices, ElementsAre(HasSubstr("libvmaf_stale.so: built for another isovmaf")));
}

TEST_F(Backends, AutoNeverTakesADeviceThatIsACpu) {
    folder_.add("understudy");
    const auto choice = choose("auto");
    ASSERT_TRUE(choice);
    EXPECT_FALSE(choice->device);
    EXPECT_THAT(
        choice->reason,
        HasSubstr("device 0 of understudy (Fake GPU) is a CPU, used only when understudy is asked for by name"));
    EXPECT_THAT(choice->notices, IsEmpty()) << "no GPU is lost";
    EXPECT_THAT(refusal("auto", 0), HasSubstr("there is no device 0"));
    EXPECT_TRUE(choose("understudy")->device);
}

TEST_F(Backends, ABackendAskedForIsUsedOrTheCallFails) {
    EXPECT_THAT(refusal("sound"), AllOf(HasSubstr("backend sound was not found"), HasSubstr("there is no plugin"),
                                        HasSubstr("searched: " + folder_.text())));
    folder_.add("absent");
    folder_.add("stale");
    EXPECT_THAT(refusal("sound"), AllOf(HasSubstr("no libvmaf_sound.so, there are absent, libvmaf_stale.so; searched"),
                                        Not(HasSubstr("libfake.so.1"))))
        << "no other runtime is asked for";
    EXPECT_THAT(refusal("stale"), AllOf(StartsWith("backend stale cannot be used here: "),
                                        HasSubstr("libvmaf_stale.so: built for"), Not(HasSubstr("absent"))));
    EXPECT_THAT(refusal("absent"),
                AllOf(StartsWith("backend absent cannot be used here: libfake.so.1 is not installed"),
                      Not(HasSubstr("stale")), Not(HasSubstr(folder_.text()))));
    folder_.add("sound");
    const auto choice = choose("sound");
    ASSERT_TRUE(choice && choice->device);
    EXPECT_EQ(choice->device->index(), 0U);
    EXPECT_EQ(choice->reason, "device 0 of sound (Fake GPU) was asked for by name");
}

TEST_F(Backends, ADeviceNumberIsUsedOrTheCallFails) {
    folder_.add("sound");
    EXPECT_EQ(choose("sound", 1)->device->index(), 1U);
    EXPECT_EQ(choose("auto", 1)->device->index(), 1U);
    for (const std::string name : {"sound", "auto"})
        for (const int device : {2, -1})
            EXPECT_THAT(refusal(name, device), HasSubstr(fmt::format("no device {}: it has 2 devices", device)));
    EXPECT_THAT(refusal("cpu", 0), HasSubstr("no device 0"));
}

TEST_F(Backends, ADeviceThatFailsItsSelfTestIsNotUsed) {
    folder_.add("broken");
    EXPECT_THAT(refusal("broken", 0), AllOf(HasSubstr("device 0 of broken"), HasSubstr("self-test failed")));
    EXPECT_THAT(refusal("auto", 0), HasSubstr("self-test failed"));
    EXPECT_THAT(refusal("broken", 9), HasSubstr("device 9 of broken cannot be used: there are no kernels for its"));
    EXPECT_EQ(choose("broken")->device->index(), sound_device_of_broken);
    EXPECT_THAT(choose("broken")->notices, ElementsAre(HasSubstr("self-test failed")));
}

TEST_F(Backends, ADeviceSaysWhetherItsF32IsExact) {
    folder_.add("sound");
    folder_.add("inexact");
    EXPECT_TRUE(choose("sound")->device->exact_f32());
    const auto choice = choose("inexact");
    ASSERT_TRUE(choice && choice->device) << "it may be used for all that needs no f32";
    EXPECT_FALSE(choice->device->exact_f32());
    EXPECT_THAT(choice->device->f32_fault(), HasSubstr("f32 sum"));
    const auto untested = Device::open(*Plugin::open(folder_.path() / "libvmaf_sound.so"), 0);
    EXPECT_FALSE(untested->exact_f32());
}

TEST_F(Backends, TheCpuOpensNoPlugin) {
    folder_.write("libvmaf_text.so", "not a library\n");
    for (const auto &[name, reason] : {std::pair("cpu", "the CPU was asked for"),
                                       std::pair("cpu-ref", "the definitions were asked for, on the CPU")}) {
        const auto choice = choose(name);
        ASSERT_TRUE(choice);
        EXPECT_FALSE(choice->device);
        EXPECT_EQ(choice->reason, reason);
        EXPECT_THAT(refusal(name, 0), HasSubstr(std::string(name) + " has no device 0"));
    }
}

} // namespace
} // namespace isovmaf

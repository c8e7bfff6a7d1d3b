// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/side.hpp"
#include "simd/level.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "device/testing/plugin_folder.hpp"

namespace isovmaf::diff::side_test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// "NAME=BACKEND", with ":DEVICE" and "xFRAMES" where they are set.
std::string text(const Side &side) {
    return side.name + "=" + side.backend + (side.devices.empty() ? "" : ":" + std::to_string(side.devices.front())) +
           (side.frames_in_flight ? "x" + std::to_string(side.frames_in_flight) : "");
}

class FindSides : public ::testing::Test {
  protected:
    SideRequest request(const std::string &backends) const {
        SideRequest made{.backends = backends};
        made.folders = {folder_.text()};
        return made;
    }

    static std::vector<std::string> texts(const SideRequest &request) {
        const Result<Sides> found = find_sides(request);
        EXPECT_TRUE(found) << found.error().message;
        std::vector<std::string> all;
        if (found)
            for (const Side &side : found->sides)
                all.push_back(text(side));
        return all;
    }
    std::vector<std::string> texts(const std::string &backends) const { return texts(request(backends)); }

    static std::string refusal(const SideRequest &request) {
        const Result<Sides> found = find_sides(request);
        return found ? "found " + std::to_string(found->sides.size()) : found.error().message;
    }
    std::string refusal(const std::string &backends) const { return refusal(request(backends)); }

    testing::PluginFolder folder_;
};

TEST_F(FindSides, TheCpuHasTwoNames) {
    EXPECT_THAT(texts("cpu-ref"), ElementsAre("cpu-ref=cpu-ref"));
    EXPECT_THAT(texts("cpu"), ElementsAre("cpu=cpu"));
    EXPECT_THAT(texts("cpu-ref,cpu"), ElementsAre("cpu-ref=cpu-ref", "cpu=cpu"));
    EXPECT_THAT(texts("cpu,cpu-ref"), ElementsAre("cpu=cpu", "cpu-ref=cpu-ref"))
        << "the first is what is compared with";
}

TEST_F(FindSides, TheCpuNeedsNoPluginFolder) {
    SideRequest cpu{.backends = "cpu-ref,cpu"};
    cpu.folders = {"/nonexistent"};
    EXPECT_TRUE(find_sides(cpu));
    cpu.backends = "cpu-ref,available";
    EXPECT_THAT(refusal(cpu), HasSubstr("/nonexistent"));
}

TEST_F(FindSides, NamedBackendsAndDevices) {
    folder_.add("sound");
    EXPECT_THAT(texts("sound"), ElementsAre("sound=sound"));
    EXPECT_THAT(texts("cpu-ref,sound:1,sound:0"), ElementsAre("cpu-ref=cpu-ref", "sound:1=sound:1", "sound:0=sound:0"));
}

TEST_F(FindSides, DevicesOfSidesAreOpen) {
    folder_.add("sound");
    const Sides shared = value_of(find_sides(request("cpu-ref,sound:1+0")));
    EXPECT_EQ(shared.sides[1].name, "sound:1+0");
    EXPECT_EQ(shared.sides[1].devices, (std::vector{1, 0}));
    const Sides found = value_of(find_sides(request("cpu-ref,sound:1,sound")));
    ASSERT_EQ(found.open_devices.size(), 2U);
    EXPECT_EQ(found.open_devices[0]->index(), 1U);
    EXPECT_EQ(found.open_devices[1]->index(), 0U);
}

TEST_F(FindSides, StandInsAreSidesToo) {
    folder_.add("understudy");
    EXPECT_THAT(texts("understudy"), ElementsAre("understudy=understudy"));
    EXPECT_THAT(texts("cpu-ref,available"), ElementsAre("cpu-ref=cpu-ref", "understudy=understudy"));
}

TEST_F(FindSides, EveryLevelOfTheProcessorCanBeASide) {
    const Sides named = *find_sides({.backends = "cpu:scalar"});
    ASSERT_EQ(named.sides.size(), 1U);
    EXPECT_EQ(named.sides[0].name, "cpu:scalar");
    EXPECT_EQ(named.sides[0].backend, "cpu");
    EXPECT_EQ(named.sides[0].cpu_level, "scalar");
    const Sides all = *find_sides({.backends = "cpu-ref,cpu:all"});
    ASSERT_EQ(all.sides.size(), usable_cpu_levels().size()); // without scalar, with cpu-ref
    EXPECT_EQ(all.sides.back().cpu_level, cpu_level_name(newest_cpu_level()));
}

TEST_F(FindSides, WhatIsNoBackendIsRefused) {
    folder_.add("sound");
    for (const char *const wrong : {"", ",", "cpu-ref,", ",sound", ":0", "cpu-ref:1"})
        EXPECT_THAT(refusal(wrong), HasSubstr("is no side: give cpu-ref, cpu with or without :LEVEL, available"))
            << wrong;
    EXPECT_THAT(refusal("cpu:0"),
                HasSubstr("\"cpu:0\" is no side: there is no CPU level \"0\": give auto or one of scalar"));
    EXPECT_THAT(refusal("cpu-ref,vulkan"), AllOf(HasSubstr("backend vulkan cannot be used"), HasSubstr("no plugin")));
    EXPECT_THAT(refusal("cpu-ref, sound"), HasSubstr("backend  sound"));
    EXPECT_THAT(refusal("vulkan:0"), HasSubstr("backend vulkan cannot be used"));
}

TEST_F(FindSides, ADeviceThatIsNotThereIsRefused) {
    folder_.add("sound");
    for (const char *const wrong : {"sound:2", "sound:7", "sound:-1", "sound:", "sound:x", "sound:0:1", "sound:0+2",
                                    "sound:0+", "sound:4294967296"})
        EXPECT_THAT(refusal(wrong), AllOf(HasSubstr(wrong), HasSubstr("sound has 2 devices, numbered from 0")));
}

TEST_F(FindSides, BackendsThatCannotBeUsedSayWhy) {
    folder_.add("absent");
    folder_.add("stale");
    EXPECT_THAT(refusal("absent"), HasSubstr("install the fake driver"));
    EXPECT_THAT(refusal("absent:0"), HasSubstr("install the fake driver"));
    EXPECT_THAT(refusal("stale"), HasSubstr("no plugin of that name"));
}

TEST_F(FindSides, ASideIsGivenOnce) {
    folder_.add("sound");
    EXPECT_THAT(refusal("cpu,cpu"), HasSubstr("side cpu is given twice"));
    EXPECT_THAT(refusal("cpu-ref,sound,sound"), HasSubstr("side sound is given twice"));
    EXPECT_THAT(refusal("sound:1,sound:1"), HasSubstr("side sound:1 is given twice"));
    EXPECT_THAT(refusal("sound:1,sound:01"), HasSubstr("side sound:1 is given twice"));
    EXPECT_THAT(refusal("cpu-ref,available,sound"), HasSubstr("side sound is given twice"));
    SideRequest all = request("sound:0,sound");
    all.all_devices = true;
    EXPECT_THAT(refusal(all), HasSubstr("side sound:0 is given twice"));
}

TEST_F(FindSides, AvailableTakesWhatIsThereAndListsTheRest) {
    for (const char *const name : {"absent", "sound", "stale", "understudy"})
        folder_.add(name);
    const Sides found = find_sides(request("cpu-ref,available")).value();
    ASSERT_EQ(found.sides.size(), 3U);
    EXPECT_EQ(found.sides[1].name, "sound");
    EXPECT_EQ(found.sides[2].name, "understudy");
    ASSERT_EQ(found.absent.size(), 2U);
    EXPECT_EQ(found.absent[0].side, "absent");
    EXPECT_THAT(found.absent[0].reason, HasSubstr("install the fake driver"));
    EXPECT_EQ(found.absent[1].side, "libvmaf_stale.so");
    EXPECT_THAT(found.absent[1].reason, HasSubstr("layout"));
}

TEST_F(FindSides, NothingAvailableLeavesTheCpu) {
    const Sides found = find_sides(request("cpu-ref,available")).value();
    EXPECT_EQ(found.sides.size(), 1U);
    EXPECT_THAT(found.absent, IsEmpty());
}

TEST_F(FindSides, NoSideAtAllIsRefused) {
    EXPECT_THAT(refusal("available"), HasSubstr("no backend is available"));
    folder_.add("absent");
    EXPECT_THAT(refusal("available"),
                AllOf(HasSubstr("no backend is available"), HasSubstr("install the fake driver")));
    folder_.add("sound");
    EXPECT_THAT(texts("available"), ElementsAre("sound=sound"));
}

TEST_F(FindSides, RequiredBackendsHaveToBeThere) {
    folder_.add("absent");
    folder_.add("sound");
    SideRequest some = request("cpu-ref,available");
    some.required = {"sound"};
    EXPECT_THAT(texts(some), ElementsAre("cpu-ref=cpu-ref", "sound=sound"));
    some.required = {"sound", "cpu"};
    EXPECT_TRUE(find_sides(some));
    some.required = {"sound", "absent"};
    EXPECT_THAT(refusal(some), AllOf(HasSubstr("absent is required"), HasSubstr("install the fake driver")));
    some.required = {"vulkan"};
    EXPECT_THAT(refusal(some), AllOf(HasSubstr("vulkan is required"), HasSubstr("no plugin of that name")));
    some.backends = "cpu-ref,cpu";
    some.required = {"sound"};
    EXPECT_THAT(refusal(some), AllOf(HasSubstr("sound is required"), HasSubstr("is not among the sides")));
    some.backends = "cpu-ref,sound:1";
    EXPECT_THAT(texts(some), ElementsAre("cpu-ref=cpu-ref", "sound:1=sound:1"));
}

TEST_F(FindSides, FramesInFlightAreSwept) {
    folder_.add("sound");
    SideRequest swept = request("cpu-ref,sound,sound:1");
    swept.frames_in_flight = {1, 8};
    EXPECT_THAT(texts(swept), ElementsAre("cpu-ref=cpu-ref", "sound inflight=1=soundx1", "sound inflight=8=soundx8",
                                          "sound:1 inflight=1=sound:1x1", "sound:1 inflight=8=sound:1x8"));
    swept.streams = {2, 3};
    EXPECT_THAT(texts(swept), Contains("sound:1 inflight=8 streams=3=sound:1x8"));
    EXPECT_EQ(texts(swept).size(), 1u + 2 * 2 * 2);
    swept.streams.clear();
    swept.frames_in_flight = {2, 2};
    EXPECT_THAT(refusal(swept), HasSubstr("side sound inflight=2 is given twice"));
}

TEST_F(FindSides, AllDevicesOfWhatIsNamedWithoutOne) {
    folder_.add("sound");
    folder_.add("understudy");
    SideRequest all = request("cpu-ref,available");
    all.all_devices = true;
    EXPECT_THAT(texts(all),
                ElementsAre("cpu-ref=cpu-ref", "sound:0=sound:0", "sound:1=sound:1", "understudy:0=understudy:0"));
    all.backends = "sound";
    all.frames_in_flight = {4};
    EXPECT_THAT(texts(all), ElementsAre("sound:0 inflight=4=sound:0x4", "sound:1 inflight=4=sound:1x4"));
    all.frames_in_flight.clear();
    all.backends = "sound:1,understudy";
    EXPECT_THAT(texts(all), ElementsAre("sound:1=sound:1", "understudy:0=understudy:0"));
}

} // namespace
} // namespace isovmaf::diff::side_test

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs/near_device.hpp"

#include <cstdlib>

#include <gmock/gmock.h>

#include "base/testing/temporary_folder.hpp"

namespace isovmaf::testing::near_device_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A package with two processors, its memory and a GPU behind a bridge. `sets` are masks of bits in hexadecimal.
std::string package(int number, const char *sets, const char *memory, const char *bus) {
    const std::string id = std::to_string(number), at = std::string(R"( cpuset=")") + sets + R"(" complete_cpuset=")" +
                                                        sets + R"(" nodeset=")" + memory + R"(" complete_nodeset=")" +
                                                        memory + R"(")";
    std::string text = R"(<object type="Package" os_index=")" + id + "\"" + at + R"( gp_index="1)" + id +
                       R"("><object type="NUMANode" os_index=")" + id + "\"" + at + R"( gp_index="2)" + id + R"("/>)";
    for (int i = 0; i < 2; i++) {
        const int processor = 2 * number + i;
        const std::string mask = "0x" + std::to_string(1 << processor);
        text += R"(<object type="PU" os_index=")" + std::to_string(processor) + R"(" cpuset=")" + mask +
                R"(" complete_cpuset=")" + mask + R"(" nodeset=")" + memory + R"(" complete_nodeset=")" + memory +
                R"(" gp_index="3)" + std::to_string(processor) + R"("/>)";
    }
    return text + R"(<object type="Bridge" gp_index="4)" + id + R"(" bridge_type="0-1" depth="0" bridge_pci="0000:[)" +
           bus + "-" + bus + R"(]"><object type="PCIDev" gp_index="5)" + id + R"(" pci_busid="0000:)" + bus +
           R"(:00.0" pci_type="1200 [1002:740c] [1002:0c34] 00" pci_link_speed="0.0"/></object></object>)";
}

/// Makes hwloc see a machine of two packages, by its own variable.
class NearDevice : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!batch::knows_topology())
            GTEST_SKIP() << "built without hwloc (libhwloc-dev)";
        const std::string file = folder_.write(
            "machine.xml",
            R"(<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE topology SYSTEM "hwloc2.dtd"><topology version="2.0">)"
            R"(<object type="Machine" os_index="0" cpuset="0xf" complete_cpuset="0xf" allowed_cpuset="0xf" )"
            R"(nodeset="0x3" complete_nodeset="0x3" allowed_nodeset="0x3" gp_index="1">)" +
                package(0, "0x3", "0x1", "21") + package(1, "0xc", "0x2", "c1") + "</object></topology>");
        setenv("HWLOC_XMLFILE", file.c_str(), 1);
    }
    void TearDown() override { unsetenv("HWLOC_XMLFILE"); }

    TemporaryFolder folder_;
};

TEST_F(NearDevice, ProcessorsOfItsPackageAreNear) {
    const std::vector<std::string> devices{"0000:c1:00.0", "0000:21:00.0", "0000:55:00.0", "", "nonsense"};
    const auto near = batch::processors_near(devices);
    ASSERT_TRUE(near) << near.error().message;
    EXPECT_THAT(*near, ElementsAre(ElementsAre(2, 3), ElementsAre(0, 1), IsEmpty(), IsEmpty(), IsEmpty()));
}

} // namespace
} // namespace isovmaf::testing::near_device_test

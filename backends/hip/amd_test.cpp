// SPDX-License-Identifier: BSD-2-Clause-Patent
// Which kernels run on which device, and what users are told where there are none.
#include <algorithm>
#include <initializer_list>
#include <string_view>

#include <gtest/gtest.h>

#include "gpu_layer/platform.hpp"

namespace isovmaf::gpu::platform {
namespace {

TEST(AmdKernels, RunOnTheirOwnProcessorWhateverItsSettings) {
    EXPECT_TRUE(may_run("gfx90a", "gfx90a"));
    EXPECT_TRUE(may_run("gfx90a", "gfx90a:sramecc+:xnack-"));
    EXPECT_FALSE(may_run("gfx90a", "gfx90c"));
    EXPECT_FALSE(may_run("gfx103", "gfx1030"));
}

TEST(AmdKernels, GenericOnesRunOnTheProcessorsOfTheirFamily) {
    const auto expect_runs = [](const char *generic, std::initializer_list<const char *> archs) {
        for (const char *const arch :
             {"gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1036", "gfx1100",
              "gfx1103", "gfx1150", "gfx1153", "gfx1200", "gfx1201", "gfx1250"})
            EXPECT_EQ(may_run(generic, arch), std::ranges::find(archs, std::string_view(arch)) != archs.end()) << arch;
    };
    expect_runs("gfx9-4-generic", {"gfx942", "gfx950"});
    expect_runs("gfx10-3-generic", {"gfx1030", "gfx1036"});
    expect_runs("gfx11-generic", {"gfx1100", "gfx1103", "gfx1150", "gfx1153"});
    expect_runs("gfx12-generic", {"gfx1200", "gfx1201"});
    EXPECT_TRUE(may_run("gfx11-generic", "gfx1154:xnack-")) << "newer than this table";
}

TEST(AmdKernels, GenericOnesAreNotTriedOnADeviceWithoutAName) {
    EXPECT_TRUE(may_run("gfx90a", ""));
    EXPECT_FALSE(may_run("gfx11-generic", ""));
}

TEST(AmdKernels, TheAdviceNamesWhatWouldDo) {
    EXPECT_EQ(build_advice("gfx1152:xnack-"),
              "; build isovmaf with -Dhip_archs=gfx1152, or gfx11-generic with clang 22 "
              "for ROCm 6.4 and later");
    EXPECT_EQ(build_advice("gfx803"), "; build isovmaf with -Dhip_archs=gfx803");
    EXPECT_EQ(build_advice(""), "");
}

} // namespace
} // namespace isovmaf::gpu::platform

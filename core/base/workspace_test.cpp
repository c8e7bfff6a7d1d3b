// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/workspace.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

TEST(Workspace, TakesAreAlignedAndDisjoint) {
    Workspace workspace;
    const auto a = workspace.take<std::uint8_t>(1);
    const auto b = workspace.take<std::int64_t>(1000);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) % 64, 0u);
    EXPECT_GE(reinterpret_cast<std::byte *>(b.data()) - reinterpret_cast<std::byte *>(a.data()), 1);
    EXPECT_EQ(b.size(), 1000u);
}

TEST(Workspace, EqualFramesAllocateOnlyOnce) {
    Workspace workspace;
    const auto one_frame = [&] {
        for (int i = 0; i < 5; i++)
            (void)workspace.take<std::int32_t>(700'000);
        workspace.reset();
    };
    one_frame();
    const std::size_t held = workspace.capacity();
    for (int i = 0; i < 3; i++)
        one_frame();
    EXPECT_EQ(workspace.capacity(), held);
}

} // namespace
} // namespace isovmaf

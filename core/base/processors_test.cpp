// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/processors.hpp"

#include <thread>

#include <gmock/gmock.h>

namespace isovmaf {
namespace {

using ::testing::ElementsAre;

TEST(Processors, OnlyThoseCountThatTheThreadMayUse) {
    const std::vector<int> all = usable_processor_numbers();
    ASSERT_FALSE(all.empty());
    EXPECT_LE(usable_processors(), static_cast<int>(all.size())) << "a quota may give fewer";
    std::vector<int> bound, inherited;
    std::thread([&] {
        ASSERT_TRUE(bind_thread(std::span(all).last(1)));
        bound = usable_processor_numbers();
        std::thread([&] { inherited = usable_processor_numbers(); }).join();
    }).join();
    EXPECT_THAT(bound, ElementsAre(all.back()));
    EXPECT_THAT(inherited, ElementsAre(all.back()));
    EXPECT_EQ(usable_processor_numbers(), all) << "other threads are not bound";
}

TEST(Processors, ThatAreNotThereAreRefused) {
    const std::vector<int> nowhere{100'000};
    for (const std::span<const int> processors : {std::span<const int>(), std::span<const int>(nowhere)}) {
        const Result<void> bound = bind_thread(processors);
        ASSERT_FALSE(bound);
        EXPECT_THAT(bound.error().message, ::testing::HasSubstr("cannot bind a thread to"));
    }
}

} // namespace
} // namespace isovmaf

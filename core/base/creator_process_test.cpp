// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/creator_process.hpp"

#include <gmock/gmock.h>

#include "base/testing/forked.hpp"

namespace isovmaf {
namespace {

TEST(CreatorProcess, IsTheOneThatMadeTheObject) {
    const CreatorProcess creator;
    EXPECT_TRUE(creator.is_current());
    EXPECT_TRUE(creator.check("the cup"));
}

TEST(CreatorProcess, IsNotOneThatWasForked) {
    const CreatorProcess creator;
    const std::string refusal = testing::in_forked_process([&] {
        const Result<void> checked = creator.check("the cup");
        return checked || creator.is_current() ? "accepted" : checked.error().message;
    });
    EXPECT_THAT(refusal, ::testing::MatchesRegex("process [0-9]+ cannot use the cup, which process [0-9]+ made before "
                                                 "a fork: .*; make another one after the fork"));
    EXPECT_TRUE(creator.is_current());
}

} // namespace
} // namespace isovmaf

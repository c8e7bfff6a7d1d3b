// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/frame_history.hpp"

#include <gtest/gtest.h>

#include "features/testing/feature_runner.hpp"

namespace isovmaf::frame_history_test {
namespace {

/// Whether the inputs hold the picture `expected`; null stands for none.
bool is(const Frame *found, const FramePair *expected) {
    if (!found || !expected)
        return !found && !expected;
    return found->plane(0).data == expected->reference.plane(0).data;
}

class FrameHistoryOfLength : public ::testing::TestWithParam<int> {};

TEST_P(FrameHistoryOfLength, GivesTheFramesBefore) {
    const auto clip = testing::generated_clip({.width = 16, .height = 16}, 4);
    FrameHistory history(GetParam());
    for (std::size_t n = 0; n < clip.size(); n++) {
        const FrameWithHistory frame = history.next(clip[n]);
        const FrameInputs inputs = frame.inputs();
        EXPECT_TRUE(is(inputs.reference, &clip[n])) << n;
        EXPECT_EQ(inputs.distorted->plane(0).data, clip[n].distorted.plane(0).data) << n;
        for (std::size_t back = 1; back <= inputs.earlier_reference.size(); back++) {
            const bool kept = n >= back && static_cast<int>(back) <= GetParam();
            EXPECT_TRUE(is(inputs.earlier_reference[back - 1], kept ? &clip[n - back] : nullptr)) << n << " " << back;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Features, FrameHistoryOfLength, ::testing::Values(0, 1, 2));

} // namespace
} // namespace isovmaf::frame_history_test

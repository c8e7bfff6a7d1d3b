// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/frame_window.hpp"

#include <gtest/gtest.h>

#include "features/testing/feature_runner.hpp"

namespace isovmaf::frame_window_test {
namespace {

constexpr VideoFormat format{.width = 16, .height = 16};

/// Whether the picture is that of `expected`; null stands for none.
bool is(const std::optional<HostPicture> &found, const Frame *expected) {
    if (!found || !expected)
        return !found && !expected;
    return found->plane(0).data == expected->plane(0).data;
}

class FrameHistoryOfLength : public ::testing::TestWithParam<EarlierFrames> {};

TEST_P(FrameHistoryOfLength, GivesTheFramesBefore) {
    const auto clip = testing::generated_clip(format, 4);
    const EarlierFrames kept = GetParam();
    FrameHistory history(kept);
    for (std::size_t n = 0; n < clip.size(); n++) {
        const FrameWindow window = history.next(clip[n]);
        const PictureWindow pictures = window.pictures();
        EXPECT_TRUE(is(pictures.reference, &clip[n].reference)) << n;
        EXPECT_TRUE(is(pictures.distorted, &clip[n].distorted)) << n;
        for (std::size_t back = 1; back <= EarlierFrames::longest; back++) {
            const auto is_kept = [&](int frames) { return n >= back && static_cast<int>(back) <= frames; };
            EXPECT_TRUE(
                is(pictures.earlier_reference[back - 1], is_kept(kept.reference) ? &clip[n - back].reference : nullptr))
                << n << " " << back;
            EXPECT_TRUE(
                is(pictures.earlier_distorted[back - 1], is_kept(kept.distorted) ? &clip[n - back].distorted : nullptr))
                << n << " " << back;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Features, FrameHistoryOfLength,
                         ::testing::Values(EarlierFrames{0, 0}, EarlierFrames{1, 0}, EarlierFrames{2, 0},
                                           EarlierFrames{0, 1}, EarlierFrames{1, 2}, EarlierFrames{2, 2}));

TEST(FrameHistory, MembersHaveDistortedFramesOfTheirOwn) {
    const auto clip = testing::generated_clip(format, 3), other = testing::generated_clip(format, 3);
    FrameHistory history({.reference = 1, .distorted = 2}, 2);
    FrameWindow first, second;
    for (std::size_t n = 0; n < clip.size(); n++) {
        FrameWindow window = history.next(clip[n].reference);
        history.add_distorted(window, 0, clip[n].distorted);
        first = window;
        if (n == 1)
            continue; // the second member has no such frame
        history.add_distorted(window, 1, other[n].distorted);
        second = window;
    }
    EXPECT_TRUE(is(first.pictures().earlier_distorted[0], &clip[1].distorted));
    EXPECT_TRUE(is(first.pictures().earlier_distorted[1], &clip[0].distorted));
    EXPECT_TRUE(is(second.pictures().earlier_distorted[0], &other[0].distorted));
    EXPECT_TRUE(is(second.pictures().earlier_distorted[1], nullptr));
    EXPECT_TRUE(is(second.pictures().earlier_reference[0], &clip[1].reference));
}

} // namespace
} // namespace isovmaf::frame_window_test

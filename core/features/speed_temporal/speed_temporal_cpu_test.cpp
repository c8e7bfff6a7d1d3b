// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of SpEED against its definition, on changes of luma.
#include <gtest/gtest.h>

#include "features/testing/path_runner.hpp"

namespace isovmaf::speed_temporal_cpu_test {
namespace {

using namespace testing;

constexpr VideoFormat usual{.width = 167, .height = 245};

TEST(SpeedTemporalPath, ChangesGiveTheDefinitionsValues) {
    for (const int bits : {8, 16}) {
        VideoFormat format = usual;
        format.bit_depth = bits;
        expect_definition("speed_temporal", {{}, {{"urd", "true"}}}, hard_clip(format, test_seed()));
    }
}

TEST(SpeedTemporalPath, ResizedChangesGiveTheDefinitionsValues) {
    std::vector<FramePair> clip = hard_clip({.width = 130, .height = 190}, test_seed());
    clip.resize(3);
    expect_definition("speed_temporal", {{{"ps", "1.3"}, {"psm", "bicubic"}, {"urd", "true"}}}, clip);
}

} // namespace
} // namespace isovmaf::speed_temporal_cpu_test

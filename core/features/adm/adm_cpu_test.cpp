// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of adm against its definition.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/adm/adm.hpp"
#include "features/adm/adm_cpu_masking.hpp"
#include "features/testing/mixed_semantics.hpp"
#include "features/testing/path_runner.hpp"

namespace isovmaf::adm_cpu_test {
namespace {

using namespace testing;

const OptionTexts neg = {{"egl", "1.0"}};
const OptionTexts v1 = {{"csf", "2"}, {"dlmw", "0.7"}, {"egl", "1"}, {"nw", "0.02"}, {"min", "0.5"}};

/// `count` pairs of the hard clip of a format, others for each `index`.
std::vector<FramePair> some_hard_pairs(const VideoFormat &format, std::size_t index, std::size_t count) {
    const std::vector<FramePair> clip = hard_clip(format, test_seed() + static_cast<std::uint32_t>(index));
    std::vector<FramePair> some;
    for (std::size_t i = 0; i < count; i++)
        some.push_back(clip[(index * count + i) % clip.size()]);
    return some;
}

TEST(AdmPath, EveryDepthGivesTheDefinitionsSums) {
    for (const int bits : {8, 9, 10, 12, 16})
        expect_definition("adm", {{}}, hard_clip({.width = 83, .height = 47, .bit_depth = bits}, test_seed()));
}

/// Each scale has vectors that end inside the core region, at its edge, and beyond it.
TEST(AdmPath, EveryWidthGivesTheDefinitionsSums) {
    std::size_t index = 0;
    for (int width = 33; width <= 300; width += width < 132 ? 1 : 7, index++)
        expect_definition(
            "adm", {{}},
            some_hard_pairs({.width = width, .height = 33, .bit_depth = width % 2 == 0 ? 8 : 10}, index, 1));
}

TEST(AdmPath, EveryHeightGivesTheDefinitionsSums) {
    std::size_t index = 0;
    for (int height = 33; height <= 140; height += height < 68 ? 1 : 9, index++)
        expect_definition(
            "adm", {{}},
            some_hard_pairs({.width = 37, .height = height, .bit_depth = height % 2 == 0 ? 8 : 12}, index, 1));
}

TEST(AdmPath, TallAndWidePicturesGiveTheDefinitionsSums) {
    for (const auto &[width, height] : {std::pair{33, 700}, {1500, 33}})
        expect_definition("adm", {{}}, some_hard_pairs({.width = width, .height = height, .bit_depth = 8}, 0, 2));
}

/// Option sets by themselves, and all of them in one extraction.
TEST(AdmPath, EveryOptionGivesTheDefinitionsSums) {
    const std::vector<OptionTexts> sets = {
        neg,
        v1,
        {{"egl", "1.2"}},
        {{"egl", "1.7320508075688772"}, {"adm_skip_aim", "true"}},
        {{"egl", "99.99999999"}, {"csf", "3"}, {"nvd", "1.5"}, {"rdh", "2160"}},
        {{"egl", "2"}, {"ssz", "true"}},
        {{"nvd", "5"}, {"csf", "2"}},
        {{"nvd", "24"}, {"rdh", "4320"}},
        {{"ssz", "true"}, {"adm_skip_aim", "true"}},
    };
    const VideoFormat formats[] = {{.width = 71, .height = 45, .bit_depth = 8},
                                   {.width = 71, .height = 45, .bit_depth = 10}};
    for (const VideoFormat &format : formats) {
        for (std::size_t i = 0; i < sets.size(); i++)
            expect_definition("adm", {sets[i]}, some_hard_pairs(format, i, 2));
        expect_definition("adm", sets, some_hard_pairs(format, sets.size(), 3));
    }
}

TEST(AdmPath, SharesRoundedAnotherWayGiveTheDefinitionsSums) {
    for (const int bits : {8, 10, 16})
        expect_definition("adm", {{}, v1}, hard_clip({.width = 83, .height = 47, .bit_depth = bits}, test_seed()),
                          mixed_semantics);
}

/// Factors that 16-bit lanes have no room for are left to the definition.
TEST(AdmPath, SensitivitiesBeyondThePathHaveNone) {
    AdmDemand demand;
    AdmBandFactors<std::uint32_t> csf = adm_csf({})->fixed;
    demand.add(100, csf, true, true);
    const bool has_vectors = newest_cpu_level() != CpuLevel::scalar;
    EXPECT_EQ(make_adm_cpu({.width = 64, .height = 64}, demand, newest_cpu_level()) != nullptr, has_vectors);
    csf.hv[0] = 40000;
    demand.add(100, csf, true, true);
    EXPECT_EQ(make_adm_cpu({.width = 64, .height = 64}, demand, newest_cpu_level()), nullptr);
}

/// A 1080p frame in one piece: the outer rows of an approximation, which no sum depends on, are not computed.
TEST(AdmPath, RowsThatNoSumNeedsAreLeftOut) {
    const AdmGeometry geometry = adm_geometry({.width = 1920, .height = 1080});
    const AdmWork work = adm_work(geometry, {}, true, false);
    EXPECT_GT(work[0].top(), 0);
    EXPECT_LT(work[0].bottom(), geometry[0].height);
    EXPECT_GT(work[0].left, 0);
    const AdmWork recorded = adm_work(geometry, {}, true, true);
    EXPECT_EQ(recorded[0].top(), 0);
    EXPECT_EQ(recorded[0].bottom(), geometry[0].height);
}

} // namespace
} // namespace isovmaf::adm_cpu_test

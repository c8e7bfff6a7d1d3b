// SPDX-License-Identifier: BSD-2-Clause-Patent
// The backend that ISOVMAF_TEST_PLUGIN names, looked into as faults are: a sound device shows none.
#include "diff/locate.hpp"

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "base/text.hpp"
#include "content/patterns.hpp"
#include "device/testing/test_device.hpp"
#include "diff/feature_case.hpp"
#include "diff/testing/pictures_sample.hpp"
#include "features/registry.hpp"
#include "frame/validate.hpp"

namespace isovmaf::diff::locate_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

FeatureCase noise_case(std::string_view feature, const std::vector<OptionTexts> &option_sets,
                       const VideoFormat &format) {
    FeatureCase c{find_feature(feature), {}, Semantics::libvmaf_3_2, {}};
    for (const OptionTexts &texts : option_sets)
        c.option_sets.push_back(value_of(OptionSet::parse(feature, c.feature->options, texts)));
    for (std::uint32_t seed = 0; seed < 3; seed++)
        c.frames.push_back(noise_pair(format, seed));
    return c;
}

FeaturePath &kernels() {
    static const std::unique_ptr<FeaturePath> path = device_path(testing::open_test_device());
    return *path;
}

struct Sample {
    std::string feature;
    std::vector<OptionTexts> option_sets;
};

class OnASoundDevice : public ::testing::TestWithParam<Sample> {};

TEST_P(OnASoundDevice, SumsAndStagesAreEqual) {
    const auto &[feature, option_sets] = GetParam();
    for (const int bits : {8, 10})
        for (const int width : {33, 67}) {
            const VideoFormat format{.width = width, .height = 35, .bit_depth = bits};
            const FeatureCase c = noise_case(feature, option_sets, format);
            const Result<bool> differ = words_differ(c, kernels());
            ASSERT_TRUE(differ) << differ.error().message;
            EXPECT_FALSE(*differ) << format_text(format);
            const StageReport report = value_of(compare_stages(c, kernels()));
            EXPECT_FALSE(report.fault) << report.fault->stage << ", " << format_text(format);
            const FeaturePlan plan = value_of(make_feature_plan(*c.feature, {format, c.semantics}, c.option_sets));
            const std::size_t pictures = plan.planes == PlaneUse::all ? 6 : 2;
            ASSERT_EQ(report.equal.size(), pictures + plan.stages.size() + 1);
            EXPECT_THAT(report.equal.front(), HasSubstr("on the device"));
            for (std::size_t s = 0; s < plan.stages.size(); s++)
                EXPECT_EQ(report.equal[pictures + s], plan.stages[s].name);
            EXPECT_EQ(report.equal.back(), "words of the frame");
        }
}

INSTANTIATE_TEST_SUITE_P(
    Features, OnASoundDevice,
    ::testing::Values(Sample{"psnr", {{}}}, Sample{"psnr", {{{"enable_chroma", "false"}}}}, Sample{"motion", {{}}},
                      Sample{"motion", {{}, {{"motion_five_frame_window", "true"}}}}, Sample{"vif", {{}}},
                      Sample{"vif", {{}, {{"vif_enhn_gain_limit", "1.5"}, {"vif_skip_scale0", "true"}}}},
                      Sample{"adm", {{}}}, Sample{"adm", {{}, {{"adm_csf_mode", "2"}, {"adm_norm_view_dist", "5.0"}}}}),
    [](const auto &test) { return test.param.feature + (test.index % 2 ? "WithOptions" : ""); });

TEST(FeatureCases, BelowTheSmallestSizeAreRefused) {
    const FeatureCase c = noise_case("adm", {{}}, {.width = 32, .height = 64});
    const Result<bool> differ = words_differ(c, kernels());
    ASSERT_FALSE(differ);
    EXPECT_THAT(differ.error().message, HasSubstr("32x64"));
}

TEST(Locate, AFaultThatDoesNotComeBackIsTold) {
    const VideoFormat format{.width = 35, .height = 33};
    const std::filesystem::path plugin = std::getenv("ISOVMAF_TEST_PLUGIN");
    const std::string backend = value_of(Plugin::open(plugin))->name();
    SessionOptions options{.format = format, .execution = {.backend_folders = {plugin.parent_path().string()}}};
    options.scoring.features = {{"psnr", {}}, {"motion", {{"motion_five_frame_window", "true"}}}};
    const Side side{backend + ":0", backend, {0}};
    const FeatureDifference finding = locate(side, {1, "motion", 4}, options, sample_pictures(format, 6));
    EXPECT_EQ(finding.side, side.name);
    EXPECT_EQ(finding.feature, "motion");
    EXPECT_EQ(finding.content, "squares");
    EXPECT_EQ(finding.frame, 4);
    EXPECT_FALSE(finding.fault);
    EXPECT_THAT(finding.remark, HasSubstr("runs of this frame alone gave the right sums"));
    EXPECT_EQ(finding.command, "isovmaf diff --backends cpu-ref," + side.name + " --backend-dir " +
                                   quote_for_shell(plugin.parent_path().string()) +
                                   " --squares --skip 2 --frame_cnt 3 --no_prediction"
                                   " --feature motion:motion_five_frame_window=true");
}

TEST(Locate, TheCommandNamesAReleaseThatIsNotTheDefault) {
    const VideoFormat format{.width = 35, .height = 33};
    SessionOptions options{.format = format};
    options.scoring.features = {{"motion", {}}};
    options.scoring.semantics = Semantics::libvmaf_3_0;
    const FeatureDifference finding = locate({"cpu", "cpu"}, {1, "motion", 2}, options, sample_pictures(format, 4));
    EXPECT_THAT(finding.command, EndsWith(" --no_prediction --feature motion --compat libvmaf-3.0"));
}

TEST(Locate, PicturesThatEndBeforeTheFrameAreTold) {
    const VideoFormat format{.width = 35, .height = 33};
    SessionOptions options{.format = format};
    options.scoring.features = {{"psnr", {}}};
    const Side side{"cpu", "cpu"};
    const FeatureDifference finding = locate(side, {1, "psnr", 4}, options, sample_pictures(format, 3));
    EXPECT_THAT(finding.remark, HasSubstr("could not be read a second time"));
}

} // namespace
} // namespace isovmaf::diff::locate_test

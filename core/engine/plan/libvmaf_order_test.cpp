// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "isovmaf/isovmaf.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "base/failure.hpp"

namespace isovmaf::libvmaf_order_test {
namespace {

using ::testing::ElementsAre;

SessionOptions session_of(const std::vector<std::string> &requests) {
    SessionOptions options{.format = {.width = 64, .height = 64}};
    for (const std::string &text : requests)
        options.scoring.features.push_back(value_of(FeatureRequest::parse(text)));
    return options;
}

/// The features of the columns of a libvmaf report; neighbouring columns of one feature count once.
std::vector<std::string> printed_features(const SessionOptions &options, int threads) {
    const Session session = value_of(Session::create(options));
    std::vector<std::string> sources;
    for (const std::size_t index : session.libvmaf_order(threads))
        sources.push_back(session.score_sources()[index]);
    sources.erase(std::ranges::unique(sources).begin(), sources.end());
    return sources;
}

TEST(LibvmafOrder, IsThatOfRequestsWithDelayedScoresAtTheEnd) {
    const SessionOptions options = session_of({"vif", "motion", "vif:vif_enhn_gain_limit=1", "psnr"});
    EXPECT_THAT(printed_features(options, 0), ElementsAre("vif", "motion", "vif", "psnr", "motion"));
    EXPECT_THAT(printed_features(session_of({"motion:motion_force_zero=true", "psnr"}), 0),
                ElementsAre("motion", "psnr"));
}

TEST(LibvmafOrder, DependsOnThreadsAndSubsampling) {
    SessionOptions options = session_of({"vif", "motion", "psnr"});
    EXPECT_THAT(printed_features(options, 1), ElementsAre("psnr", "vif", "motion"));
    EXPECT_THAT(printed_features(options, 2), ElementsAre("psnr", "vif", "motion"));
    options.scoring.subsample = 2;
    EXPECT_THAT(printed_features(options, 1), ElementsAre("psnr", "vif", "motion"));
    EXPECT_THAT(printed_features(options, 2), ElementsAre("psnr", "motion", "vif", "motion"));
}

TEST(LibvmafOrder, EndsWithModels) {
    SessionOptions options = session_of({"psnr"});
    options.scoring.models = {{.name = "a"}, {.version = "vmaf_v0.6.1neg", .name = "b"}};
    EXPECT_THAT(printed_features(options, 0),
                ElementsAre("adm", "motion", "vif", "adm", "vif", "psnr", "motion", "a", "b"));
}

} // namespace
} // namespace isovmaf::libvmaf_order_test

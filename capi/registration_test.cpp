// SPDX-License-Identifier: BSD-2-Clause-Patent
// Features, imported scores and handlers of a context.
#include "capi/context.hpp"

#include <cerrno>
#include <limits>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capi/dictionary.hpp"
#include "capi/testing/client.hpp"

namespace isovmaf::capi::testing::registration_test {
namespace {

using ::testing::ElementsAre;

VmafFeatureDictionary *dictionary(const char *key, const char *value) {
    VmafFeatureDictionary *made = nullptr;
    EXPECT_EQ(vmaf_feature_dictionary_set(&made, key, value), 0);
    return made;
}

int use(const Client &client, const char *feature, const char *key, const char *value) {
    VmafFeatureDictionary *options = dictionary(key, value);
    const int code = vmaf_use_feature(client, feature, options);
    if (code != 0) { // it is still ours
        EXPECT_EQ(vmaf_feature_dictionary_free(&options), 0);
    }
    return code;
}

TEST(Registration, TakesExtractorsByName) {
    const Client client;
    EXPECT_EQ(vmaf_use_feature(client, "vif", nullptr), 0);
    for (const char *const unknown : {"integer_vif", "VMAF_integer_feature_vif_scale0_score", "null", "", "VIF"})
        EXPECT_EQ(vmaf_use_feature(client, unknown, nullptr), -EINVAL) << unknown;
    EXPECT_EQ(vmaf_use_feature(client, nullptr, nullptr), -EINVAL);
    EXPECT_EQ(vmaf_use_feature(nullptr, "vif", nullptr), -EINVAL);
    EXPECT_EQ(vmaf_use_features_from_model(client, nullptr), -EINVAL);
    EXPECT_EQ(vmaf_use_features_from_model_collection(client, nullptr), -EINVAL);
}

TEST(Registration, ConsumesOptionsUnlessItFails) {
    const Client client;
    EXPECT_EQ(use(client, "vif", "vif_enhn_gain_limit", "1.5"), 0);
    EXPECT_EQ(use(client, "vif", "no_such_option", "1"), 0);
    EXPECT_EQ(use(client, "vif", "egl", "1.2"), 0); // an alias is no name
    EXPECT_EQ(use(client, "vif", "vif_enhn_gain_limit", "0.5"), -EINVAL);
    EXPECT_EQ(use(client, "vif", "vif_enhn_gain_limit", "nan"), -EINVAL);
    EXPECT_EQ(use(client, "vif", "debug", "1"), -EINVAL);
    EXPECT_EQ(use(client, "no_such_feature", "debug", "true"), -EINVAL);
    ASSERT_EQ(client.read(0), 0);
    EXPECT_TRUE(client.score("integer_vif_scale0_egl_1.5", 0));
    EXPECT_TRUE(client.score("VMAF_integer_feature_vif_scale0_score", 0)); // of those with unknown options
    EXPECT_FALSE(client.score("integer_vif_scale0_egl_1.2", 0));
}

TEST(Registration, TheFirstOfEqualNamesCounts) {
    const Client client({"psnr", "motion"});
    EXPECT_EQ(use(client, "psnr", "enable_chroma", "false"), 0);
    EXPECT_EQ(use(client, "motion", "debug", "true"), 0);
    ASSERT_EQ(client.read(0), 0);
    EXPECT_TRUE(client.score("psnr_cb", 0));
    EXPECT_FALSE(client.score("VMAF_integer_feature_motion_score", 0));
}

TEST(Registration, EndsWithTheFirstPicture) {
    const Client client({"psnr"});
    ASSERT_EQ(client.read(0), 0);
    EXPECT_EQ(vmaf_use_feature(client, "psnr", nullptr), 0); // is there
    EXPECT_EQ(use(client, "vif", "debug", "true"), -EINVAL);
    const ClientModel model;
    EXPECT_EQ(vmaf_use_features_from_model(client, model), -EINVAL);
    EXPECT_EQ(client.read(1), 0);
}

TEST(Import, FillsASlotOnce) {
    const Client client({"psnr"});
    EXPECT_EQ(vmaf_import_feature_score(client, "mine", 7, 3), 0);
    EXPECT_EQ(vmaf_import_feature_score(client, "mine", 7, 3), -EINVAL);
    EXPECT_EQ(vmaf_import_feature_score(client, "", std::numeric_limits<double>::quiet_NaN(), 4'000'000'000), 0);
    EXPECT_EQ(vmaf_import_feature_score(client, nullptr, 7, 3), -EINVAL);
    EXPECT_EQ(client.score("mine", 3), 7);
    ASSERT_EQ(client.read(0), 0);
    EXPECT_EQ(vmaf_import_feature_score(client, "psnr_y", 7, 0), -EINVAL);
    EXPECT_EQ(vmaf_import_feature_score(client, "psnr_y", 7, 1), 0);
    EXPECT_EQ(client.read(1), -EINVAL); // an extractor cannot store there
    EXPECT_EQ(client.read(2), 0);
    EXPECT_EQ(client.flush(), 0);
    EXPECT_EQ(vmaf_import_feature_score(client, "mine", 8, 4), 0);
}

TEST(Import, StaysWhereWorkersWouldStore) {
    const Client client({"psnr", "motion"}, 1);
    EXPECT_EQ(vmaf_import_feature_score(client, "psnr_y", 7, 0), 0);
    EXPECT_EQ(vmaf_import_feature_score(client, motion2, 8, 1), 0);
    for (unsigned n = 0; n < 3; n++)
        EXPECT_EQ(client.read(n), 0);
    EXPECT_EQ(client.flush(), 0);
    EXPECT_EQ(client.score("psnr_y", 0), 7);
    EXPECT_EQ(client.score(motion2, 1), 8);
    EXPECT_TRUE(client.score(motion2, 2));
}

/// What a handler was told.
struct Told {
    VmafContext *context = nullptr;
    std::vector<std::tuple<std::string, unsigned, double>> scores = {};
    bool queried = true; ///< each score could be queried from the handler
};

void tell(void *data, VmafMetadata *metadata) {
    Told &told = *static_cast<Told *>(data);
    told.scores.emplace_back(metadata->feature_name, metadata->picture_index, metadata->score);
    double score = 0;
    told.queried =
        told.queried &&
        vmaf_feature_score_at_index(told.context, metadata->feature_name, &score, metadata->picture_index) == 0 &&
        score == metadata->score;
}

VmafMetadataConfiguration handler(const char *name, Told &told) {
    static std::string copy; // the struct has a pointer to char that is not const
    copy = name;
    return {copy.data(), tell, &told};
}

TEST(Handlers, GetTheScoresOfTheirName) {
    for (const unsigned threads : {0u, 2u}) {
        const Client client({"psnr", "motion"}, threads);
        Told psnr{client}, delayed{client}, imported{client};
        EXPECT_EQ(vmaf_register_metadata_handler(client, handler("psnr_y", psnr)), 0);
        EXPECT_EQ(vmaf_register_metadata_handler(client, handler(motion2, delayed)), 0);
        EXPECT_EQ(vmaf_register_metadata_handler(client, handler("mine", imported)), 0);
        EXPECT_EQ(vmaf_import_feature_score(client, "mine", 7, 3), 0);
        EXPECT_THAT(imported.scores, ElementsAre(std::tuple("mine", 3u, 7.0)));
        for (unsigned n = 0; n < 3; n++) {
            ASSERT_EQ(client.read(n), 0);
            if (threads == 0) {
                EXPECT_EQ(psnr.scores.size(), n + 1);
            }
        }
        EXPECT_TRUE(delayed.scores.empty());
        EXPECT_EQ(client.flush(), 0);
        ASSERT_EQ(psnr.scores.size(), 3u);
        EXPECT_EQ(psnr.scores[2], std::tuple("psnr_y", 2u, *client.score("psnr_y", 2)));
        EXPECT_EQ(delayed.scores.size(), 3u);
        for (const Told *const told : {&psnr, &delayed, &imported})
            EXPECT_TRUE(told->queried);
    }
}

TEST(Handlers, OfAModelMakeItPredict) {
    const ClientModel model;
    const Client client;
    Told features{client}, scores{client};
    EXPECT_EQ(vmaf_register_metadata_handler(client, handler("VMAF_integer_feature_adm2_score", features)), 0);
    EXPECT_EQ(vmaf_register_metadata_handler(client, handler("vmaf", scores)), 0);
    EXPECT_EQ(vmaf_use_features_from_model(client, model), 0);
    for (unsigned n = 0; n < 2; n++)
        ASSERT_EQ(client.read(n, n, medium), 0);
    EXPECT_TRUE(scores.scores.empty()); // motion2 comes at the end
    EXPECT_EQ(client.flush(), 0);
    double expected = 0;
    EXPECT_EQ(vmaf_score_at_index(client, model, &expected, 1), 0);
    ASSERT_EQ(scores.scores.size(), 2u);
    EXPECT_EQ(scores.scores[1], std::tuple("vmaf", 1u, expected));
    EXPECT_EQ(std::get<2>(features.scores[1]), client.score("VMAF_integer_feature_adm2_score", 1));
}

TEST(Handlers, NeedANameAndAFunction) {
    const Client client;
    Told told{client};
    VmafMetadataConfiguration config = handler("psnr_y", told);
    EXPECT_EQ(vmaf_register_metadata_handler(nullptr, config), -EINVAL);
    EXPECT_EQ(vmaf_register_metadata_handler(client, {nullptr, config.callback, &told}), -EINVAL);
    EXPECT_EQ(vmaf_register_metadata_handler(client, {config.feature_name, nullptr, &told}), -EINVAL);
}

} // namespace
} // namespace isovmaf::capi::testing::registration_test

// SPDX-License-Identifier: BSD-2-Clause-Patent
// Scores of models and collections, pooling and subsampling.
#include "capi/model_scores.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "capi/testing/client.hpp"

namespace isovmaf::capi::testing::model_scores_test {
namespace {

constexpr const char *adm2 = "VMAF_integer_feature_adm2_score";
constexpr const char *inputs[] = {adm2,
                                  motion2,
                                  "VMAF_integer_feature_vif_scale0_score",
                                  "VMAF_integer_feature_vif_scale1_score",
                                  "VMAF_integer_feature_vif_scale2_score",
                                  "VMAF_integer_feature_vif_scale3_score"};

/// Feature scores of a frame from which models can predict: no picture is needed.
void import_inputs(const Client &client, unsigned index, double quality) {
    for (const char *const name : inputs)
        EXPECT_EQ(vmaf_import_feature_score(client, name, name == motion2 ? 3 : quality, index), 0);
}

std::optional<double> score(const Client &client, VmafModel *model, unsigned index) {
    double score = 0;
    const int code = vmaf_score_at_index(client, model, &score, index);
    EXPECT_TRUE(code == 0 || code == -EINVAL);
    return code == 0 ? std::optional(score) : std::nullopt;
}

std::optional<double> pooled(const Client &client, VmafModel *model, VmafPoolingMethod method, unsigned low,
                             unsigned high) {
    double score = 0;
    return vmaf_score_pooled(client, model, method, &score, low, high) == 0 ? std::optional(score) : std::nullopt;
}

std::optional<double> pooled(const Client &client, const char *name, VmafPoolingMethod method, unsigned low,
                             unsigned high) {
    double score = 0;
    return vmaf_feature_score_pooled(client, name, method, &score, low, high) == 0 ? std::optional(score)
                                                                                   : std::nullopt;
}

TEST(ModelScores, ArePredictedWhereFeaturesAreThere) {
    const Client client;
    const ClientModel model;
    import_inputs(client, 0, 0.9);
    import_inputs(client, 5, 0.5);
    ASSERT_TRUE(score(client, model, 0));
    EXPECT_GT(score(client, model, 0), score(client, model, 5));
    EXPECT_EQ(score(client, model, 0), client.score("vmaf", 0));
    EXPECT_FALSE(score(client, model, 1));
    EXPECT_EQ(vmaf_import_feature_score(client, "vmaf", 50, 0), -EINVAL);
}

TEST(ModelScores, AnImportUnderTheNameReplacesThePrediction) {
    const Client client;
    const ClientModel model;
    EXPECT_EQ(vmaf_import_feature_score(client, "vmaf", 42, 0), 0);
    import_inputs(client, 0, 0.9);
    import_inputs(client, 1, 0.9);
    EXPECT_EQ(score(client, model, 0), 42);
    EXPECT_NE(score(client, model, 1), 42);
}

TEST(ModelScores, ModelsOfOneNameHaveTheirOwn) {
    const Client client;
    const ClientModel hd, four_k(nullptr, "vmaf_4k_v0.6.1");
    import_inputs(client, 0, 0.5);
    const std::optional<double> of_hd = score(client, hd, 0), of_four_k = score(client, four_k, 0);
    EXPECT_NE(of_hd, of_four_k);
    EXPECT_EQ(score(client, hd, 0), of_hd);
    EXPECT_EQ(client.score("vmaf", 0), of_hd);
    EXPECT_EQ(client.score("vmaf_2", 0), of_four_k);
}

TEST(ModelScores, AModelIsNotTakenForOneThatWasDestroyed) {
    const Client client;
    import_inputs(client, 0, 0.5);
    std::optional<double> of_hd;
    {
        const ClientModel hd;
        of_hd = score(client, hd, 0);
    }
    const ClientModel four_k(nullptr, "vmaf_4k_v0.6.1");
    EXPECT_NE(score(client, four_k, 0), of_hd);
}

TEST(ModelScores, AnOverloadAfterRegistrationAsksForOtherFeatures) {
    const Client client;
    const ClientModel model;
    VmafFeatureDictionary *options = nullptr;
    EXPECT_EQ(vmaf_feature_dictionary_set(&options, "vif_enhn_gain_limit", "1.0"), 0);
    EXPECT_EQ(vmaf_use_features_from_model(client, model), 0);
    EXPECT_EQ(vmaf_model_feature_overload(model, "vif", options), 0);
    for (unsigned n = 0; n < 2; n++)
        ASSERT_EQ(client.read(n, n, medium), 0);
    ASSERT_EQ(client.flush(), 0);
    EXPECT_FALSE(score(client, model, 1));
    EXPECT_TRUE(client.score("VMAF_integer_feature_vif_scale0_score", 1));
}

TEST(ModelScores, ContextsOnThreadsMayShareAModel) {
    const ClientModel model;
    std::array<std::optional<double>, 2> means;
    std::vector<std::thread> threads;
    for (std::optional<double> &mean : means)
        threads.emplace_back([&] {
            const Client client(1);
            EXPECT_EQ(vmaf_use_features_from_model(client, model), 0);
            for (unsigned n = 0; n < 3; n++)
                EXPECT_EQ(client.read(n, n, medium), 0);
            EXPECT_EQ(client.flush(), 0);
            mean = pooled(client, model, VMAF_POOL_METHOD_MEAN, 0, 2);
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_TRUE(means[0]);
    EXPECT_EQ(means[0], means[1]);
}

TEST(Pooling, OfFeatures) {
    const Client client;
    for (const unsigned index : {0u, 1u, 2u, 4u})
        EXPECT_EQ(vmaf_import_feature_score(client, "a", index + 1, index), 0);
    EXPECT_EQ(pooled(client, "a", VMAF_POOL_METHOD_MIN, 0, 2), 1);
    EXPECT_EQ(pooled(client, "a", VMAF_POOL_METHOD_MAX, 0, 2), 3);
    EXPECT_EQ(pooled(client, "a", VMAF_POOL_METHOD_MEAN, 0, 2), 2);
    EXPECT_EQ(pooled(client, "a", VMAF_POOL_METHOD_HARMONIC_MEAN, 0, 2), 3 / (1. / 2 + 1. / 3 + 1. / 4) - 1);
    EXPECT_EQ(pooled(client, "a", VMAF_POOL_METHOD_MEAN, 4, 4), 5);
    for (const VmafPoolingMethod method : {VMAF_POOL_METHOD_UNKNOWN, VMAF_POOL_METHOD_NB})
        EXPECT_EQ(pooled(client, "a", method, 0, 2), std::nullopt);
    EXPECT_EQ(pooled(client, "a", VMAF_POOL_METHOD_MEAN, 2, 0), std::nullopt);
    EXPECT_EQ(pooled(client, "a", VMAF_POOL_METHOD_MEAN, 0, 4), std::nullopt); // 3 is missing
    EXPECT_EQ(pooled(client, "a", VMAF_POOL_METHOD_MEAN, 0, UINT_MAX), std::nullopt);
    EXPECT_EQ(pooled(client, "b", VMAF_POOL_METHOD_MEAN, 0, 0), std::nullopt);
    EXPECT_EQ(vmaf_feature_score_pooled(client, "a", VMAF_POOL_METHOD_MEAN, nullptr, 0, 0), -EINVAL);
}

TEST(Pooling, OfModels) {
    const Client client;
    const ClientModel model;
    for (const unsigned index : {0u, 1u, 2u})
        import_inputs(client, index, 0.5 + 0.1 * index);
    const double mean =
        (0 + *score(client, model, 0) + *score(client, model, 1) + *score(client, model, 2)) / 3; // in frame order
    EXPECT_EQ(pooled(client, model, VMAF_POOL_METHOD_MEAN, 0, 2), mean);
    EXPECT_EQ(pooled(client, model, VMAF_POOL_METHOD_MAX, 0, 1), score(client, model, 1));
    EXPECT_EQ(pooled(client, model, VMAF_POOL_METHOD_MEAN, 0, 3), std::nullopt);
    EXPECT_EQ(pooled(client, model, VMAF_POOL_METHOD_MEAN, 1, 0), std::nullopt);
    EXPECT_EQ(vmaf_score_pooled(client, model, VMAF_POOL_METHOD_MEAN, nullptr, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_pooled(client, nullptr, VMAF_POOL_METHOD_MEAN, nullptr, 0, 0), -EINVAL);
}

TEST(Subsampling, SkipsFramesByTheirIndex) {
    const Client client({"vif", "motion"}, 0, 2), whole({"vif", "motion"});
    for (const unsigned n : {0u, 1u, 2u, 3u, 6u}) {
        ASSERT_EQ(client.read(n), 0);
        ASSERT_EQ(whole.read(n), 0);
    }
    ASSERT_EQ(client.flush(), 0);
    constexpr const char *vif = "VMAF_integer_feature_vif_scale3_score";
    for (const unsigned n : {0u, 2u, 6u})
        EXPECT_EQ(client.score(vif, n), whole.score(vif, n));
    EXPECT_FALSE(client.score(vif, 1));
    EXPECT_EQ(client.score(motion_sad, 3), whole.score(motion_sad, 3));
    EXPECT_EQ(pooled(client, vif, VMAF_POOL_METHOD_MIN, 1, 3), client.score(vif, 2));
    EXPECT_EQ(pooled(client, motion_sad, VMAF_POOL_METHOD_MAX, 0, 1), client.score(motion_sad, 0));
    EXPECT_EQ(pooled(client, vif, VMAF_POOL_METHOD_MIN, 1, 1), std::nullopt);
    EXPECT_EQ(pooled(client, vif, VMAF_POOL_METHOD_MIN, 0, 6), std::nullopt); // 4 is missing
}

TEST(Collections, GiveStatisticsOfTheirMembers) {
    const Client client;
    VmafModel *model = nullptr;
    VmafModelCollection *collection = nullptr;
    VmafModelConfig config{"b", 0};
    ASSERT_EQ(vmaf_model_collection_load(&model, &collection, &config, "vmaf_b_v0.6.3"), 0);
    EXPECT_EQ(vmaf_use_features_from_model_collection(client, collection), 0);
    import_inputs(client, 0, 0.9);
    import_inputs(client, 1, 0.8);
    VmafModelCollectionScore first{}, again{}, second{}, mean{};
    ASSERT_EQ(vmaf_score_at_index_model_collection(client, collection, &first, 0), 0);
    EXPECT_EQ(first.type, VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP);
    EXPECT_EQ(client.score("b_bagging", 0), first.bootstrap.bagging_score);
    EXPECT_EQ(client.score("b_ci_p95_lo", 0), first.bootstrap.ci.p95.lo);
    EXPECT_LT(first.bootstrap.ci.p95.lo, first.bootstrap.ci.p95.hi);
    EXPECT_TRUE(client.score("b_0001", 0));
    EXPECT_EQ(vmaf_score_at_index_model_collection(client, collection, &again, 0), 0);
    EXPECT_EQ(again.bootstrap.stddev, first.bootstrap.stddev);
    EXPECT_EQ(vmaf_score_pooled_model_collection(client, collection, VMAF_POOL_METHOD_MEAN, &mean, 0, 1), 0);
    EXPECT_EQ(vmaf_score_pooled_model_collection(client, collection, VMAF_POOL_METHOD_MEAN, &mean, 0, 1), 0);
    EXPECT_EQ(vmaf_score_at_index_model_collection(client, collection, &second, 1), 0);
    EXPECT_EQ(mean.bootstrap.stddev, (first.bootstrap.stddev + second.bootstrap.stddev) / 2);
    EXPECT_EQ(mean.bootstrap.ci.p95.hi, (first.bootstrap.ci.p95.hi + second.bootstrap.ci.p95.hi) / 2);
    EXPECT_EQ(vmaf_score_at_index_model_collection(client, collection, &again, 2), -EINVAL);
    EXPECT_EQ(again.bootstrap.stddev, first.bootstrap.stddev); // untouched
    EXPECT_EQ(vmaf_score_at_index_model_collection(client, nullptr, &again, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_pooled_model_collection(client, collection, VMAF_POOL_METHOD_NB, &mean, 0, 1), -EINVAL);
    vmaf_model_destroy(model);
    vmaf_model_collection_destroy(collection);
}

} // namespace
} // namespace isovmaf::capi::testing::model_scores_test

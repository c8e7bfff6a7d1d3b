// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/model.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "base/testing/temporary_folder.hpp"
#include "capi/dictionary.hpp"
#include "capi/status.hpp"
#include "capi/testing/captured.hpp"
#include "model/testing/model_text.hpp"

namespace isovmaf::capi {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;

/// A loaded collection, or the code with which loading failed.
class LoadedCollection {
  public:
    explicit LoadedCollection(const char *version, VmafModelConfig config = {}) {
        status = vmaf_model_collection_load(&model, &members, &config, version);
    }
    explicit LoadedCollection(const nlohmann::json &file, VmafModelConfig config = {}) {
        const isovmaf::testing::TemporaryFolder folder;
        const std::string path = folder.write("model.json", file.dump());
        status = vmaf_model_collection_load_from_path(&model, &members, &config, path.c_str());
    }
    ~LoadedCollection() {
        vmaf_model_destroy(model);
        vmaf_model_collection_destroy(members);
    }
    LoadedCollection(const LoadedCollection &) = delete;
    LoadedCollection &operator=(const LoadedCollection &) = delete;

    VmafModel *model = reinterpret_cast<VmafModel *>(1); ///< loading always sets both
    VmafModelCollection *members = reinterpret_cast<VmafModelCollection *>(1);
    int status = 0;
};

TEST(CapiModelCollection, HasAModelAndNumberedMembers) {
    const LoadedCollection loaded("vmaf_b_v0.6.3", {.name = "b", .flags = 0});
    ASSERT_EQ(loaded.status, 0);
    EXPECT_EQ(loaded.model->name(), "b");
    EXPECT_EQ(loaded.members->name(), "b");
    EXPECT_EQ(loaded.members->members().size(), 20U);
    EXPECT_EQ(loaded.members->members().front().name(), "b_0001");
    EXPECT_EQ(loaded.members->members().back().name(), "b_0020");
    EXPECT_EQ(loaded.members->inputs().size(), loaded.model->inputs().size());
    EXPECT_NE(loaded.members->id(), loaded.model->id());
}

/// What is printed when a place is tried as programs such as libvmaf's do: as a model, and then as a collection.
std::string printed_when_both_are_tried(const char *version) {
    return printed_by([&] {
        VmafModelConfig config{};
        VmafModel *model = nullptr;
        if (vmaf_model_load(&model, &config, version) != 0)
            (void)LoadedCollection(version, config);
        vmaf_model_destroy(model);
    });
}

TEST(CapiModelCollection, IsFoundBySecondTryWithoutAnError) {
    EXPECT_THAT(printed_when_both_are_tried("vmaf_b_v0.6.3"), Not(HasSubstr("ERROR")));
}

TEST(CapiModelCollection, ThatDoesNotExistIsReportedOnceByBothTries) {
    for (int run = 0; run < 2; run++) {
        const std::string printed = printed_when_both_are_tried("vmaf_v9");
        EXPECT_THAT(printed, StartsWith("libvmaf ERROR there is no model \"vmaf_v9\""));
        EXPECT_EQ(std::ranges::count(printed, '\n'), 1) << printed;
    }
    EXPECT_THAT(printed_by([] { (void)LoadedCollection("vmaf_v9", VmafModelConfig{}); }), HasSubstr("\"vmaf_v9\""))
        << "a collection alone";
}

TEST(CapiModelCollection, GivesTheScoresThatOtherProgramsOfIsovmafGive) {
    nlohmann::json file = small_collection(5);
    file["1"]["model_dict"]["score_clip"] = {0, 15};
    const auto whole = parse_model(file.dump(), {.enable_transform = true}, "test.json").value();
    const LoadedCollection loaded(file, {.name = nullptr, .flags = VMAF_MODEL_FLAG_ENABLE_TRANSFORM});
    const double values[] = {0.5, 0.25};
    std::vector<double> expected(whole->outputs().size()), scores(loaded.members->outputs().size());
    whole->predict(values, expected);
    loaded.members->predict(values, scores);
    EXPECT_EQ(loaded.model->predict(values), expected[0]);
    EXPECT_THAT(scores, ElementsAreArray(std::span(expected).subspan(1)));
    EXPECT_THAT(loaded.members->outputs(), ElementsAreArray(whole->outputs().subspan(1)));
    EXPECT_EQ(loaded.members->members()[2].predict(values), expected[3]);
}

TEST(CapiModelCollection, HandsOutItsStatistics) {
    const double statistics[] = {1, 2, 3, 4};
    const VmafModelCollectionScore score = collection_score(statistics);
    EXPECT_EQ(score.type, VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP);
    EXPECT_EQ(score.bootstrap.bagging_score, 1);
    EXPECT_EQ(score.bootstrap.stddev, 2);
    EXPECT_EQ(score.bootstrap.ci.p95.lo, 3);
    EXPECT_EQ(score.bootstrap.ci.p95.hi, 4);
}

TEST(CapiModelCollection, WhatIsNoCollectionIsRefused) {
    const auto expect_refused = [](auto load, const char *message) {
        EXPECT_THAT(printed_by([&] {
                        const auto loaded = load();
                        EXPECT_EQ(loaded.status, status_invalid);
                        EXPECT_EQ(loaded.model, nullptr);
                        EXPECT_EQ(loaded.members, nullptr);
                    }),
                    HasSubstr(message));
    };
    expect_refused([] { return LoadedCollection("vmaf_v0.6.1"); }, "load it with vmaf_model_load");
    expect_refused([] { return LoadedCollection("nothing"); }, "there is no model \"nothing\"");
    expect_refused([] { return LoadedCollection(small_collection(0)); }, "it has only model 0");
    nlohmann::json other = small_collection(2);
    for (auto &entry : other.items())
        entry.value()["model_dict"]["model_type"] = "LIBSVMNUSVR";
    expect_refused([&] { return LoadedCollection(other); }, "cannot be part of a collection");
}

TEST(CapiModelCollection, OverloadsReachTheModelAndEveryMember) {
    LoadedCollection loaded(small_collection(2));
    VmafFeatureDictionary *options = nullptr;
    ASSERT_EQ(vmaf_feature_dictionary_set(&options, "motion_force_zero", "true"), 0);
    ASSERT_EQ(vmaf_model_collection_feature_overload(loaded.model, &loaded.members, "motion", options), 0);
    const auto has_it = [](const VmafModel &model) {
        return std::ranges::count(model.inputs()[0].options, OptionTexts::value_type("motion_force_zero", "true")) == 1;
    };
    EXPECT_TRUE(has_it(*loaded.model));
    EXPECT_TRUE(has_it(loaded.members->members()[0]));
    EXPECT_TRUE(has_it(loaded.members->members()[1]));
}

TEST(CapiModelCollection, ArgumentsThatAreNullAreRefusedAndNothingIsConsumed) {
    LoadedCollection loaded(small_collection(2));
    VmafModelCollection *none = nullptr;
    VmafModel *none_model = nullptr;
    VmafModelConfig config{};
    VmafFeatureDictionary *options = nullptr;
    ASSERT_EQ(vmaf_feature_dictionary_set(&options, "a", "b"), 0);
    printed_by([&] {
        EXPECT_EQ(vmaf_model_collection_load(nullptr, &none, &config, "vmaf_b_v0.6.3"), status_invalid);
        EXPECT_EQ(vmaf_model_collection_load_from_path(&none_model, nullptr, &config, "x"), status_invalid);
        EXPECT_EQ(vmaf_model_collection_feature_overload(nullptr, &loaded.members, "vif", options), status_invalid);
        EXPECT_EQ(vmaf_model_collection_feature_overload(loaded.model, nullptr, "vif", options), status_invalid);
        EXPECT_EQ(vmaf_model_collection_feature_overload(loaded.model, &none, "vif", options), status_invalid);
        EXPECT_EQ(vmaf_model_collection_feature_overload(loaded.model, &loaded.members, nullptr, options),
                  status_invalid);
        EXPECT_EQ(vmaf_model_collection_feature_overload(loaded.model, &loaded.members, "vif", nullptr),
                  status_invalid);
    });
    EXPECT_EQ(vmaf_feature_dictionary_free(&options), 0);
    vmaf_model_collection_destroy(nullptr);
}

} // namespace
} // namespace isovmaf::capi

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/model.hpp"

#include <cstring>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "base/testing/temporary_folder.hpp"
#include "capi/dictionary.hpp"
#include "capi/status.hpp"
#include "capi/testing/captured.hpp"
#include "model/testing/model_text.hpp"

namespace isovmaf::capi {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

/// A loaded model, or the code with which loading failed.
class Loaded {
  public:
    explicit Loaded(const char *version, VmafModelConfig config = {}) {
        status = vmaf_model_load(&model, &config, version);
    }
    Loaded(const nlohmann::json &file, VmafModelConfig config) : Loaded(file.dump(), config) {}
    Loaded(const std::string &text, VmafModelConfig config) {
        const isovmaf::testing::TemporaryFolder folder;
        status = vmaf_model_load_from_path(&model, &config, folder.write("model.json", text).c_str());
    }
    ~Loaded() { vmaf_model_destroy(model); }
    Loaded(const Loaded &) = delete;
    Loaded &operator=(const Loaded &) = delete;

    VmafModel *model = reinterpret_cast<VmafModel *>(1); ///< loading always sets it
    int status = 0;
};

VmafFeatureDictionary *dictionary(const char *key, const char *value) {
    VmafFeatureDictionary *created = nullptr;
    EXPECT_EQ(vmaf_feature_dictionary_set(&created, key, value), 0);
    return created;
}

constexpr double values[] = {0, 0}; ///< of the features of small_model

TEST(CapiModel, IsLoadedByVersion) {
    const Loaded named("vmaf_v0.6.1", {.name = "mine", .flags = 0});
    ASSERT_EQ(named.status, 0);
    EXPECT_EQ(named.model->name(), "mine");
    EXPECT_EQ(named.model->inputs().size(), 6U);
    EXPECT_EQ(named.model->inputs().front().base_name, "VMAF_integer_feature_adm2_score");
    EXPECT_EQ(Loaded("vmaf_4k_v0.6.1").model->name(), "vmaf");
    EXPECT_EQ(Loaded("vmaf_v0.6.1", {.name = "", .flags = 0}).model->name(), "");
}

TEST(CapiModel, IsDifferentFromEveryOther) {
    std::uint64_t former = 0;
    for (int i = 0; i < 3; i++) {
        const Loaded loaded(small_model(), {}); // often at the address of the former one
        EXPECT_NE(loaded.model->id(), former);
        former = loaded.model->id();
    }
}

TEST(CapiModel, PredictsAsOtherProgramsOfIsovmafDo) {
    const Loaded loaded(small_model(), {});
    const auto model = parse_model(small_model().dump(), {}, "test.json").value();
    double expected = 0;
    model->predict(values, {&expected, 1});
    EXPECT_EQ(loaded.model->predict(values), expected);
}

TEST(CapiModel, FlagsReachTheScore) {
    nlohmann::json file = small_model();
    file["model_dict"]["score_clip"] = {0, 1};
    const auto score = [&](std::uint64_t flags) { return Loaded(file, {nullptr, flags}).model->predict(values); };
    EXPECT_EQ(score(VMAF_MODEL_FLAGS_DEFAULT), 1);
    const double open = score(VMAF_MODEL_FLAG_DISABLE_CLIP);
    EXPECT_EQ(open, 10);
    EXPECT_EQ(score(VMAF_MODEL_FLAG_DISABLE_CLIP | VMAF_MODEL_FLAG_DISABLE_TRANSFORM), open);
    EXPECT_EQ(score(VMAF_MODEL_FLAG_DISABLE_CLIP | VMAF_MODEL_FLAG_ENABLE_TRANSFORM), 21);
    EXPECT_EQ(score(VMAF_MODEL_FLAG_DISABLE_CLIP | 0xfff0), open);
}

void expect_refused(auto load, const char *message) {
    EXPECT_THAT(printed_by([&] {
                    const auto loaded = load();
                    EXPECT_EQ(loaded.status, status_invalid);
                    EXPECT_EQ(loaded.model, nullptr);
                }),
                HasSubstr(message));
}

/// What programs read that know the beginning of libvmaf's struct, as pyvmaf does.
struct KnownBeginning {
    const char *path, *name;
};

KnownBeginning beginning_of(const VmafModel *model) {
    KnownBeginning beginning;
    std::memcpy(&beginning, static_cast<const void *>(model), sizeof beginning);
    return beginning;
}

TEST(CapiModel, BeginsWithItsPathAndItsName) {
    const Loaded built_in("vmaf_v0.6.1", {.name = "mine", .flags = 0});
    EXPECT_EQ(beginning_of(built_in.model).path, nullptr);
    EXPECT_STREQ(beginning_of(built_in.model).name, "mine");

    const isovmaf::testing::TemporaryFolder folder;
    const std::string path = folder.write("model.json", small_model().dump());
    VmafModelConfig config{};
    VmafModel *model = nullptr;
    ASSERT_EQ(vmaf_model_load_from_path(&model, &config, path.c_str()), 0);
    EXPECT_STREQ(beginning_of(model).path, path.c_str());
    EXPECT_STREQ(beginning_of(model).name, "vmaf");
    vmaf_model_destroy(model);

    VmafModelCollection *members = nullptr;
    ASSERT_EQ(vmaf_model_collection_load(&model, &members, &config, "vmaf_b_v0.6.3"), 0);
    EXPECT_STREQ(beginning_of(model).name, "vmaf");
    EXPECT_STREQ(beginning_of(&members->members().front()).name, "vmaf_0001");
    vmaf_model_collection_destroy(members);
    vmaf_model_destroy(model);
}

TEST(CapiModel, OneThatDoesNotExistIsRefusedWithAListOfThoseThereAre) {
    expect_refused([] { return Loaded("vmaf_v9"); },
                   "there is no model \"vmaf_v9\": the built-in ones are vmaf_v0.6.1");
    expect_refused([] { return Loaded(""); }, "cannot load a model whose name is empty");
    expect_refused([] { return Loaded("vmaf_b_v0.6.3"); },
                   "INFO vmaf_model_load: \"vmaf_b_v0.6.3\" is a collection of models: load it with "
                   "vmaf_model_collection_load");
}

TEST(CapiModel, FilesThatAreNotCompleteAreRefused) {
    const std::string whole = small_model().dump();
    for (const std::size_t percent : {10U, 50U, 90U, 99U})
        expect_refused([&] { return Loaded(whole.substr(0, whole.size() * percent / 100), {}); }, "it is truncated");
    for (const char *part : {"model", "norm_type", "slopes", "intercepts", "feature_names", "model_type"}) {
        nlohmann::json file = small_model();
        file["model_dict"].erase(part);
        expect_refused([&] { return Loaded(file, {}); }, part);
    }
    nlohmann::json file = small_model();
    std::string &vectors = file["model_dict"]["model"].get_ref<std::string &>();
    vectors.resize(vectors.size() - 3);
    expect_refused([&] { return Loaded(file, {}); }, "model_dict.model: ");
}

TEST(CapiModel, NullInAFileMeansAbsent) {
    nlohmann::json file = small_model();
    for (const char *key : {"p0", "p1", "p2", "knots"})
        file["model_dict"]["score_transform"][key] = nullptr;
    EXPECT_EQ(Loaded(file, {nullptr, VMAF_MODEL_FLAG_ENABLE_TRANSFORM}).status, 0);
}

TEST(CapiModel, ArgumentsThatAreNullAreRefused) {
    VmafModelConfig config{};
    VmafModel *model = reinterpret_cast<VmafModel *>(1);
    printed_by([&] {
        EXPECT_EQ(vmaf_model_load(nullptr, &config, "vmaf_v0.6.1"), status_invalid);
        EXPECT_EQ(vmaf_model_load(&model, nullptr, "vmaf_v0.6.1"), status_invalid);
        EXPECT_EQ(model, nullptr);
        EXPECT_EQ(vmaf_model_load_from_path(&model, &config, nullptr), status_invalid);
        EXPECT_EQ(vmaf_model_load_from_path(&model, &config, "/nowhere/model.json"), status_invalid);
    });
    vmaf_model_destroy(nullptr);
}

TEST(CapiModel, OverloadsReplaceOptionsOfOneExtractor) {
    const Loaded loaded("vmaf_v0.6.1neg");
    ASSERT_EQ(vmaf_model_feature_overload(loaded.model, "vif", dictionary("vif_enhn_gain_limit", "50.0")), 0);
    for (const ModelInput &input : loaded.model->inputs()) {
        const bool of_vif = input.base_name.find("vif") != std::string::npos;
        const bool of_adm = input.base_name.find("adm") != std::string::npos;
        EXPECT_EQ(input.options, of_vif   ? (OptionTexts{{"vif_enhn_gain_limit", "50"}})
                                 : of_adm ? (OptionTexts{{"adm_enhn_gain_limit", "1"}})
                                          : OptionTexts{});
    }
}

TEST(CapiModel, OverloadsDoNotCheckValues) {
    const Loaded loaded("vmaf_v0.6.1");
    EXPECT_EQ(vmaf_model_feature_overload(loaded.model, "motion", dictionary("motion_force_zero", "perhaps")), 0);
    EXPECT_THAT(loaded.model->inputs()[1].options, ElementsAre(Pair("motion_force_zero", "perhaps")));
}

TEST(CapiModel, OverloadsThatMatchNothingSaySo) {
    const Loaded loaded("vmaf_v0.6.1");
    EXPECT_THAT(printed_by([&] {
                    EXPECT_EQ(vmaf_model_feature_overload(loaded.model, "cambi", dictionary("window_size", "5")), 0);
                    EXPECT_EQ(vmaf_model_feature_overload(loaded.model, "vif", dictionary("wrong", "5")), 0);
                }),
                AllOf(HasSubstr("WARNING the model \"vmaf\" reads no score of a feature \"cambi\""),
                      HasSubstr("WARNING the feature vif has no option \"wrong\"")));
    for (const ModelInput &input : loaded.model->inputs())
        EXPECT_THAT(input.options, IsEmpty());
}

TEST(CapiModel, AnOverloadThatFailsDoesNotConsume) {
    const Loaded loaded("vmaf_v0.6.1");
    VmafFeatureDictionary *options = dictionary("a", "b");
    printed_by([&] {
        EXPECT_EQ(vmaf_model_feature_overload(nullptr, "vif", options), status_invalid);
        EXPECT_EQ(vmaf_model_feature_overload(loaded.model, nullptr, options), status_invalid);
        EXPECT_EQ(vmaf_model_feature_overload(loaded.model, "vif", nullptr), status_invalid);
    });
    EXPECT_EQ(vmaf_feature_dictionary_free(&options), 0);
}

} // namespace
} // namespace isovmaf::capi

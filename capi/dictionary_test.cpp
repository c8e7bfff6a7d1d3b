// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/dictionary.hpp"

#include <gmock/gmock.h>

#include "capi/status.hpp"
#include "capi/testing/captured.hpp"
#include "features/registry.hpp"

namespace isovmaf::capi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(Dictionary, IsCreatedFilledAndFreed) {
    VmafFeatureDictionary *dictionary = nullptr;
    for (const auto &[key, value] : {std::pair{"a", "1.0"}, {"b", "x"}, {"a", "2"}, {"", ""}})
        ASSERT_EQ(vmaf_feature_dictionary_set(&dictionary, key, value), 0);
    EXPECT_THAT(dictionary->entries, ElementsAre(Pair("a", "2"), Pair("b", "x"), Pair("", "")));
    EXPECT_EQ(vmaf_feature_dictionary_free(&dictionary), 0);
    EXPECT_EQ(dictionary, nullptr);
    EXPECT_EQ(vmaf_feature_dictionary_free(&dictionary), 0);
}

TEST(Dictionary, ValuesAreReplacedHoweverManyThereAre) {
    VmafFeatureDictionary *dictionary = nullptr;
    for (int count = 1; count <= 40; count++) {
        ASSERT_EQ(vmaf_feature_dictionary_set(&dictionary, std::to_string(count).c_str(), "old"), 0);
        ASSERT_EQ(vmaf_feature_dictionary_set(&dictionary, "1", "new"), 0);
        ASSERT_EQ(dictionary->entries.size(), static_cast<std::size_t>(count));
    }
    EXPECT_THAT(dictionary->entries.front(), Pair("1", "new"));
    EXPECT_EQ(vmaf_feature_dictionary_free(&dictionary), 0);
}

TEST(Dictionary, ArgumentsThatAreNullAreRefused) {
    VmafFeatureDictionary *dictionary = nullptr;
    EXPECT_THAT(printed_by([&] {
                    EXPECT_EQ(vmaf_feature_dictionary_set(nullptr, "a", "b"), status_invalid);
                    EXPECT_EQ(vmaf_feature_dictionary_set(&dictionary, nullptr, "b"), status_invalid);
                    EXPECT_EQ(vmaf_feature_dictionary_set(&dictionary, "a", nullptr), status_invalid);
                    EXPECT_EQ(vmaf_feature_dictionary_free(nullptr), status_invalid);
                }),
                HasSubstr("vmaf_feature_dictionary_set: an argument that is needed is NULL"));
    EXPECT_EQ(dictionary, nullptr);
}

TEST(Dictionary, OptionsThatAFeatureDoesNotKnowAreLeftOut) {
    const FeatureDescriptor &vif = *find_feature("vif");
    const OptionTexts options = {{"vif_enhn_gain_limit", "1"}, {"wrong", "2"}, {"egl", "3"}, {"", "4"}};
    OptionTexts known;
    const std::string printed = printed_by([&] { known = known_options(vif, options, Log(VMAF_LOG_LEVEL_WARNING)); });
    EXPECT_THAT(known, ElementsAre(Pair("vif_enhn_gain_limit", "1")));
    EXPECT_THAT(printed, HasSubstr("libvmaf WARNING the feature vif has no option \"wrong\""));
    EXPECT_THAT(printed, HasSubstr("\"egl\" in names of scores is vif_enhn_gain_limit\n")) << "libvmaf knows no alias";
}

} // namespace
} // namespace isovmaf::capi

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/registry.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "base/text.hpp"

/// What holds for the descriptor of every feature.
namespace isovmaf::registry_test {
namespace {

bool accepts(const FeatureDescriptor &feature, const OptionSpec &option, const std::string &text) {
    return OptionSet::parse(feature.name, feature.options, {{std::string(option.name), text}}).has_value();
}

/// Calls `check(feature, option)` for every option that is a number of type T.
template <class T, class Check>
void for_each_number(const Check &check) {
    for (const FeatureDescriptor *feature : all_features())
        for (const OptionSpec &option : feature->options)
            if (std::holds_alternative<T>(option.default_value)) {
                SCOPED_TRACE(::testing::Message() << feature->name << ", " << option.name);
                check(*feature, option);
            }
}

TEST(EveryFeature, TakesNumbersUpToTheEndsOfTheirRange) {
    for_each_number<double>([](const FeatureDescriptor &feature, const OptionSpec &option) {
        EXPECT_TRUE(accepts(feature, option, format_g(option.minimum)));
        EXPECT_TRUE(accepts(feature, option, format_g(option.maximum)));
        for (const double beyond : {1e-5, 0.01, 1.0}) { // options have six digits
            const std::string below = format_g(option.minimum - beyond * std::max(std::abs(option.minimum), 1.0));
            const std::string above = format_g(option.maximum * (1 + beyond));
            EXPECT_FALSE(accepts(feature, option, below)) << below;
            EXPECT_FALSE(accepts(feature, option, above)) << above;
        }
    });
}

TEST(EveryFeature, TakesIntegersUpToTheEndsOfTheirRange) {
    for_each_number<int>([](const FeatureDescriptor &feature, const OptionSpec &option) {
        EXPECT_TRUE(accepts(feature, option, format_g(option.minimum)));
        EXPECT_TRUE(accepts(feature, option, format_g(option.maximum)));
        EXPECT_FALSE(accepts(feature, option, format_g(option.minimum - 1)));
        EXPECT_FALSE(accepts(feature, option, format_g(option.maximum + 1)));
        EXPECT_FALSE(accepts(feature, option, format_g(std::ceil(option.maximum * 1.01))));
    });
}

TEST(EveryFeature, HasDefaultsThatItTakes) {
    for (const FeatureDescriptor *feature : all_features())
        for (const OptionSpec &option : feature->options)
            EXPECT_TRUE(accepts(*feature, option, option_text(option.default_value)))
                << feature->name << ", " << option.name;
}

TEST(EveryFeature, TakesTheOptionTextsOfItsDescriptor) {
    std::set<std::string_view> golden_names;
    for (const FeatureDescriptor *feature : all_features()) {
        std::vector<std::string_view> texts{feature->compared_options.begin(), feature->compared_options.end()};
        texts.push_back(feature->fallback_options);
        for (const NamedOptions &golden : feature->golden_options) {
            texts.push_back(golden.options);
            EXPECT_TRUE(golden_names.insert(golden.name).second) << golden.name << " stands twice";
        }
        for (const std::string_view text : texts) {
            const Result<FeatureRequest> request = FeatureRequest::parse(request_text(*feature, text));
            ASSERT_TRUE(request) << request.error().message;
            const Result<OptionSet> options = OptionSet::parse(feature->name, feature->options, request->options);
            EXPECT_TRUE(options) << options.error().message;
        }
    }
}

} // namespace
} // namespace isovmaf::registry_test

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/state_facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "engine/plan/bind_models.hpp"
#include "features/registry.hpp"

namespace isovmaf::state_facts_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string_view pace(double rate) { return rate < 32 ? "slow" : "fast"; }

constexpr OptionSpec options[] = {
    {.name = "rate",
     .alias = "",
     .help = "",
     .default_value = 0.0,
     .minimum = 0,
     .maximum = 1000,
     .naming = Naming::plain,
     .fact = VideoFact::frame_rate,
     .meaning = pace},
    {.name = "size", .alias = "s", .help = "", .default_value = 1, .minimum = 1, .maximum = 9},
};

/// A feature that reads the frame rate of the video, in no list.
constexpr FeatureDescriptor paced{.name = "paced", .summary = "", .options = options, .outputs = {}};

OptionSet set_of(const OptionTexts &texts) { return value_of(OptionSet::parse("paced", options, texts)); }

FeatureSet request(const std::vector<OptionTexts> &option_sets) {
    FeatureSet set;
    for (const OptionTexts &texts : option_sets)
        EXPECT_TRUE(set.add(paced, set_of(texts)));
    return set;
}

PairFacts rates(std::optional<double> reference, std::optional<double> distorted) { return {{reference}, {distorted}}; }

double closed_rate(double rate) {
    OptionSet set(options);
    set.close(0, rate);
    return set.number("rate");
}

TEST(OpenOptions, TakeAValueThatTheirTextKeeps) {
    EXPECT_EQ(closed_rate(25), 25);
    EXPECT_EQ(closed_rate(30000 / 1001.0), 29.97);
    EXPECT_EQ(closed_rate(60000 / 1001.0), 59.94);
    EXPECT_EQ(closed_rate(32000 / 1001.0), 31.968);
    EXPECT_EQ(closed_rate(31.99999999), 31.9999) << "rounded down: a limit at 32 is not crossed";
    EXPECT_EQ(closed_rate(0.0123456789), 0.0123456);
    EXPECT_EQ(closed_rate(1e6), 1000) << "the largest value of the option";
    OptionSet set(options);
    EXPECT_TRUE(set.is_open(0));
    EXPECT_FALSE(set.is_open(1)) << "a default that stands for itself";
    set.close(0, 32000 / 1001.0);
    EXPECT_FALSE(set.is_open(0));
    EXPECT_EQ(option_texts(value_of(OptionSet::parse("paced", options, option_texts(set)))), option_texts(set));
}

TEST(UseFacts, TakesTheDistortedVideosThenTheReferencesThenWhatIsAssumed) {
    const auto used = [](const PairFacts &pair) { return use_facts(request({{}}), pair); };
    EXPECT_THAT(used(rates(24, 60)).facts,
                ElementsAre(UsedFact{"paced", "rate", "60", UsedFact::from_distorted, "fast"}));
    EXPECT_THAT(used(rates(24, {})).facts,
                ElementsAre(UsedFact{"paced", "rate", "24", UsedFact::from_reference, "slow"}));
    EXPECT_THAT(used({}).facts, ElementsAre(UsedFact{"paced", "rate", "25", UsedFact::nobody, "slow"}));
    EXPECT_EQ(used_fact_text(used(rates(24, 60)).facts[0]),
              "paced takes the rate 60 (fast): that of the distorted video");
    EXPECT_THAT(used_fact_text(used({}).facts[0]),
                HasSubstr("assumed, as neither video states it; --feature paced:rate="));
    const std::vector<FeatureRequest> requests = used(rates(24, 60)).requests;
    ASSERT_EQ(requests.size(), 1u);
    EXPECT_EQ(requests[0].name, "paced");
    EXPECT_EQ(requests[0].options, (OptionTexts{{"rate", "60"}}));
}

TEST(UseFacts, LeavesWhatTheRequestGives) {
    const FactUse use = use_facts(request({{{"rate", "50"}}}), rates(24, 60));
    EXPECT_THAT(use.facts, ElementsAre(UsedFact{"paced", "rate", "50", UsedFact::from_option, "fast"}));
    EXPECT_THAT(use.requests, IsEmpty());
    EXPECT_THAT(use.warnings, IsEmpty());
}

TEST(UseFacts, StatesEachOptionSetByItsName) {
    const FactUse use = use_facts(request({{}, {{"s", "3"}}, {{"s", "4"}, {"rate", "50"}}}), rates({}, 24));
    ASSERT_EQ(use.requests.size(), 2u);
    EXPECT_EQ(use.requests[0].options, (OptionTexts{{"rate", "24"}}));
    EXPECT_EQ(use.requests[1].options, (OptionTexts{{"rate", "24"}, {"size", "3"}}));
}

TEST(UseFacts, WarnsWhereTheVideosMeanDifferentThings) {
    const auto warnings = [](const PairFacts &pair) { return use_facts(request({{}}), pair).warnings; };
    EXPECT_THAT(warnings(rates(24, 60)),
                ElementsAre(AllOf(HasSubstr("the reference is 24, and that of the distorted video 60"),
                                  HasSubstr("--feature paced:rate=NUMBER"))));
    EXPECT_THAT(warnings(rates(24, 30)), IsEmpty()) << "both are slow";
    EXPECT_THAT(warnings(rates({}, 60)), IsEmpty());
    EXPECT_THAT(warnings(rates(24, {})), IsEmpty());
}

TEST(FeatureSet, OpenOptionsMergeWithThoseThatAreGiven) {
    for (const bool open_first : {false, true}) {
        FeatureSet set = open_first ? request({{}, {{"rate", "50"}}}) : request({{{"rate", "50"}}, {}});
        set.assume_facts();
        ASSERT_EQ(set.entries()[0].option_sets.size(), 1u);
        EXPECT_EQ(set.entries()[0].option_sets[0].number("rate"), 50) << open_first;
    }
    FeatureSet two = request({{{"rate", "50"}}});
    const Result<void> added = two.add(paced, set_of({{"rate", "24"}}));
    ASSERT_FALSE(added);
    EXPECT_THAT(added.error().message, AllOf(HasSubstr("rate=50 and rate=24"), HasSubstr("ask for one of them")));
}

TEST(FeatureSet, AssumesWhatNobodyStates) {
    FeatureSet set = request({{}, {{"s", "2"}, {"rate", "60"}}});
    set.assume_facts();
    EXPECT_EQ(set.entries()[0].option_sets[0].number("rate"), 25);
    EXPECT_EQ(set.entries()[0].option_sets[1].number("rate"), 60);
}

TEST(FeatureSet, TakesTheFactsOfWhatWasExtracted) {
    const FeatureSet extracted = request({{{"rate", "60"}}, {{"s", "2"}, {"rate", "24"}}});
    FeatureSet wanted = request({{{"s", "2"}}, {}});
    wanted.take_facts(extracted);
    EXPECT_EQ(wanted.entries()[0].option_sets[0].number("rate"), 24);
    EXPECT_EQ(wanted.entries()[0].option_sets[1].number("rate"), 60);
    FeatureSet other = request({{{"rate", "50"}}});
    other.take_facts(extracted);
    EXPECT_EQ(other.entries()[0].option_sets[0].number("rate"), 50) << "what is asked for stays, and is refused later";
    FeatureSet unknown = request({{{"s", "5"}}});
    unknown.take_facts(extracted);
    EXPECT_TRUE(unknown.entries()[0].option_sets[0].is_open(0));
}

} // namespace
} // namespace isovmaf::state_facts_test

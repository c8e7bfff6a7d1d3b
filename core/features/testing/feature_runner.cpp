// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/testing/feature_runner.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "features/frame_window.hpp"
#include "features/option.hpp"
#include "features/registry.hpp"

namespace isovmaf::testing {

namespace {

class MapSink final : public ScoreSink {
  public:
    MapSink(FeatureScores &scores, std::vector<std::string> names, std::size_t frames)
        : scores_(scores), names_(std::move(names)) {
        for (const std::string &name : names_)
            scores_.frames[name].assign(frames, std::numeric_limits<double>::quiet_NaN());
    }

    void set(std::int64_t frame, std::size_t output, double score) override {
        double &slot = scores_.frames.at(names_.at(output)).at(static_cast<std::size_t>(frame));
        EXPECT_TRUE(std::isnan(slot)) << names_[output] << " of frame " << frame << " was set twice";
        slot = score;
    }

    void set_aggregate(std::string_view name, double score) override { scores_.aggregates[std::string(name)] = score; }

  private:
    FeatureScores &scores_;
    std::vector<std::string> names_;
};

} // namespace

std::vector<FeatureScores> run_feature(std::string_view name, const std::vector<OptionTexts> &texts,
                                       const std::vector<FramePair> &clip, Semantics semantics) {
    const FeatureDescriptor *feature = find_feature(name);
    std::vector<FeatureScores> scores(texts.size());
    if (!feature || clip.empty()) {
        ADD_FAILURE() << "no feature " << name << ", or an empty clip";
        return scores;
    }
    std::vector<OptionSet> sets;
    for (const OptionTexts &text : texts) {
        Result<OptionSet> set = OptionSet::parse(name, feature->options, text);
        if (!set) {
            ADD_FAILURE() << set.error().message;
            return scores;
        }
        sets.push_back(*std::move(set));
    }
    const Frame &picture = clip.front().reference;
    const PlanContext context{.format = picture.format(), .semantics = semantics, .chroma_edge = picture.chroma_edge()};
    Result<FeaturePlan> plan = make_feature_plan(*feature, context, sets);
    if (!plan) {
        ADD_FAILURE() << plan.error().message;
        return scores;
    }

    std::vector<MapSink> sinks;
    for (std::size_t v = 0; v < sets.size(); v++) {
        std::vector<std::string> names;
        for (const OutputSpec &output : plan->variants[v].outputs)
            names.push_back(stored_name(output, sets[v]));
        sinks.emplace_back(scores[v], std::move(names), clip.size());
    }
    Workspace workspace;
    std::vector<std::int64_t> extracted(plan->extracted().size());
    FrameHistory history(plan->earlier);
    for (std::size_t n = 0; n < clip.size(); n++) {
        const FrameWindow frame = history.next(clip[n]);
        workspace.reset();
        plan->definition->extract(frame.pictures(), workspace, extracted);
        const std::vector<std::int64_t> words = kept_words(*plan, extracted);
        for (std::size_t v = 0; v < sets.size(); v++)
            plan->variants[v].finisher->push(static_cast<std::int64_t>(n), words, sinks[v]);
    }
    for (std::size_t v = 0; v < sets.size(); v++)
        plan->variants[v].finisher->flush(sinks[v]);
    return scores;
}

FeaturePlan plan_feature(std::string_view name, const std::vector<OptionTexts> &option_sets,
                         const PlanContext &context) {
    const FeatureDescriptor *const feature = find_feature(name);
    if (!feature)
        throw Failure({ErrorCode::not_found, fmt::format("there is no feature {}", name)});
    std::vector<OptionSet> sets;
    for (const OptionTexts &texts : option_sets)
        sets.push_back(value_of(OptionSet::parse(name, feature->options, texts)));
    return value_of(make_feature_plan(*feature, context, sets));
}

std::vector<FramePair> generated_clip(const VideoFormat &format, int frames) {
    GeneratedClip clip(format);
    std::vector<FramePair> pairs;
    for (int n = 0; n < frames; n++)
        pairs.push_back(clip.frame(static_cast<std::uint32_t>(n)));
    return pairs;
}

} // namespace isovmaf::testing

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/feature_case.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/try.hpp"
#include "diff/stage_fault.hpp"
#include "features/frame_history.hpp"

namespace isovmaf::diff {

namespace {

/// The case's frame with those before it.
FrameWithHistory frame_of(const FeatureCase &c) {
    FrameHistory history;
    FrameWithHistory frame;
    for (const FramePair &pair : c.frames)
        frame = history.next(pair);
    return frame;
}

Result<FeaturePlan> plan_of(const FeatureCase &c, const FeaturePath &path) {
    TRY(check_size(*c.feature, c.format()));
    return c.feature->plan({c.format(), c.semantics, path.cpu_level()}, c.option_sets);
}

/// Collects stages in order until one differs.
class StageComparer {
  public:
    void add(const Stage &stage, StagePlane expected, StagePlane found) {
        if (report_.fault)
            return;
        report_.fault = compare_stage(stage, expected, found);
        if (!report_.fault)
            report_.equal.push_back(stage.name);
    }

    /// Words may be of several kinds: the fault has that of its first word, which it names.
    void add_words(const std::vector<WordSpec> &specs, StagePlane expected, StagePlane found) {
        if (report_.fault)
            return;
        add({"words of the frame", static_cast<int>(specs.size()), 1}, expected, found);
        if (!report_.fault)
            return;
        const WordSpec &first = specs[static_cast<std::size_t>(report_.fault->x)];
        report_.fault->kind = first.kind;
        report_.fault->patterns.insert(report_.fault->patterns.begin(), fmt::format("the first is {}", first.name));
    }

    StageReport report() && { return std::move(report_); }

  private:
    StageReport report_;
};

} // namespace

FeatureCase reduce(FeatureCase whole, const Reduction &reduction) {
    for (FramePair &pair : whole.frames)
        pair = reduce(pair, reduction);
    return whole;
}

bool is_definition(const FeatureCase &c, const FeaturePath &path) {
    return path.is_definition(value_of(plan_of(c, path)));
}

Result<bool> words_differ(const FeatureCase &c, FeaturePath &path) {
    const FeaturePlan plan = TRY(plan_of(c, path));
    const FrameWithHistory frame = frame_of(c);
    const FrameInputs inputs = frame.inputs();
    Workspace workspace;
    std::vector<std::int64_t> expected(plan.extracted().size());
    plan.definition->extract(inputs, workspace, expected);
    try {
        const std::vector<std::int64_t> found = path.words(plan, inputs);
        return !plan.is_flagged(found) && found != expected;
    } catch (const Failure &failure) {
        return tl::unexpected(failure.error());
    }
}

StageReport compare_stages(const FeatureCase &c, FeaturePath &path) {
    const FeaturePlan plan = value_of(plan_of(c, path));
    const FrameWithHistory frame = frame_of(c);
    const FrameInputs inputs = frame.inputs();
    Workspace workspace;
    std::vector<std::int64_t> expected_words(plan.extracted().size());
    StageMemory expected(plan.stages);
    plan.definition->extract(inputs, workspace, expected_words, expected.taps());
    const TappedRun found = path.tapped(plan, inputs);

    StageComparer comparer;
    for (const SeenPlane &have : found.pictures) {
        const Plane &want = (have.distorted ? inputs.distorted : inputs.reference)->plane(have.plane);
        comparer.add({fmt::format("{} of the {} on the device", plane_name(have.plane),
                                  have.distorted ? "distorted picture" : "reference"),
                      want.width, want.height},
                     samples(want, c.format()), have.samples);
    }
    for (std::size_t s = 0; s < plan.stages.size(); s++)
        comparer.add(plan.stages[s], expected.plane(s), found.stages.plane(s));
    if (!plan.is_flagged(found.words))
        comparer.add_words(plan.extracted(), expected_words, found.words);
    return std::move(comparer).report();
}

std::vector<FeatureRequest> feature_requests(const FeatureCase &c) {
    std::vector<FeatureRequest> requests;
    for (const OptionSet &set : c.option_sets) {
        FeatureRequest &request = requests.emplace_back(FeatureRequest{std::string(c.feature->name), {}});
        for (std::size_t i = 0; i < set.specs().size(); i++)
            if (!set.is_default(i))
                request.options.emplace_back(set.specs()[i].name, option_text(set.value(i)));
    }
    return requests;
}

std::string feature_options(const FeatureCase &c) {
    std::string text;
    for (const FeatureRequest &request : feature_requests(c)) {
        text += fmt::format("{}--feature {}", text.empty() ? "" : " ", request.name);
        for (const auto &[name, value] : request.options)
            text += fmt::format(":{}={}", name, value);
    }
    return text;
}

} // namespace isovmaf::diff

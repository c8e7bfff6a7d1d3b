// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/feature_case.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/try.hpp"
#include "diff/stage_fault.hpp"
#include "features/frame_history.hpp"
#include "features/gpu_run.hpp"

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

Result<FeaturePlan> plan_of(const FeatureCase &c) {
    TRY(check_size(*c.feature, c.format()));
    return c.feature->plan({c.format(), c.semantics}, c.option_sets);
}

template <class Sample>
void append(const Plane &plane, std::vector<std::int64_t> &values) {
    for (int y = 0; y < plane.height; y++)
        values.insert(values.end(), plane.row<Sample>(y), plane.row<Sample>(y) + plane.width);
}

std::vector<std::int64_t> samples(const Plane &plane, const VideoFormat &format) {
    std::vector<std::int64_t> values;
    (format.bytes_per_sample() == 1 ? append<std::uint8_t> : append<std::uint16_t>)(plane, values);
    return values;
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

Result<bool> words_differ(const FeatureCase &c, const Device &device) {
    const FeaturePlan plan = TRY(plan_of(c));
    const FrameWithHistory frame = frame_of(c);
    const FrameInputs inputs = frame.inputs();
    Workspace workspace;
    std::vector<std::int64_t> expected(plan.extracted().size());
    plan.definition->extract(inputs, workspace, expected);
    try {
        const std::vector<std::int64_t> found = GpuRun(device, plan, c.format()).words(inputs);
        return !plan.is_flagged(found) && found != expected;
    } catch (const Failure &failure) {
        return tl::unexpected(failure.error());
    }
}

StageReport compare_stages(const FeatureCase &c, const Device &device) {
    const FeaturePlan plan = value_of(plan_of(c));
    const FrameWithHistory frame = frame_of(c);
    const FrameInputs inputs = frame.inputs();
    Workspace workspace;
    std::vector<std::int64_t> expected_words(plan.extracted().size());
    StageMemory expected(plan.stages);
    plan.definition->extract(inputs, workspace, expected_words, expected.taps());
    GpuRun run(device, plan, c.format());
    const GpuRun::Tapped found = run.tapped(inputs);

    StageComparer comparer;
    for (const bool distorted : {false, true})
        for (int p = 0; p < run.plane_count(); p++) {
            const Plane have = run.picture(found, distorted, p);
            const Plane &want = (distorted ? inputs.distorted : inputs.reference)->plane(p);
            comparer.add({fmt::format("{} of the {} on the device", plane_name(p),
                                      distorted ? "distorted picture" : "reference"),
                          want.width, want.height},
                         samples(want, c.format()), samples(have, c.format()));
        }
    for (std::size_t s = 0; s < plan.stages.size(); s++)
        comparer.add(plan.stages[s], expected.plane(s), found.stages.plane(s));
    comparer.add({"words of the frame", static_cast<int>(expected_words.size()), 1}, expected_words, found.words);
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

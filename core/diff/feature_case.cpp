// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/feature_case.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "device/backends.hpp"
#include "diff/stage_fault.hpp"
#include "features/frame_window.hpp"
#include "features/gpu_run.hpp"

namespace isovmaf::diff {

namespace {

/// What sessions on the CPU run.
class CpuPath final : public FeaturePath {
  public:
    CpuPath(bool definitions, CpuLevel level) : definitions_(definitions), level_(level) {}

    std::string_view name() const override { return "the CPU path"; }
    CpuLevel cpu_level() const override { return level_; }
    bool is_definition(const FeaturePlan &plan) const override { return &code(plan) == plan.definition.get(); }

    Result<std::vector<std::int64_t>> words(const FeaturePlan &plan, const PictureWindow &inputs) override {
        return run(plan, inputs, Taps{nullptr});
    }

    Result<TappedRun> tapped(const FeaturePlan &plan, const PictureWindow &inputs) override {
        TappedRun tapped{{}, StageMemory(plan.stages)};
        tapped.words = run(plan, inputs, tapped.stages.taps());
        return tapped;
    }

  private:
    [[nodiscard]] const Extractor &code(const FeaturePlan &plan) const {
        return definitions_ ? *plan.definition : plan.cpu_code();
    }

    std::vector<std::int64_t> run(const FeaturePlan &plan, const PictureWindow &inputs, Taps taps) {
        std::vector<std::int64_t> words(plan.extracted().size());
        workspace_.reset();
        code(plan).extract(inputs, workspace_, words, taps);
        return words;
    }

    bool definitions_;
    CpuLevel level_;
    Workspace workspace_;
};

class DevicePath final : public FeaturePath {
  public:
    explicit DevicePath(Device device) : device_(std::move(device)) {}

    std::string_view name() const override { return "the kernels"; }
    bool is_definition(const FeaturePlan &) const override { return false; }

    Result<std::vector<std::int64_t>> words(const FeaturePlan &plan, const PictureWindow &inputs) override {
        GpuRun run = TRY(GpuRun::create(device_, plan, inputs.reference->format()));
        return run.words(inputs);
    }

    Result<TappedRun> tapped(const FeaturePlan &plan, const PictureWindow &inputs) override {
        GpuRun run = TRY(GpuRun::create(device_, plan, inputs.reference->format()));
        GpuRun::Tapped found = TRY(run.tapped(inputs));
        TappedRun tapped{std::move(found.words), std::move(found.stages)};
        for (const bool distorted : {false, true})
            for (int p = 0; p < run.plane_count(); p++)
                tapped.pictures.push_back(
                    {distorted, p, samples(run.picture(found, distorted, p), inputs.reference->format())});
        return tapped;
    }

  private:
    Device device_;
};

template <class Sample>
void append(const Plane &plane, std::vector<std::int64_t> &values) {
    for (int y = 0; y < plane.height; y++)
        values.insert(values.end(), plane.row<Sample>(y), plane.row<Sample>(y) + plane.width);
}

/// The case's frame with those before it.
FrameWindow window_of(const FeatureCase &c) {
    FrameHistory history({EarlierFrames::longest, EarlierFrames::longest});
    FrameWindow frame;
    for (const FramePair &pair : c.frames)
        frame = history.next(pair);
    return frame;
}

Result<FeaturePlan> plan_of(const FeatureCase &c, const FeaturePath &path) {
    const FramePair &pair = c.frames.back();
    const ChromaEdge edge = std::min(pair.reference.chroma_edge(), pair.distorted.chroma_edge());
    return make_feature_plan(*c.feature, {c.format(), c.semantics, path.cpu_level(), edge}, c.option_sets);
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

std::vector<std::int64_t> samples(const Plane &plane, const VideoFormat &format) {
    std::vector<std::int64_t> values;
    (format.bytes_per_sample() == 1 ? append<std::uint8_t> : append<std::uint16_t>)(plane, values);
    return values;
}

Result<std::unique_ptr<FeaturePath>> open_path(const Side &side, const std::vector<std::string> &folders) {
    if (side.on_cpu())
        return std::make_unique<CpuPath>(side.backend == definition_backend, TRY(parse_cpu_level(side.cpu_level)));
    const std::optional<int> device = side.devices.empty() ? std::nullopt : std::optional(side.devices.front());
    BackendChoice choice = TRY(choose_backend({side.backend, device, folders}));
    return device_path(*std::move(choice.device));
}

std::unique_ptr<FeaturePath> device_path(Device device) { return std::make_unique<DevicePath>(std::move(device)); }

FeatureCase reduce(FeatureCase whole, const Reduction &reduction) {
    for (FramePair &pair : whole.frames)
        pair = reduce(pair, reduction);
    return whole;
}

Result<bool> is_definition(const FeatureCase &c, const FeaturePath &path) {
    return path.is_definition(TRY(plan_of(c, path)));
}

Result<bool> words_differ(const FeatureCase &c, FeaturePath &path) {
    const FeaturePlan plan = TRY(plan_of(c, path));
    const FrameWindow window = window_of(c);
    const PictureWindow pictures = window.pictures();
    Workspace workspace;
    std::vector<std::int64_t> expected(plan.extracted().size());
    plan.definition->extract(pictures, workspace, expected);
    const std::vector<std::int64_t> found = TRY(path.words(plan, pictures));
    return !plan.is_flagged(found) && found != expected;
}

Result<StageReport> compare_stages(const FeatureCase &c, FeaturePath &path) {
    const FeaturePlan plan = TRY(plan_of(c, path));
    const FrameWindow window = window_of(c);
    const PictureWindow pictures = window.pictures();
    Workspace workspace;
    std::vector<std::int64_t> expected_words(plan.extracted().size());
    StageMemory expected(plan.stages);
    plan.definition->extract(pictures, workspace, expected_words, expected.taps());
    const TappedRun found = TRY(path.tapped(plan, pictures));

    StageComparer comparer;
    for (const SeenPlane &have : found.pictures) {
        const Plane &want = (have.distorted ? pictures.distorted : pictures.reference)->plane(have.plane);
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
    for (const OptionSet &set : c.option_sets)
        requests.push_back({std::string(c.feature->name), set.changed()});
    return requests;
}

std::string feature_options(const FeatureCase &c) {
    std::string text;
    for (const OptionSet &set : c.option_sets)
        text += fmt::format("{}--feature {}", text.empty() ? "" : " ", request_text(*c.feature, set.text()));
    return text;
}

} // namespace isovmaf::diff

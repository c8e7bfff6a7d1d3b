// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/feature_path.hpp"

#include <utility>

#include "base/failure.hpp"
#include "device/backends.hpp"
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

    std::vector<std::int64_t> words(const FeaturePlan &plan, const FrameInputs &inputs) override {
        return run(plan, inputs, Taps{nullptr});
    }

    TappedRun tapped(const FeaturePlan &plan, const FrameInputs &inputs) override {
        TappedRun tapped{{}, StageMemory(plan.stages)};
        tapped.words = run(plan, inputs, tapped.stages.taps());
        return tapped;
    }

  private:
    [[nodiscard]] const Extractor &code(const FeaturePlan &plan) const {
        return definitions_ ? *plan.definition : plan.cpu_code();
    }

    std::vector<std::int64_t> run(const FeaturePlan &plan, const FrameInputs &inputs, Taps taps) {
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

    std::vector<std::int64_t> words(const FeaturePlan &plan, const FrameInputs &inputs) override {
        return GpuRun(device_, plan, inputs.reference->format()).words(inputs);
    }

    TappedRun tapped(const FeaturePlan &plan, const FrameInputs &inputs) override {
        GpuRun run(device_, plan, inputs.reference->format());
        GpuRun::Tapped found = run.tapped(inputs);
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

} // namespace

std::vector<std::int64_t> samples(const Plane &plane, const VideoFormat &format) {
    std::vector<std::int64_t> values;
    (format.bytes_per_sample() == 1 ? append<std::uint8_t> : append<std::uint16_t>)(plane, values);
    return values;
}

std::unique_ptr<FeaturePath> open_path(const Side &side, const std::vector<std::string> &folders) {
    if (side.on_cpu())
        return std::make_unique<CpuPath>(side.backend == definition_backend, value_of(parse_cpu_level(side.cpu_level)));
    BackendChoice choice = value_of(choose_backend({side.backend, side.device, folders}));
    return device_path(*std::move(choice.device));
}

std::unique_ptr<FeaturePath> device_path(Device device) { return std::make_unique<DevicePath>(std::move(device)); }

} // namespace isovmaf::diff

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/testing/kernel_runner.hpp"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "device/testing/test_device.hpp"
#include "features/registry.hpp"

namespace isovmaf::testing {

namespace {

/// One picture's place on the device, poisoned so that what a kernel reads beside it shows.
class PictureMemory {
  public:
    PictureMemory(const Device &device, const PictureLayout &layout)
        : layout_(&layout), upload_(require(device.create_buffer(ISOVMAF_MEMORY_UPLOAD, layout.bytes()))),
          memory_(require(device.create_buffer(ISOVMAF_MEMORY_DEVICE, layout.bytes()))) {}

    void load(const Frame &frame, Recorder &recorder) const {
        std::memset(upload_.host(), 0xa5, layout_->bytes());
        for (int p = 0; p < layout_->plane_count(); p++)
            layout_->stage(frame, p, upload_.host());
        recorder.copy(upload_.at(0), memory_.at(0), layout_->bytes());
    }

    [[nodiscard]] GpuPicture picture() const { return layout_->at(memory_.at(0)); }

  private:
    const PictureLayout *layout_;
    Buffer upload_, memory_;
};

class KernelRunner {
  public:
    KernelRunner(const FeaturePlan &plan, const VideoFormat &format)
        : plan_(plan), sums_bytes_(plan.extractor->sums_count() * sizeof(std::int64_t)),
          layout_(format, plan.planes == PlaneUse::luma ? 1 : format.plane_count()) {
        for (int i = 0; i < 4; i++)
            pictures_.emplace_back(device_, layout_);
        const std::span<const std::byte> table = plan.gpu->table();
        table_ =
            table.empty() ? require(device_.create_buffer(ISOVMAF_MEMORY_DEVICE, 4)) : upload(device_, queue_, table);
    }

    std::vector<std::int64_t> sums(const FrameInputs &inputs) {
        Recorder recorder(device_);
        GpuFrame frame;
        frame.reference = load(pictures_[0], inputs.reference, recorder);
        frame.distorted = load(pictures_[1], inputs.distorted, recorder);
        std::array<GpuPicture, 2> earlier;
        for (std::size_t back = 0; back < earlier.size(); back++)
            if (inputs.earlier_reference[back]) {
                earlier[back] = load(pictures_[2 + back], inputs.earlier_reference[back], recorder);
                frame.earlier_reference[back] = &earlier[back];
            }
        const std::uint64_t scratch_bytes = (plan_.gpu->scratch_bytes() + 3) / 4 * 4;
        const Buffer scratch =
            require(device_.create_buffer(ISOVMAF_MEMORY_DEVICE, std::max<std::uint64_t>(scratch_bytes, 4)));
        const Buffer sums = require(device_.create_buffer(ISOVMAF_MEMORY_DEVICE, sums_bytes_));
        const Buffer readback = require(device_.create_buffer(ISOVMAF_MEMORY_READBACK, sums_bytes_));
        frame.table = table_.at(0);
        frame.scratch = scratch.at(0);
        frame.sums = sums.at(0);
        if (scratch_bytes > 0)
            recorder.fill(scratch.at(0), scratch_bytes, 0xa5a5a5a5); // a pass that counts on zeros fails
        recorder.fill(sums.at(0), sums_bytes_, 0);
        plan_.gpu->record(recorder, frame);
        recorder.copy(sums.at(0), readback.at(0), sums_bytes_);
        run(recorder, queue_);
        std::vector<std::int64_t> values(plan_.extractor->sums_count());
        std::memcpy(values.data(), readback.host(), sums_bytes_);
        return values;
    }

  private:
    static GpuPicture load(const PictureMemory &memory, const Frame *frame, Recorder &recorder) {
        memory.load(*frame, recorder);
        return memory.picture();
    }

    const FeaturePlan &plan_;
    std::uint64_t sums_bytes_;
    PictureLayout layout_;
    Device device_ = open_test_device();
    std::vector<PictureMemory> pictures_; ///< reference, distorted, and two earlier references
    Buffer table_;
    Queue queue_ = require(device_.create_queue());
};

} // namespace

void expect_reference_sums(std::string_view name, const std::vector<OptionTexts> &option_sets,
                           const std::vector<FramePair> &clip, Semantics semantics) {
    const FeatureDescriptor *const feature = find_feature(name);
    ASSERT_TRUE(feature) << name;
    std::vector<OptionSet> sets;
    for (const OptionTexts &texts : option_sets)
        sets.push_back(require(OptionSet::parse(name, feature->options, texts)));
    const VideoFormat &format = clip.front().reference.format();
    const FeaturePlan plan = require(feature->plan({format, semantics}, sets));
    ASSERT_TRUE(plan.gpu) << name << " has no kernels";

    KernelRunner runner(plan, format);
    Workspace workspace;
    std::vector<std::int64_t> expected(plan.extractor->sums_count());
    for (std::size_t n = 0; n < clip.size(); n++) {
        FrameInputs inputs{&clip[n].reference, &clip[n].distorted, {}};
        for (std::size_t back = 1; back <= static_cast<std::size_t>(plan.earlier_references); back++)
            inputs.earlier_reference[back - 1] = n >= back ? &clip[n - back].reference : nullptr;
        workspace.reset();
        plan.extractor->extract(inputs, workspace, expected);
        EXPECT_EQ(runner.sums(inputs), expected) << name << ", frame " << n << ", " << format.width << "x"
                                                 << format.height << ", " << format.bit_depth << " bit";
    }
}

} // namespace isovmaf::testing

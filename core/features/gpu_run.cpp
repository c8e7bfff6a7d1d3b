// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/gpu_run.hpp"

#include <algorithm>
#include <cstring>

#include "base/align.hpp"
#include "base/failure.hpp"

namespace isovmaf {

namespace {

constexpr int poison = 0xa5;

Buffer create(const Device &device, isovmaf_memory memory, std::uint64_t bytes) {
    return value_of(device.create_buffer(memory, align_up<std::uint64_t>(std::max<std::uint64_t>(bytes, 4), 4)));
}

} // namespace

GpuRun::GpuRun(const Device &device, const FeaturePlan &plan, const VideoFormat &format)
    : device_(device), plan_(plan), layout_(format, plan.planes == PlaneUse::luma ? 1 : format.plane_count()),
      picture_bytes_(align_up<std::uint64_t>(layout_.bytes(), ISOVMAF_RANGE_ALIGNMENT)),
      upload_(create(device, ISOVMAF_MEMORY_UPLOAD, pictures_count * picture_bytes_)),
      pictures_(create(device, ISOVMAF_MEMORY_DEVICE, pictures_count * picture_bytes_)),
      table_(create(device, ISOVMAF_MEMORY_DEVICE, plan.gpu->table().size())), queue_(value_of(device.create_queue())) {
    const std::span<const std::byte> table = plan.gpu->table();
    if (table.empty())
        return;
    const Buffer staging = create(device, ISOVMAF_MEMORY_UPLOAD, table.size());
    std::ranges::copy(table, staging.host());
    Recorder recorder(device);
    recorder.copy(staging.at(0), table_.at(0), table.size());
    submit(recorder);
}

void GpuRun::submit(Recorder &recorder) {
    const Commands commands = value_of(recorder.finish());
    value_of(queue_.wait(value_of(queue_.submit(commands)).value));
}

GpuPicture GpuRun::load(std::size_t place, const Frame &frame) {
    for (int p = 0; p < layout_.plane_count(); p++)
        layout_.stage(frame, p, upload_.host() + place * picture_bytes_);
    return layout_.at(pictures_.at(place * picture_bytes_));
}

void GpuRun::download(isovmaf_range from, std::span<std::byte> to) {
    const Buffer staging = create(device_, ISOVMAF_MEMORY_READBACK, to.size());
    Recorder recorder(device_);
    recorder.copy(from, staging.at(0), to.size());
    submit(recorder);
    std::memcpy(to.data(), staging.host(), to.size());
}

std::vector<std::int64_t> GpuRun::run(const FrameInputs &inputs, Tapped *tapped) {
    for (std::size_t place = 0; place < pictures_count;
         place++) // paddings of equal pictures differ, so a kernel that reads them gives a difference
        std::memset(upload_.host() + place * picture_bytes_, poison - static_cast<int>(place), picture_bytes_);
    GpuFrame frame;
    frame.reference = load(0, *inputs.reference);
    frame.distorted = load(1, *inputs.distorted);
    for (std::size_t back = 0; back < inputs.earlier_reference.size(); back++)
        if (const Frame *const earlier = inputs.earlier_reference[back])
            frame.earlier_reference[back] = load(2 + back, *earlier);
    const std::uint64_t scratch_bytes = align_up<std::uint64_t>(plan_.gpu->scratch_bytes(), 4);
    const Buffer scratch = create(device_, ISOVMAF_MEMORY_DEVICE, scratch_bytes);
    std::vector<std::int64_t> values(plan_.extracted().size());
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(values));
    const Buffer words = create(device_, ISOVMAF_MEMORY_DEVICE, bytes.size());
    frame.table = table_.at(0);
    frame.scratch = scratch.at(0);
    frame.words = words.at(0);

    Recorder recorder(device_);
    recorder.copy(upload_.at(0), pictures_.at(0), pictures_count * picture_bytes_);
    if (scratch_bytes > 0)
        recorder.fill(frame.scratch, scratch_bytes, 0x01010101u * poison);
    recorder.fill(frame.words, bytes.size(), 0);
    Buffer taps, staging;
    if (tapped) {
        const auto stages = std::as_writable_bytes(tapped->stages.words());
        taps = create(device_, ISOVMAF_MEMORY_DEVICE, stages.size());
        staging = create(device_, ISOVMAF_MEMORY_UPLOAD, stages.size());
        std::ranges::copy(stages, staging.host());
        recorder.copy(staging.at(0), taps.at(0), stages.size());
        recorder.tap(taps.at(0));
    }
    plan_.gpu->record(recorder, frame);
    submit(recorder);

    download(frame.words, bytes);
    if (tapped) {
        download(taps.at(0), std::as_writable_bytes(tapped->stages.words()));
        tapped->pictures.resize(2 * picture_bytes_);
        download(pictures_.at(0), tapped->pictures);
    }
    return values;
}

GpuRun::Tapped GpuRun::tapped(const FrameInputs &inputs) {
    Tapped tapped{{}, StageMemory(plan_.stages), {}};
    tapped.words = run(inputs, &tapped);
    return tapped;
}

Plane GpuRun::picture(const Tapped &tapped, bool distorted, int plane) const {
    const GpuPlane on_device = layout_.at({nullptr, distorted ? picture_bytes_ : 0})[static_cast<std::size_t>(plane)];
    return {tapped.pictures.data() + on_device.samples.offset, on_device.stride_bytes, on_device.width,
            on_device.height};
}

} // namespace isovmaf

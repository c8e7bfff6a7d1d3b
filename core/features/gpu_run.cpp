// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/gpu_run.hpp"

#include <algorithm>
#include <cstring>

#include "base/align.hpp"
#include "base/try.hpp"

namespace isovmaf {

namespace {

constexpr int poison = 0xa5;

Result<Buffer> make_buffer(const Device &device, isovmaf_memory memory, std::uint64_t bytes) {
    return device.create_buffer(memory, align_up<std::uint64_t>(std::max<std::uint64_t>(bytes, 4), 4));
}

} // namespace

GpuRun::GpuRun(const Device &device, const FeaturePlan &plan, const VideoFormat &format)
    : device_(device), plan_(plan), layout_(format, plan.plane_count(format), plan.chroma_edge),
      picture_bytes_(align_up<std::uint64_t>(layout_.bytes(), ISOVMAF_RANGE_ALIGNMENT)),
      pictures_count_(static_cast<std::size_t>(2 + plan.earlier.reference + plan.earlier.distorted)) {}

Result<GpuRun> GpuRun::create(const Device &device, const FeaturePlan &plan, const VideoFormat &format) {
    GpuRun run(device, plan, format);
    run.upload_ = TRY(make_buffer(device, ISOVMAF_MEMORY_UPLOAD, run.pictures_count_ * run.picture_bytes_));
    run.pictures_ = TRY(make_buffer(device, ISOVMAF_MEMORY_DEVICE, run.pictures_count_ * run.picture_bytes_));
    run.table_ = TRY(make_buffer(device, ISOVMAF_MEMORY_DEVICE, plan.gpu->table().size()));
    run.queue_ = TRY(device.create_queue());
    TRY(run.upload_table());
    return run;
}

Result<void> GpuRun::upload_table() {
    const std::span<const std::byte> table = plan_.gpu->table();
    if (table.empty())
        return {};
    const Buffer staging = TRY(make_buffer(device_, ISOVMAF_MEMORY_UPLOAD, table.size()));
    std::ranges::copy(table, staging.host());
    Recorder recorder(device_);
    recorder.copy(staging.at(0), table_.at(0), table.size());
    return submit(recorder);
}

Result<void> GpuRun::submit(Recorder &recorder) { return queue_.run(TRY(recorder.finish())); }

GpuPicture GpuRun::load(std::size_t place, const HostPicture &picture) {
    for (int p = 0; p < layout_.plane_count(); p++)
        layout_.stage(picture.plane(p, layout_.edge()), p, upload_.host() + place * picture_bytes_);
    return layout_.at(pictures_.at(place * picture_bytes_));
}

Result<void> GpuRun::download(isovmaf_range from, std::span<std::byte> to) {
    const Buffer staging = TRY(make_buffer(device_, ISOVMAF_MEMORY_READBACK, to.size()));
    Recorder recorder(device_);
    recorder.copy(from, staging.at(0), to.size());
    TRY(submit(recorder));
    std::memcpy(to.data(), staging.host(), to.size());
    return {};
}

Result<std::vector<std::int64_t>> GpuRun::run(const PictureWindow &inputs, Tapped *tapped) {
    for (std::size_t place = 0; place < pictures_count_;
         place++) // paddings of equal pictures differ, so a kernel that reads them gives a difference
        std::memset(upload_.host() + place * picture_bytes_, poison - static_cast<int>(place), picture_bytes_);
    GpuFrame frame;
    frame.reference = load(0, *inputs.reference);
    frame.distorted = load(1, *inputs.distorted);
    const auto references = static_cast<std::size_t>(plan_.earlier.reference);
    for (std::size_t back = 0; back < references; back++)
        if (const auto &earlier = inputs.earlier_reference[back])
            frame.earlier_reference[back] = load(2 + back, *earlier);
    for (std::size_t back = 0; back < static_cast<std::size_t>(plan_.earlier.distorted); back++)
        if (const auto &earlier = inputs.earlier_distorted[back])
            frame.earlier_distorted[back] = load(2 + references + back, *earlier);
    const std::uint64_t scratch_bytes = align_up<std::uint64_t>(plan_.gpu->scratch_bytes(), 4);
    const Buffer scratch = TRY(make_buffer(device_, ISOVMAF_MEMORY_DEVICE, scratch_bytes));
    std::vector<std::int64_t> values(plan_.extracted().size());
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(values));
    const Buffer words = TRY(make_buffer(device_, ISOVMAF_MEMORY_DEVICE, bytes.size()));
    frame.table = table_.at(0);
    frame.scratch = scratch.at(0);
    frame.words = words.at(0);

    Recorder recorder(device_);
    recorder.copy(upload_.at(0), pictures_.at(0), pictures_count_ * picture_bytes_);
    if (scratch_bytes > 0)
        recorder.fill(frame.scratch, scratch_bytes, 0x01010101u * poison);
    recorder.fill(frame.words, bytes.size(), 0);
    Buffer taps, staging;
    if (tapped) {
        const auto stages = std::as_writable_bytes(tapped->stages.words());
        taps = TRY(make_buffer(device_, ISOVMAF_MEMORY_DEVICE, stages.size()));
        staging = TRY(make_buffer(device_, ISOVMAF_MEMORY_UPLOAD, stages.size()));
        std::ranges::copy(stages, staging.host());
        recorder.copy(staging.at(0), taps.at(0), stages.size());
        recorder.tap(taps.at(0));
    }
    plan_.gpu->record(recorder, frame);
    TRY(submit(recorder));

    TRY(download(frame.words, bytes));
    if (tapped) {
        TRY(download(taps.at(0), std::as_writable_bytes(tapped->stages.words())));
        tapped->pictures.resize(2 * picture_bytes_);
        TRY(download(pictures_.at(0), tapped->pictures));
    }
    return values;
}

Result<GpuRun::Tapped> GpuRun::tapped(const PictureWindow &inputs) {
    Tapped tapped{{}, StageMemory(plan_.stages), {}};
    tapped.words = TRY(run(inputs, &tapped));
    return tapped;
}

Plane GpuRun::picture(const Tapped &tapped, bool distorted, int plane) const {
    const GpuPlane on_device = layout_.at({nullptr, distorted ? picture_bytes_ : 0})[static_cast<std::size_t>(plane)];
    return {tapped.pictures.data() + on_device.samples.offset, on_device.stride_bytes, on_device.width,
            on_device.height};
}

} // namespace isovmaf

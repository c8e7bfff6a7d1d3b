// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/surface_copier.hpp"

#include <array>
#include <memory>
#include <utility>

#include "base/align.hpp"
#include "base/try.hpp"
#include "device/picture.hpp"
#include "device/recorder.hpp"

namespace isovmaf {

namespace {

/// Rows of a surface: luma, or Cb and Cr in turns.
struct Rows {
    std::uint64_t address = 0, stride = 0, bytes = 0, count = 0;

    [[nodiscard]] std::uint64_t extent() const { return (count - 1) * stride + bytes; }
};

} // namespace

Result<SurfaceCopier> SurfaceCopier::create(DeviceHandle device) {
    Queue queue = TRY(device->create_queue());
    return SurfaceCopier(std::move(device), std::move(queue));
}

Result<Frame> SurfaceCopier::copy(const VideoFormat &format, const Surface &surface) {
    const auto sample = static_cast<std::uint64_t>(format.bytes_per_sample());
    const std::array<Rows, 2> from{Rows{surface.luma, static_cast<std::uint64_t>(surface.luma_stride_bytes),
                                        row_bytes(format, 0), static_cast<std::uint64_t>(format.plane_height(0))},
                                   Rows{surface.chroma, static_cast<std::uint64_t>(surface.chroma_stride_bytes),
                                        2 * sample * static_cast<std::uint64_t>(format.plane_width(1)),
                                        static_cast<std::uint64_t>(format.plane_height(1))}};
    std::array<std::uint64_t, 2> offset{}, stride{};
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < from.size(); i++) {
        offset[i] = end;
        stride[i] = align_up<std::uint64_t>(from[i].bytes, ISOVMAF_RANGE_ALIGNMENT);
        end += stride[i] * from[i].count;
    }
    auto memory = std::make_shared<HeldMemory>(HeldMemory{device_});
    memory->buffer = TRY(device_->create_buffer(ISOVMAF_MEMORY_DEVICE, end));
    std::array<Buffer, 2> imported;
    Recorder recorder(*device_);
    for (std::size_t i = 0; i < from.size(); i++) {
        if (from[i].count == 0 || from[i].bytes == 0) // a video that is one sample wide or high
            continue;
        imported[i] = TRY(device_->import_buffer(from[i].address, from[i].extent()));
        recorder.copy(
            {imported[i].at(0), memory->buffer.at(offset[i]), from[i].stride, stride[i], from[i].bytes, from[i].count});
    }
    TRY(queue_.run(TRY(recorder.finish())));
    const int shift = format.bit_depth > 8 ? 16 - format.bit_depth : 0;
    const std::uint64_t luma = memory->buffer.address() + offset[0], cb = memory->buffer.address() + offset[1];
    return Frame::on_device(device_, format, std::move(memory), {luma, cb, cb + sample},
                            {stride[0], stride[1], stride[1]}, {SampleLayout{1, shift}, {2, shift}, {2, shift}});
}

} // namespace isovmaf

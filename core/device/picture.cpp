// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/picture.hpp"

#include <cstring>

#include "base/align.hpp"
#include "base/failure.hpp"

namespace isovmaf {

namespace {

constexpr std::uint64_t row_alignment = 128;

} // namespace

std::uint64_t plane_bytes(const VideoFormat &format, int plane, std::uint64_t stride_bytes) {
    const auto rows = static_cast<std::uint64_t>(format.plane_height(plane));
    const auto row_bytes = static_cast<std::uint64_t>(format.plane_width(plane) * format.bytes_per_sample());
    return rows == 0 || row_bytes == 0 ? 0 : stride_bytes * (rows - 1) + row_bytes;
}

ImportedPicture::ImportedPicture(const Device &device, const Frame &frame, int plane_count) {
    const VideoFormat &format = frame.format();
    for (int p = 0; p < plane_count; p++) {
        const auto i = static_cast<std::size_t>(p);
        const std::uint64_t bytes = plane_bytes(format, p, static_cast<std::uint64_t>(frame.stride_bytes(p)));
        if (bytes == 0)
            continue;
        planes_[i] = value_of(device.import_buffer(frame.address(p), bytes));
        picture_[i] = {planes_[i].at(0), format.plane_width(p), format.plane_height(p),
                       static_cast<int>(frame.stride_bytes(p))};
    }
}

void record_copy(Recorder &recorder, const VideoFormat &format, int plane_count, const GpuPicture &from,
                 const GpuPicture &to) {
    for (int p = 0; p < plane_count; p++) {
        const GpuPlane &source = from[static_cast<std::size_t>(p)], &target = to[static_cast<std::size_t>(p)];
        const auto source_stride = static_cast<std::uint64_t>(source.stride_bytes),
                   target_stride = static_cast<std::uint64_t>(target.stride_bytes);
        const auto row_bytes = static_cast<std::uint64_t>(target.width * format.bytes_per_sample());
        if (row_bytes == 0 || target.height == 0)
            continue;
        if (source_stride == target_stride) // one copy, padding included: Vulkan is slow at many rows
            recorder.copy(source.samples, target.samples, plane_bytes(format, p, source_stride));
        else
            recorder.copy({source.samples, target.samples, source_stride, target_stride, row_bytes,
                           static_cast<std::uint64_t>(target.height)});
    }
}

PictureLayout::PictureLayout(const VideoFormat &format, int plane_count) : format_(format), plane_count_(plane_count) {
    for (int p = 0; p < plane_count; p++) {
        const auto i = static_cast<std::size_t>(p);
        const auto row_bytes = static_cast<std::uint64_t>(format.plane_width(p) * format.bytes_per_sample());
        stride_bytes_[i] = align_up(row_bytes, row_alignment);
        offset_[i] = align_up<std::uint64_t>(bytes_, ISOVMAF_RANGE_ALIGNMENT);
        bytes_ = offset_[i] + stride_bytes_[i] * static_cast<std::uint64_t>(format.plane_height(p));
    }
}

GpuPicture PictureLayout::at(isovmaf_range memory) const {
    GpuPicture picture;
    for (int p = 0; p < plane_count_; p++) {
        const auto i = static_cast<std::size_t>(p);
        picture[i] = {{memory.buffer, memory.offset + offset_[i]},
                      format_.plane_width(p),
                      format_.plane_height(p),
                      static_cast<int>(stride_bytes_[i])};
    }
    return picture;
}

void PictureLayout::stage(const Plane &from, int plane, std::byte *memory) const {
    const auto i = static_cast<std::size_t>(plane);
    const auto row_bytes = static_cast<std::size_t>(from.width * format_.bytes_per_sample());
    for (int y = 0; y < from.height; y++)
        std::memcpy(memory + offset_[i] + static_cast<std::uint64_t>(y) * stride_bytes_[i], from.row<std::byte>(y),
                    row_bytes);
}

} // namespace isovmaf

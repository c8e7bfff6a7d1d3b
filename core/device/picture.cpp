// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/picture.hpp"

#include <algorithm>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/align.hpp"
#include "base/try.hpp"
#include "device/sample_range_params.h"
#include "device/unpack_params.h"
#include "frame/frame_pool.hpp"

namespace isovmaf {

namespace {

static_assert(device_plane_alignment == ISOVMAF_RANGE_ALIGNMENT);

void record_plane_copy(Recorder &recorder, const VideoFormat &format, int plane, const GpuPlane &from,
                       const GpuPlane &to) {
    const auto from_stride = static_cast<std::uint64_t>(from.stride_bytes),
               to_stride = static_cast<std::uint64_t>(to.stride_bytes);
    if (from_stride == to_stride) // one copy, padding included: Vulkan is slow at many rows
        recorder.copy(from.samples, to.samples, plane_bytes(format, plane, from_stride));
    else
        recorder.copy({from.samples, to.samples, from_stride, to_stride, row_bytes(format, plane),
                       static_cast<std::uint64_t>(to.height)});
}

void record_unpack(Recorder &recorder, const VideoFormat &format, isovmaf_range packed, int packed_stride_bytes,
                   const SampleLayout &samples, const GpuPlane &to) {
    const UnpackParams params{to.width, packed_stride_bytes, to.stride_bytes, samples.step, samples.shift};
    const auto groups = static_cast<std::uint32_t>((to.width + UNPACK_THREADS - 1) / UNPACK_THREADS);
    recorder.dispatch(format.bytes_per_sample() == 1 ? "unpack_8" : "unpack_16",
                      {groups, static_cast<std::uint32_t>(to.height), 1}, {UNPACK_THREADS, 1, 1}, {packed, to.samples},
                      params);
}

#ifdef __SSE2__

/// Copies a row past the caches: the device reads it next, not this processor, and memory that is about to be
/// overwritten need not be read first. `to` is a multiple of device_row_alignment. Others see what is written after
/// end_rows.
void copy_row(const std::byte *from, std::byte *to, std::size_t bytes) {
    constexpr std::size_t vector_bytes = sizeof(__m128i);
    std::size_t done = 0;
    for (; done + vector_bytes <= bytes; done += vector_bytes)
        _mm_stream_si128(reinterpret_cast<__m128i *>(to + done),
                         _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + done)));
    std::memcpy(to + done, from + done, bytes - done);
}

void end_rows() { _mm_sfence(); }

#else

void copy_row(const std::byte *from, std::byte *to, std::size_t bytes) { std::memcpy(to, from, bytes); }

void end_rows() {}

#endif

} // namespace

std::uint64_t row_bytes(const VideoFormat &format, int plane, int step) {
    const int width = format.plane_width(plane);
    return width == 0 ? 0 : static_cast<std::uint64_t>(((width - 1) * step + 1) * format.bytes_per_sample());
}

std::uint64_t plane_bytes(const VideoFormat &format, int plane, std::uint64_t stride_bytes, int step) {
    const auto rows = static_cast<std::uint64_t>(format.plane_height(plane));
    const std::uint64_t row = row_bytes(format, plane, step);
    return rows == 0 || row == 0 ? 0 : stride_bytes * (rows - 1) + row;
}

std::uint64_t SourcePicture::packed_bytes(const VideoFormat &format, int plane_count) const {
    std::uint64_t most = 0;
    for (int p = 0; p < plane_count; p++)
        if (const auto i = static_cast<std::size_t>(p); !samples[i].is_plain())
            most = std::max(
                most, plane_bytes(format, p, static_cast<std::uint64_t>(planes[i].stride_bytes), samples[i].step));
    return most;
}

Result<ImportedPicture> ImportedPicture::create(const Device &device, const Frame &frame, int plane_count) {
    ImportedPicture imported;
    const VideoFormat &format = frame.format();
    for (int p = 0; p < plane_count; p++) {
        const auto i = static_cast<std::size_t>(p);
        imported.picture_.samples[i] = frame.samples(p);
        const std::uint64_t bytes =
            plane_bytes(format, p, static_cast<std::uint64_t>(frame.stride_bytes(p)), frame.samples(p).step);
        if (bytes == 0)
            continue;
        Buffer &plane = imported.planes_[i] = TRY(device.import_buffer(frame.address(p), bytes));
        imported.picture_.planes[i] = {plane.at(0), format.plane_width(p), format.plane_height(p),
                                       static_cast<int>(frame.stride_bytes(p))};
    }
    return imported;
}

void record_copy(Recorder &recorder, const VideoFormat &format, int plane_count, const SourcePicture &from,
                 const GpuPicture &to, isovmaf_range packed) {
    for (int p = 0; p < plane_count; p++) {
        const auto i = static_cast<std::size_t>(p);
        const GpuPlane &source = from.planes[i];
        if (to[i].width == 0 || to[i].height == 0)
            continue;
        if (from.samples[i].is_plain()) {
            record_plane_copy(recorder, format, p, source, to[i]);
            continue;
        }
        recorder.copy(source.samples, packed,
                      plane_bytes(format, p, static_cast<std::uint64_t>(source.stride_bytes), from.samples[i].step));
        record_unpack(recorder, format, packed, source.stride_bytes, from.samples[i], to[i]);
    }
}

void record_sample_check(Recorder &recorder, const VideoFormat &format, int plane_count, const GpuPicture &picture,
                         isovmaf_range counts, int count) {
    constexpr int block_samples = SAMPLE_RANGE_THREADS * SAMPLE_RANGE_SAMPLES;
    for (int p = 0; p < plane_count; p++) {
        const GpuPlane &plane = picture[static_cast<std::size_t>(p)];
        if (plane.width == 0 || plane.height == 0)
            continue;
        const SampleRangeParams params{plane.width, plane.stride_bytes, format.bit_depth, count};
        const auto groups = static_cast<std::uint32_t>((plane.width + block_samples - 1) / block_samples);
        recorder.dispatch("sample_range", {groups, static_cast<std::uint32_t>(plane.height), 1},
                          {SAMPLE_RANGE_THREADS, 1, 1}, {plane.samples, counts}, params);
    }
}

PictureLayout::PictureLayout(const VideoFormat &format, int plane_count, ChromaEdge edge)
    : format_(format), plane_count_(plane_count), edge_(edge) {
    const bool whole = edge == ChromaEdge::present;
    for (int p = 0; p < plane_count; p++) {
        const auto i = static_cast<std::size_t>(p);
        const int width = whole ? stored_width(format, p) : format.plane_width(p);
        const int height = whole ? stored_height(format, p) : format.plane_height(p);
        stride_bytes_[i] = align_up<std::uint64_t>(static_cast<std::uint64_t>(width * format.bytes_per_sample()),
                                                   device_row_alignment);
        offset_[i] = align_up<std::uint64_t>(bytes_, ISOVMAF_RANGE_ALIGNMENT);
        bytes_ = offset_[i] + stride_bytes_[i] * static_cast<std::uint64_t>(height);
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
        copy_row(from.row<std::byte>(y), memory + offset_[i] + static_cast<std::uint64_t>(y) * stride_bytes_[i],
                 row_bytes);
    end_rows();
}

} // namespace isovmaf

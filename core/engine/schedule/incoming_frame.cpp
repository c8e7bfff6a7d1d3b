// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/incoming_frame.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/try.hpp"
#include "device/picture.hpp"
#include "frame/sample_range.hpp"
#include "frame/validate.hpp"

namespace isovmaf {

namespace {

/// Rows farther apart are no picture's.
constexpr std::ptrdiff_t most_stride_bytes = std::numeric_limits<int>::max();

Result<void> check_format(const VideoFormat &session, const Frame &frame) {
    if (frame.format() == session)
        return {};
    return fail(ErrorCode::mismatch, fmt::format("a frame is {}, but the session scores {}",
                                                 frame ? format_text(frame.format()) : "empty", format_text(session)));
}

/// Fails for a frame without samples that extractors read.
Result<void> check_chroma_edge(const Frame &frame, ChromaEdge needed) {
    if (needed == ChromaEdge::absent || frame.chroma_edge() == ChromaEdge::present)
        return {};
    return fail(ErrorCode::mismatch,
                fmt::format("a frame of {} {} without the last column or row of its chroma, which some feature reads: "
                            "{}",
                            format_text(frame.format()), frame.device() ? "lies in memory of a device" : "came",
                            frame.device() ? "decode on the CPU (--hwaccel none)"
                                           : "make it with ChromaEdge::present, or plan with ChromaEdge::absent"));
}

/// Chroma of a video that is one sample wide or high.
bool is_empty(const VideoFormat &format, int plane) {
    return format.plane_width(plane) == 0 || format.plane_height(plane) == 0;
}

Result<void> check_layout(const Frame &frame) {
    const int depth = frame.format().bit_depth, most_shift = depth == 8 ? 0 : 16 - depth;
    for (int p = 0; p < frame.format().plane_count(); p++) {
        const auto [step, shift] = frame.samples(p);
        if (step < 1 || step > 4 || shift < 0 || shift > most_shift)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("plane {} has samples {} apart and shifted by {}: give a {}-bit frame a step of 1 "
                                    "to 4 and a shift of 0 to {}",
                                    p, step, shift, depth, most_shift));
    }
    return {};
}

Result<void> check_host_frame(const Frame &frame) {
    const VideoFormat &format = frame.format();
    const auto sample = static_cast<std::size_t>(format.bytes_per_sample());
    for (int p = 0; p < format.plane_count(); p++) {
        if (is_empty(format, p))
            continue;
        if (frame.address(p) == 0)
            return fail(ErrorCode::invalid_argument, fmt::format("frame without a pointer to plane {}", p));
        if (frame.address(p) % sample != 0 || frame.stride_bytes(p) % static_cast<std::ptrdiff_t>(sample) != 0)
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("plane {} of a {}-bit frame is not aligned to {} bytes", p, format.bit_depth, sample));
    }
    return {};
}

std::string device_text(const Device &device) { return fmt::format("{} ({})", label_of(device), device.info().name); }

std::string device_text(const std::vector<DeviceHandle> &devices) {
    std::vector<std::string> texts;
    for (const DeviceHandle &device : devices)
        texts.push_back(device_text(*device));
    return fmt::format("{}", fmt::join(texts, ", "));
}

/// Addresses of one device say nothing on another.
Result<void> check_device(const std::vector<DeviceHandle> &session, const Device &frame) {
    if (session.empty())
        return fail(ErrorCode::unsupported,
                    fmt::format("a session on the CPU cannot read frames in memory of {}: give it a backend with that "
                                "device",
                                device_text(frame)));
    if (std::ranges::any_of(session, [&](const DeviceHandle &device) { return is_same_device(*device, frame); }))
        return {};
    return fail(ErrorCode::mismatch, fmt::format("a frame lies in memory of {}, but the session computes on {}",
                                                 device_text(frame), device_text(session)));
}

/// Checks addresses and distances between rows, as far as numbers show.
Result<void> check_device_frame(const Frame &frame) {
    const VideoFormat &format = frame.format();
    if (!frame.owner())
        return fail(ErrorCode::invalid_argument, "a frame in device memory needs an owner, which says when the memory "
                                                 "is free again");
    const auto sample = static_cast<std::uint64_t>(format.bytes_per_sample());
    for (int p = 0; p < format.plane_count(); p++) {
        if (is_empty(format, p))
            continue;
        const std::uint64_t row = row_bytes(format, p, frame.samples(p).step);
        const std::ptrdiff_t stride = frame.stride_bytes(p);
        if (frame.address(p) == 0 || frame.address(p) % sample != 0 || stride < 0 || stride > most_stride_bytes ||
            static_cast<std::uint64_t>(stride) % sample != 0 || static_cast<std::uint64_t>(stride) < row)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("plane {} on the device has address {:#x} and rows {} bytes apart: rows take "
                                    "{} bytes in multiples of {}",
                                    p, frame.address(p), stride, row, sample));
    }
    return {};
}

} // namespace

Result<Frame> enter_frame(const Frame &frame, const FrameEntrance &entrance, FramePool &pool, const FrameName &name) {
    if (frame.device())
        TRY(check_device(entrance.devices, *frame.device()));
    TRY(check_format(entrance.format, frame));
    TRY(check_chroma_edge(frame, entrance.chroma_edge));
    TRY(check_layout(frame));
    if (frame.device()) {
        TRY(check_device_frame(frame));
        return frame;
    }
    TRY(check_host_frame(frame));
    if (!frame.owner() || !frame.is_plain())
        return pool.copy_checked(frame, name.video, name.index, entrance.planes_checked, entrance.planes_kept);
    TRY(check_samples(frame, name.video, name.index, entrance.planes_checked));
    return frame;
}

Result<void> check_places(const Frame &reference, std::span<const Frame> distorted) {
    const Frame *placed = &reference;
    for (const Frame &frame : distorted) {
        if (frame.device() && placed->device() && !is_same_device(*frame.device(), *placed->device()))
            return fail(ErrorCode::mismatch,
                        fmt::format("the pictures of a pair lie in memory of {} and of {}: give both in memory of one "
                                    "device, or in host memory",
                                    device_text(*placed->device()), device_text(*frame.device())));
        if (frame.device())
            placed = &frame;
    }
    return {};
}

Result<ImportedMemory> import_memory(DeviceHandle device, const ExternalMemory &external) {
    const isovmaf_external_memory described{static_cast<std::uint32_t>(external.kind), external.fd, external.bytes,
                                            external.memory_type, external.dedicated ? 1u : 0u};
    auto held = std::make_shared<HeldMemory>(HeldMemory{std::move(device)});
    Buffer buffer = TRY(held->device->import_memory(described));
    held->buffer = std::move(buffer);
    return ImportedMemory{held->buffer.address(), external.bytes, std::move(held)};
}

} // namespace isovmaf

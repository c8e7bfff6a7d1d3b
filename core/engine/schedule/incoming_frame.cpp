// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/incoming_frame.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"

namespace isovmaf {

namespace {

/// Memory of a device, which is not closed before it.
struct HeldMemory {
    explicit HeldMemory(std::shared_ptr<const Device> on) : device(std::move(on)) {}

    std::shared_ptr<const Device> device;
    Buffer buffer;
};

Result<void> check_view(const VideoFormat &format, const FrameView &view) {
    const auto sample = static_cast<std::size_t>(format.bytes_per_sample());
    for (std::size_t p = 0; p < static_cast<std::size_t>(format.plane_count()); p++) {
        if (!view.data[p])
            return fail(ErrorCode::invalid_argument, fmt::format("frame without a pointer to plane {}", p));
        if (reinterpret_cast<std::uintptr_t>(view.data[p]) % sample != 0 ||
            view.stride_bytes[p] % static_cast<std::ptrdiff_t>(sample) != 0)
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("plane {} of a {}-bit frame is not aligned to {} bytes", p, format.bit_depth, sample));
    }
    return {};
}

} // namespace

Result<Frame> copy_frame(const VideoFormat &format, const FrameView &view, FramePool &pool) {
    TRY(check_view(format, view));
    const WritableFrame writable = pool.take();
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const auto row_bytes =
            static_cast<std::size_t>(format.plane_width(p)) * static_cast<std::size_t>(format.bytes_per_sample());
        for (int y = 0; y < format.plane_height(p); y++)
            std::memcpy(writable.data[i] + y * writable.stride_bytes[i],
                        static_cast<const std::byte *>(view.data[i]) + y * view.stride_bytes[i], row_bytes);
    }
    return writable.frame;
}

Result<Frame> adopt_frame(const VideoFormat &format, const SharedFrame &shared) {
    TRY(check_view(format, shared.view));
    if (!shared.owner)
        return fail(ErrorCode::invalid_argument, "shared frame without an owner");
    std::array<const std::byte *, 3> data{};
    std::ranges::transform(shared.view.data, data.begin(),
                           [](const void *plane) { return static_cast<const std::byte *>(plane); });
    return Frame(format, shared.owner, data, shared.view.stride_bytes);
}

Result<void> check_device_frame(const VideoFormat &format, const DeviceFrame &frame) {
    const auto sample = static_cast<std::uint64_t>(format.bytes_per_sample());
    for (std::size_t p = 0; p < static_cast<std::size_t>(format.plane_count()); p++) {
        const std::uint64_t row = static_cast<std::uint64_t>(format.plane_width(static_cast<int>(p))) * sample;
        if (frame.address[p] == 0 || frame.address[p] % sample != 0 || frame.stride_bytes[p] % sample != 0 ||
            frame.stride_bytes[p] < row)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("plane {} on the device has address {:#x} and rows {} bytes apart: rows take "
                                    "{} bytes in multiples of {}",
                                    p, frame.address[p], frame.stride_bytes[p], row, sample));
    }
    return {};
}

Result<ImportedMemory> import_memory(std::shared_ptr<const Device> device, const ExternalMemory &external) {
    const isovmaf_external_memory described{static_cast<std::uint32_t>(external.kind), external.fd, external.bytes,
                                            external.memory_type, external.dedicated ? 1u : 0u};
    auto held = std::make_shared<HeldMemory>(std::move(device));
    Buffer buffer = TRY(held->device->import_memory(described));
    held->buffer = std::move(buffer);
    return ImportedMemory{held->buffer.address(), external.bytes, std::move(held)};
}

} // namespace isovmaf

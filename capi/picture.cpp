// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/picture.hpp"

#include <cstring>
#include <mutex>

#include <fmt/format.h>

#include "base/align.hpp"
#include "base/try.hpp"
#include "capi/status.hpp"

namespace isovmaf::capi {

namespace {

class HostMemory final : public PictureMemory {
  public:
    std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
        AlignedBytes memory = allocate_aligned(bytes);
        std::byte *const begin = memory.get();
        return {std::shared_ptr<std::byte[]>(std::move(memory)), begin};
    }
};

constexpr std::size_t stride_samples = 32; ///< rows are apart by a multiple of this, as libvmaf's are

constexpr std::array chroma_of = {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444, Chroma::k400};

/// Checks what a shape and a picture have in common. A side may be 0.
Result<VideoFormat> make_format(VmafPixelFormat format, unsigned bpc, unsigned w, unsigned h) {
    const auto number = static_cast<unsigned>(format);
    if (number < VMAF_PIX_FMT_YUV420P || number > VMAF_PIX_FMT_YUV400P)
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("a picture has the pixel format {}, but there are only 1 (4:2:0) to 4 (4:0:0)", number));
    if (bpc < 8 || bpc > 16)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("a picture has {} bits per sample, but only 8 to 16 are possible", bpc));
    if (w > max_frame_side || h > max_frame_side)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("a picture has {}x{} samples, but at most {}x{} are possible", w, h, max_frame_side,
                                max_frame_side));
    return VideoFormat{static_cast<int>(w), static_cast<int>(h), chroma_of[number], static_cast<int>(bpc)};
}

/// Fails unless a plane of the struct has the size that its format gives it, and rows that can be read.
Result<void> check_plane(const VmafPicture &picture, const VideoFormat &format, int plane) {
    const auto i = static_cast<std::size_t>(plane);
    const auto width = static_cast<unsigned>(format.plane_width(plane));
    const auto height = static_cast<unsigned>(format.plane_height(plane));
    if (picture.w[i] != width || picture.h[i] != height)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("plane {} of a picture has {}x{} samples, but its format makes it {}x{}",
                                plane_name(plane), picture.w[i], picture.h[i], width, height));
    const std::ptrdiff_t sample = format.bytes_per_sample();
    const std::ptrdiff_t stride = picture.stride[i];
    const auto address = reinterpret_cast<std::uintptr_t>(picture.data[i]);
    if (address == 0 || address % static_cast<std::uintptr_t>(sample) != 0 || stride % sample != 0 ||
        (stride < 0 ? -stride : stride) < static_cast<std::ptrdiff_t>(width) * sample)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("plane {} of a picture cannot be read: it begins at {} and its rows are {} bytes apart",
                                plane_name(plane), fmt::ptr(picture.data[i]), stride));
    return {};
}

VmafPicture allocate_picture(const PictureShape &shape, PictureMemory &source) {
    std::shared_ptr<std::byte> memory = source.allocate(shape.bytes());
    std::memset(memory.get(), 0, shape.bytes());
    return shape.place(std::move(memory));
}

} // namespace

PictureMemory &host_memory() {
    static HostMemory memory;
    return memory;
}

Result<PictureShape> PictureShape::create(VmafPixelFormat pix_fmt, unsigned bpc, unsigned w, unsigned h) {
    const VideoFormat format = TRY(make_format(pix_fmt, bpc, w, h));
    PictureShape shape;
    shape.empty_.pix_fmt = pix_fmt;
    shape.empty_.bpc = bpc;
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const auto width = static_cast<std::size_t>(format.plane_width(p));
        const auto height = static_cast<std::size_t>(format.plane_height(p));
        const std::size_t stride =
            align_up(width, stride_samples) * static_cast<std::size_t>(format.bytes_per_sample());
        shape.empty_.w[i] = static_cast<unsigned>(width);
        shape.empty_.h[i] = static_cast<unsigned>(height);
        shape.empty_.stride[i] = static_cast<std::ptrdiff_t>(stride);
        shape.offset_[i] = shape.bytes_;
        shape.bytes_ += stride * height;
    }
    shape.bytes_ = std::max<std::size_t>(shape.bytes_, 1);
    return shape;
}

VmafPicture PictureShape::place(std::shared_ptr<std::byte> memory) const {
    VmafPicture picture = empty_;
    for (std::size_t i = 0; i < 3; i++)
        if (i == 0 || picture.stride[i] != 0)
            picture.data[i] = memory.get() + offset_[i];
    picture.ref = new VmafRef{std::move(memory)};
    picture.priv = picture.ref;
    return picture;
}

Result<VideoFormat> format_of(const VmafPicture &picture) {
    const VideoFormat format = TRY(make_format(picture.pix_fmt, picture.bpc, picture.w[0], picture.h[0]));
    if (format.width == 0 || format.height == 0)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("a picture of {}x{} samples cannot be scored", format.width, format.height));
    for (int p = 0; p < format.plane_count(); p++)
        TRY(check_plane(picture, format, p));
    return format;
}

Frame share(const VmafPicture &picture, const VideoFormat &format) {
    return {format,
            picture.ref->memory,
            {picture.data[0], picture.data[1], picture.data[2]},
            {picture.stride[0], picture.stride[1], picture.stride[2]}};
}

void release(VmafPicture &picture) noexcept {
    delete picture.ref;
    picture = {};
}

namespace {

class ProcessMemory final : public PictureMemory {
  public:
    std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
        if (const std::shared_ptr<PinnedMemory> memory = pinned())
            if (Result<std::shared_ptr<std::byte>> block = memory->allocate(bytes))
                return *std::move(block);
        return host_memory().allocate(bytes);
    }

    bool is_best(const std::byte *block, std::size_t bytes) const override {
        const std::shared_ptr<PinnedMemory> memory = pinned();
        return !memory || memory->find(block, bytes);
    }

    void use(const std::shared_ptr<PinnedMemory> &memory) {
        const std::scoped_lock lock(mutex_);
        pinned_ = memory;
    }

  private:
    [[nodiscard]] std::shared_ptr<PinnedMemory> pinned() const {
        const std::scoped_lock lock(mutex_);
        return pinned_.lock();
    }

    mutable std::mutex mutex_;
    std::weak_ptr<PinnedMemory> pinned_;
};

ProcessMemory &memory_of_process() {
    static ProcessMemory memory;
    return memory;
}

} // namespace

PictureMemory &process_memory() { return memory_of_process(); }

void use_pinned_memory(const std::shared_ptr<PinnedMemory> &memory) { memory_of_process().use(memory); }

} // namespace isovmaf::capi

using namespace isovmaf;
using namespace isovmaf::capi;

int vmaf_picture_alloc(VmafPicture *pic, VmafPixelFormat pix_fmt, unsigned bpc, unsigned w, unsigned h) {
    return guarded([&]() -> Result<void> {
        TRY(require_arguments("vmaf_picture_alloc", pic));
        const PictureShape shape = TRY(PictureShape::create(pix_fmt, bpc, w, h));
        *pic = shape.empty(); // what remains when memory is out
        *pic = allocate_picture(shape, process_memory());
        return {};
    });
}

int vmaf_picture_unref(VmafPicture *pic) {
    return guarded([&]() -> Result<void> {
        TRY(require_arguments("vmaf_picture_unref", pic));
        if (!is_allocated(*pic))
            return fail(ErrorCode::invalid_argument, "vmaf_picture_unref: the picture owns no memory");
        release(*pic);
        return {};
    });
}

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/frame.hpp"

#include <mutex>
#include <new>

extern "C" {
#include <libavutil/buffer.h>
}

#include "base/align.hpp"

namespace isovmaf {

namespace {

constexpr std::size_t row_alignment = 64;

struct PoolFree {
    void operator()(AVBufferPool *pool) const { av_buffer_pool_uninit(&pool); }
};

} // namespace

Frame::Frame(const VideoFormat &format, std::shared_ptr<const void> owner, const std::array<const std::byte *, 3> &data,
             const std::array<std::ptrdiff_t, 3> &stride_bytes)
    : format_(format), owner_(std::move(owner)) {
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        planes_[i] = {data[i], stride_bytes[i], format.plane_width(p), format.plane_height(p)};
    }
}

struct FramePool::Impl {
    VideoFormat format;
    std::array<std::size_t, 3> offset{};
    std::array<std::ptrdiff_t, 3> stride_bytes{};
    std::unique_ptr<AVBufferPool, PoolFree> pool; // frames out on loan keep it alive inside libavutil
    /// Held while memory is handed over. The pool is thread-safe by itself, but ThreadSanitizer does not see into it.
    std::shared_ptr<std::mutex> handover = std::make_shared<std::mutex>();
};

FramePool::FramePool(const VideoFormat &format) : impl_(std::make_unique<Impl>()) {
    impl_->format = format;
    std::size_t size = 0;
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const std::size_t row_bytes =
            static_cast<std::size_t>(format.plane_width(p)) * static_cast<std::size_t>(format.bytes_per_sample());
        impl_->offset[i] = size;
        impl_->stride_bytes[i] = static_cast<std::ptrdiff_t>(align_up(row_bytes, row_alignment));
        size += align_up(row_bytes, row_alignment) * static_cast<std::size_t>(format.plane_height(p));
    }
    impl_->pool.reset(av_buffer_pool_init(size + row_alignment, nullptr));
    if (!impl_->pool)
        throw std::bad_alloc();
}

FramePool::~FramePool() = default;
FramePool::FramePool(FramePool &&) noexcept = default;
FramePool &FramePool::operator=(FramePool &&) noexcept = default;

WritableFrame FramePool::take() {
    const std::scoped_lock lock(*impl_->handover);
    AVBufferRef *buffer = av_buffer_pool_get(impl_->pool.get());
    if (!buffer)
        throw std::bad_alloc();
    std::shared_ptr<const void> owner(buffer->data, [buffer, handover = impl_->handover](const void *) mutable {
        const std::scoped_lock returning(*handover);
        av_buffer_unref(&buffer);
    });

    WritableFrame writable;
    writable.stride_bytes = impl_->stride_bytes;
    const std::size_t misalignment = reinterpret_cast<std::uintptr_t>(buffer->data) % row_alignment;
    std::byte *base = reinterpret_cast<std::byte *>(buffer->data) + (misalignment ? row_alignment - misalignment : 0);
    std::array<const std::byte *, 3> data{};
    for (int p = 0; p < impl_->format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        writable.data[i] = base + impl_->offset[i];
        data[i] = writable.data[i];
    }
    writable.frame = Frame(impl_->format, std::move(owner), data, impl_->stride_bytes);
    return writable;
}

} // namespace isovmaf

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/layer/operation.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace isovmaf::hip {

using plugin::require;

namespace {

/// Bytes from the first of the first row to the last of the last.
std::uint64_t extent(std::uint64_t stride, std::uint64_t row_bytes, std::uint64_t rows) {
    std::uint64_t before_last = 0, all = 0;
    require(!__builtin_mul_overflow(stride, rows - 1, &before_last) &&
                !__builtin_add_overflow(before_last, row_bytes, &all),
            "a copy is larger than any memory");
    return all;
}

hipMemcpyKind kind_of(const isovmaf_copy &copy) {
    if (copy.from.buffer->on_device())
        return copy.to.buffer->on_device() ? hipMemcpyDeviceToDevice : hipMemcpyDeviceToHost;
    return hipMemcpyHostToDevice;
}

} // namespace

Fill::Fill(const isovmaf_device &device, const isovmaf_range &range, std::uint64_t bytes, std::uint32_t word)
    : to_(address_of(device, range, bytes, "a fill")), words_(bytes / sizeof(word)), word_(word) {
    require(bytes % sizeof(word) == 0 && range.offset % sizeof(word) == 0, "a fill covers whole 32-bit words");
    require(range.buffer->on_device(), "a fill writes to device memory");
}

/// Words where the runtime can, else bytes: a runtime of few functions has the latter.
void Fill::submit(const Api &api, hipStream_t stream) const {
    if (words_ == 0)
        return;
    const auto byte = static_cast<int>(word_ & 0xff);
    hipError_t error = hipSuccess;
    if (api.hipMemsetD32Async)
        error = api.hipMemsetD32Async(reinterpret_cast<hipDeviceptr_t>(to_), std::bit_cast<int>(word_), words_, stream);
    else if (api.hipMemsetAsync && word_ == 0x01010101u * (word_ & 0xff))
        error = api.hipMemsetAsync(to_, byte, words_ * sizeof(word_), stream);
    else
        throw Failure(ISOVMAF_UNSUPPORTED, fmt::format("{} cannot fill memory with {:#x}", api.library, word_));
    check(api, error, "filling device memory");
}

Copy::Copy(const isovmaf_device &device, const isovmaf_copy &copy)
    : from_stride_(copy.from_stride), to_stride_(copy.to_stride), row_bytes_(copy.row_bytes), rows_(copy.rows) {
    require(rows_ > 0 && row_bytes_ > 0, "a copy has at least one byte");
    const bool packed = rows_ == 1 || (from_stride_ == row_bytes_ && to_stride_ == row_bytes_);
    require(packed || (from_stride_ >= row_bytes_ && to_stride_ >= row_bytes_), "a copy's rows overlap");
    if (packed) {
        row_bytes_ = extent(row_bytes_, row_bytes_, rows_);
        rows_ = 1;
    }
    from_ = address_of(device, copy.from, extent(from_stride_, row_bytes_, rows_), "a copy's source");
    to_ = address_of(device, copy.to, extent(to_stride_, row_bytes_, rows_), "a copy's destination");
    require(copy.from.buffer->on_device() || copy.to.buffer->on_device(), "a copy has device memory on one side");
    kind_ = kind_of(copy);
}

void Copy::submit(const Api &api, hipStream_t stream) const {
    if (rows_ == 1)
        check(api, api.hipMemcpyAsync(to_, from_, row_bytes_, kind_, stream), "copying");
    else
        check(api, api.hipMemcpy2DAsync(to_, to_stride_, from_, from_stride_, row_bytes_, rows_, kind_, stream),
              "copying rows");
}

Launch::Launch(const isovmaf_device &device, const isovmaf_dispatch &dispatch)
    : kernel_(dispatch.kernel), shape_(dispatch) {
    require(kernel_, "a dispatch names no kernel");
    require(dispatch.range_count <= ISOVMAF_MAX_RANGES, "a dispatch has too many ranges");
    require(dispatch.params_bytes <= ISOVMAF_MAX_PARAMS_BYTES && dispatch.params_bytes % 4 == 0,
            "a dispatch's parameters have the wrong size");
    require(std::ranges::all_of(dispatch.groups, std::identity{}) &&
                std::ranges::all_of(dispatch.group_size, std::identity{}),
            "a dispatch has no threads");
    shape_.ranges = nullptr;
    shape_.params = nullptr;
    for (std::uint32_t i = 0; i < dispatch.range_count; i++) {
        const isovmaf_range &range = dispatch.ranges[i];
        addresses_.push_back(address_of(device, range, 0, "a dispatch"));
        require(range.offset % ISOVMAF_RANGE_ALIGNMENT == 0, "a dispatch's range starts between multiples of 256");
        require(range.buffer->on_device(), "a dispatch's range lies in host memory");
    }
    const auto *const params = static_cast<const std::byte *>(dispatch.params);
    params_.assign(params, params + dispatch.params_bytes);
    for (std::byte *&address : addresses_)
        arguments_.push_back(&address);
    if (!params_.empty())
        arguments_.push_back(params_.data());
}

void Launch::submit(const Api &api, hipStream_t stream) const {
    const auto &groups = shape_.groups, &size = shape_.group_size;
    const hipError_t error = api.hipModuleLaunchKernel(kernel_->function, groups[0], groups[1], groups[2], size[0],
                                                       size[1], size[2], 0, stream, arguments_.data(), nullptr);
    if (error != hipSuccess)
        throw runtime_failure(api, error, fmt::format("launching the kernel {}", kernel_->name));
}

} // namespace isovmaf::hip

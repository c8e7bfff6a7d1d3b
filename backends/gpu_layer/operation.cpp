// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "gpu_layer/operation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "gpu_layer/copy_pair_params.h"

namespace isovmaf::gpu {

namespace {

std::byte *address_of(const isovmaf_range &range) { return range.buffer->at(range.offset); }

/// The runtime finds out from the addresses where shared memory lies.
hipMemcpyKind kind_of(const isovmaf_copy &copy) {
    if (copy.from.buffer->is_shared() || copy.to.buffer->is_shared())
        return hipMemcpyDefault;
    if (copy.from.buffer->on_device())
        return copy.to.buffer->on_device() ? hipMemcpyDeviceToDevice : hipMemcpyDeviceToHost;
    return hipMemcpyHostToDevice;
}

/// A kernel takes units from other kernels, and copies no faster than the runtime.
constexpr std::uint64_t most_by_kernel = std::uint64_t{4} << 20;

bool is_aligned(const std::byte *place) { return reinterpret_cast<std::uintptr_t>(place) % COPY_PAIR_BYTES == 0; }

} // namespace

Fill::Fill(const isovmaf_device &device, const isovmaf_range &range, std::uint64_t bytes, std::uint32_t word)
    : words_(bytes / sizeof(word)), word_(word) {
    plugin::require_fill(device, range, bytes);
    to_ = address_of(range);
}

/// Fills by words where the runtime has such a function. Filling by bytes is enough for a word of four equal bytes.
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
        throw FailedOutcome(ISOVMAF_UNSUPPORTED, fmt::format("{} cannot fill memory with {:#x}", api.library, word_));
    check(api, error, "filling device memory");
}

Copy::Copy(isovmaf_device &device, const isovmaf_copy &copy)
    : rows_(plugin::require_copy(device, copy, plugin::Buffers::and_uploads)), first_{address_of(copy.from),
                                                                                      address_of(copy.to)},
      kind_(kind_of(copy)) {
    const bool by_kernel = kind_ == hipMemcpyDeviceToDevice && rows_.rows == 1 && rows_.row_bytes <= most_by_kernel &&
                           is_aligned(first_.from) && is_aligned(first_.to);
    if (by_kernel)
        kernel_ = device.find_kernel("copy_pair");
}

bool Copy::take(const Copy &next) {
    const auto overlap = [&](const std::byte *one, const std::byte *other) {
        return one < other + rows_.row_bytes && other < one + rows_.row_bytes;
    };
    if (!kernel_ || second_ || !next.kernel_ || next.second_ || next.rows_.row_bytes != rows_.row_bytes ||
        overlap(next.first_.from, first_.to) || overlap(next.first_.to, first_.to) ||
        overlap(next.first_.to, first_.from))
        return false;
    second_ = next.first_;
    return true;
}

void Copy::launch(const Api &api, hipStream_t stream) const {
    Place first = first_, second = second_.value_or(first_);
    CopyPairParams params{static_cast<int>(rows_.row_bytes)};
    constexpr std::uint64_t block_bytes = std::uint64_t{COPY_PAIR_THREADS} * COPY_PAIR_BYTES;
    const auto blocks = static_cast<unsigned int>((rows_.row_bytes + block_bytes - 1) / block_bytes);
    std::array<void *, 5> arguments{&first.from, &first.to, &second.from, &second.to, &params};
    check(api,
          api.hipModuleLaunchKernel(kernel_->function, blocks, second_ ? 2 : 1, 1, COPY_PAIR_THREADS, 1, 1, 0, stream,
                                    arguments.data(), nullptr),
          "copying");
}

void Copy::submit(const Api &api, hipStream_t stream) const {
    if (kernel_)
        launch(api, stream);
    else if (rows_.rows == 1)
        check(api, api.hipMemcpyAsync(first_.to, first_.from, rows_.row_bytes, kind_, stream), "copying");
    else
        check(api,
              api.hipMemcpy2DAsync(first_.to, rows_.to_stride, first_.from, rows_.from_stride, rows_.row_bytes,
                                   rows_.rows, kind_, stream),
              "copying rows");
}

Launch::Launch(const isovmaf_device &device, const isovmaf_dispatch &dispatch)
    : kernel_(dispatch.kernel), shape_(dispatch) {
    plugin::require_arguments(device, dispatch);
    plugin::require(std::ranges::all_of(dispatch.groups, std::identity{}) &&
                        std::ranges::all_of(dispatch.group_size, std::identity{}),
                    "a dispatch has no threads");
    shape_.ranges = nullptr;
    shape_.params = nullptr;
    for (std::uint32_t i = 0; i < dispatch.range_count; i++)
        addresses_.push_back(address_of(dispatch.ranges[i]));
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

} // namespace isovmaf::gpu

using namespace isovmaf::gpu;

namespace {

/// A graph of a single operation is no faster than the operation.
constexpr std::size_t fewest_in_a_graph = 2;

} // namespace

void isovmaf_commands::require_recording() const {
    if (finished_)
        throw FailedOutcome(ISOVMAF_INVALID, "the recording has ended");
}

void isovmaf_commands::add(Operation operation) {
    require_recording();
    std::vector<Operation> &operations = segments_.back().operations;
    const auto *const copy = std::get_if<Copy>(&operation);
    auto *const before = copy && !operations.empty() ? std::get_if<Copy>(&operations.back()) : nullptr;
    if (!before || !before->take(*copy))
        operations.push_back(std::move(operation));
}

void isovmaf_commands::mark() {
    require_recording();
    if (!timed_)
        throw FailedOutcome(ISOVMAF_INVALID, "a mark in a sequence that is not timed");
    marks_.emplace_back(device_.api(), Event::Timing::on);
    segments_.emplace_back();
}

void isovmaf_commands::finish() {
    require_recording();
    finished_ = true;
}

void isovmaf_commands::make_graphs() {
    has_graphs_ = true;
    if (device_.uses_graphs())
        for (Segment &segment : segments_)
            if (segment.operations.size() >= fewest_in_a_graph)
                segment.graph = device_.capture([&](hipStream_t stream) { submit(segment, stream); });
}

void isovmaf_commands::submit(const Segment &segment, hipStream_t stream) const {
    const Api &api = device_.api();
    if (segment.graph) {
        check(api, api.hipGraphLaunch(segment.graph.get(), stream), "submitting recorded commands");
        return;
    }
    for (const Operation &operation : segment.operations)
        std::visit([&](const auto &call) { call.submit(api, stream); }, operation);
}

void isovmaf_commands::submit(hipStream_t stream) {
    if (!finished_)
        throw FailedOutcome(ISOVMAF_INVALID, "commands are submitted before their recording has ended");
    if (submitted_ && !has_graphs_)
        make_graphs();
    for (std::size_t i = 0; i < segments_.size(); i++) {
        submit(segments_[i], stream);
        if (i < marks_.size())
            marks_[i].record(stream);
    }
    submitted_ = true;
}

void isovmaf_commands::times(double *milliseconds, std::uint32_t count) const {
    if (!submitted_ || std::size_t{count} + 1 != marks_.size())
        throw FailedOutcome(ISOVMAF_INVALID, "there are no such times: they were not measured");
    for (std::size_t i = 0; i < count; i++)
        milliseconds[i] = marks_[i + 1].milliseconds_since(marks_[i]);
}

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/recorder.hpp"

#include <algorithm>
#include <vector>

#include "base/try.hpp"

namespace isovmaf {

Recorder::Recorder(const Device &device, bool timed) : Recorder(device, timed ? Mode::record_timed : Mode::record) {
    isovmaf_message message{};
    isovmaf_commands *handle = nullptr;
    const isovmaf_status status =
        device.backend().commands_create(device.handle_.get(), timed ? 1 : 0, &handle, &message);
    if (status == ISOVMAF_OK)
        commands_.handle_ = {handle, {&device.backend()}};
    else
        failure_ = device_error(status, message);
}

Recorder::Recorder(const Device &device, Mode mode) : device_(device), mode_(mode) {}

Recorder Recorder::kernel_lookup(const Device &device) { return {device, Mode::lookup}; }

template <class Call>
void Recorder::record(const Call &call) {
    if (failure_ || mode_ == Mode::lookup)
        return;
    isovmaf_message message{};
    const isovmaf_status status = call(device_.backend(), commands_.handle_.get(), message);
    if (status != ISOVMAF_OK)
        failure_ = device_error(status, message);
}

void Recorder::fill(isovmaf_range range, std::uint64_t bytes, std::uint32_t word) {
    record([&](const isovmaf_backend &backend, isovmaf_commands *commands, isovmaf_message &message) {
        return backend.command_fill(commands, range, bytes, word, &message);
    });
}

void Recorder::copy(const isovmaf_copy &copy) {
    record([&](const isovmaf_backend &backend, isovmaf_commands *commands, isovmaf_message &message) {
        return backend.command_copy(commands, &copy, &message);
    });
}

void Recorder::mark() {
    if (mode_ != Mode::record_timed)
        return;
    record([&](const isovmaf_backend &backend, isovmaf_commands *commands, isovmaf_message &message) {
        return backend.command_mark(commands, &message);
    });
    commands_.marks_++;
}

void Recorder::dispatch(const std::string &name, Extent3 groups, Extent3 group_size,
                        std::initializer_list<isovmaf_range> ranges, const void *params, std::uint32_t params_bytes) {
    if (failure_)
        return;
    const Result<isovmaf_kernel *> kernel = device_.find_kernel(taps_ ? name + ISOVMAF_TAPS_SUFFIX : name);
    if (!kernel) {
        failure_ = kernel.error();
        return;
    }
    std::vector<isovmaf_range> all(ranges);
    if (taps_)
        all.push_back(*taps_);
    isovmaf_dispatch dispatch{};
    dispatch.kernel = *kernel;
    std::ranges::copy(groups, dispatch.groups);
    std::ranges::copy(group_size, dispatch.group_size);
    dispatch.ranges = all.data();
    dispatch.range_count = static_cast<std::uint32_t>(all.size());
    dispatch.params = params;
    dispatch.params_bytes = params_bytes;
    record([&](const isovmaf_backend &backend, isovmaf_commands *commands, isovmaf_message &message) {
        return backend.command_dispatch(commands, &dispatch, &message);
    });
    commands_.launches_++;
}

Result<Commands> Recorder::finish() {
    record([&](const isovmaf_backend &backend, isovmaf_commands *commands, isovmaf_message &message) {
        return backend.commands_finish(commands, &message);
    });
    if (failure_)
        return tl::unexpected(*failure_);
    return std::move(commands_);
}

Result<Buffer> upload_bytes(const Device &device, Queue &queue, std::span<const std::byte> bytes) {
    Buffer memory = TRY(device.create_buffer(ISOVMAF_MEMORY_DEVICE, bytes.size()));
    const Buffer staging = TRY(device.create_buffer(ISOVMAF_MEMORY_UPLOAD, bytes.size()));
    std::ranges::copy(bytes, staging.host());
    Recorder recorder(device);
    recorder.copy(staging.at(0), memory.at(0), bytes.size());
    TRY(queue.run(TRY(recorder.finish())));
    return memory;
}

} // namespace isovmaf

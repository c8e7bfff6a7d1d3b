// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/device.hpp"

#include <limits>

#include <fmt/format.h>

#include "base/try.hpp"

namespace isovmaf {

Error device_error(isovmaf_status status, const isovmaf_message &message) {
    const auto code = [&] {
        switch (status) {
        case ISOVMAF_UNSUPPORTED:
            return ErrorCode::unsupported;
        case ISOVMAF_UNAVAILABLE:
            return ErrorCode::unavailable;
        case ISOVMAF_OUT_OF_MEMORY:
            return ErrorCode::out_of_memory;
        case ISOVMAF_DEVICE_LOST:
            return ErrorCode::device_lost;
        case ISOVMAF_OK:
        case ISOVMAF_NOT_READY:
        case ISOVMAF_INVALID:
            return ErrorCode::internal;
        case ISOVMAF_FAILED:
            break;
        }
        return ErrorCode::device_failed;
    }();
    return {code, message.text};
}

namespace {

/// The imported memory is described by the caller: ISOVMAF_INVALID means that a description was wrong.
Error import_error(isovmaf_status status, const isovmaf_message &message) {
    Error error = device_error(status, message);
    if (status == ISOVMAF_INVALID)
        error.code = ErrorCode::invalid_argument;
    return error;
}

} // namespace

std::uint64_t Buffer::address() const {
    return handle_ ? handle_.get_deleter().backend->buffer_address(handle_.get()) : 0;
}

Result<std::vector<double>> Commands::times() const {
    isovmaf_message message{};
    std::vector<double> milliseconds(marks_ > 0 ? marks_ - 1 : 0);
    const isovmaf_status status = handle_.get_deleter().backend->commands_times(
        handle_.get(), milliseconds.data(), static_cast<std::uint32_t>(milliseconds.size()), &message);
    if (status != ISOVMAF_OK)
        return tl::unexpected(device_error(status, message));
    return milliseconds;
}

Result<void> Commands::move(std::span<const isovmaf_move> moves) {
    isovmaf_message message{};
    const isovmaf_status status = handle_.get_deleter().backend->commands_move(
        handle_.get(), moves.data(), static_cast<std::uint32_t>(moves.size()), &message);
    if (status != ISOVMAF_OK)
        return tl::unexpected(device_error(status, message));
    return {};
}

Queue::~Queue() {
    if (handle_ && submitted_)
        (void)wait(last_); // a failure was returned to the caller that waited for the ticket
}

Result<isovmaf_ticket> Queue::submit(const Commands &commands, std::span<const isovmaf_ticket> waits) {
    isovmaf_message message{};
    const isovmaf_status status =
        handle_.get_deleter().backend->queue_submit(handle_.get(), commands.handle_.get(), waits.data(),
                                                    static_cast<std::uint32_t>(waits.size()), &last_, &message);
    if (status != ISOVMAF_OK)
        return tl::unexpected(device_error(status, message));
    submitted_ = true;
    return isovmaf_ticket{handle_.get(), last_};
}

Result<void> Queue::wait(std::uint64_t ticket) const {
    isovmaf_message message{};
    const isovmaf_status status = handle_.get_deleter().backend->queue_wait(
        handle_.get(), ticket, std::numeric_limits<std::uint64_t>::max(), &message);
    if (status != ISOVMAF_OK)
        return tl::unexpected(device_error(status, message));
    return {};
}

Result<void> Queue::run(const Commands &commands) { return wait(TRY(submit(commands)).value); }

Result<isovmaf_native_queue> Queue::native() const {
    const isovmaf_backend &backend = *handle_.get_deleter().backend;
    if (!backend.queue_native)
        return fail(ErrorCode::unsupported,
                    fmt::format("decoders of other libraries cannot use the queues of {}", backend.name));
    isovmaf_native_queue native{};
    isovmaf_message message{};
    if (const isovmaf_status status = backend.queue_native(handle_.get(), &native, &message); status != ISOVMAF_OK)
        return tl::unexpected(device_error(status, message));
    return native;
}

Result<bool> Queue::done(std::uint64_t ticket) const {
    isovmaf_message message{};
    const isovmaf_status status = handle_.get_deleter().backend->queue_wait(handle_.get(), ticket, 0, &message);
    if (status != ISOVMAF_OK && status != ISOVMAF_NOT_READY)
        return tl::unexpected(device_error(status, message));
    return status == ISOVMAF_OK;
}

Result<Device> Device::open(std::shared_ptr<const Plugin> plugin, std::uint32_t index) {
    const isovmaf_backend &backend = plugin->backend();
    const isovmaf_device_info info = TRY(plugin->describe(index));
    isovmaf_message message{};
    isovmaf_device *handle = nullptr;
    if (const isovmaf_status status = backend.device_open(index, &handle, &message); status != ISOVMAF_OK)
        return tl::unexpected(device_error(status, message));
    Device device;
    device.info_ = info;
    device.plugin_ = std::move(plugin);
    device.index_ = index;
    device.handle_ = {handle, {&backend}};
    return device;
}

Result<Buffer> Device::create_buffer(isovmaf_memory memory, std::uint64_t bytes) const {
    isovmaf_message message{};
    isovmaf_buffer *handle = nullptr;
    const isovmaf_status status = backend().buffer_create(handle_.get(), memory, bytes, &handle, &message);
    if (status != ISOVMAF_OK)
        return tl::unexpected(device_error(status, message));
    return Buffer(&backend(), handle);
}

Result<Buffer> Device::import_buffer(std::uint64_t address, std::uint64_t bytes) const {
    isovmaf_message message{};
    if (!backend().buffer_import)
        return fail(ErrorCode::unsupported, plugin_->name() + " cannot score frames that already lie on the device");
    isovmaf_buffer *handle = nullptr;
    const isovmaf_status status = backend().buffer_import(handle_.get(), address, bytes, &handle, &message);
    if (status != ISOVMAF_OK)
        return tl::unexpected(import_error(status, message));
    return Buffer(&backend(), handle);
}

Result<Buffer> Device::import_memory(const isovmaf_external_memory &external) const {
    isovmaf_message message{};
    if (!backend().memory_import)
        return fail(ErrorCode::unsupported, plugin_->name() + " cannot import memory of another API");
    isovmaf_buffer *handle = nullptr;
    const isovmaf_status status = backend().memory_import(handle_.get(), &external, &handle, &message);
    if (status != ISOVMAF_OK)
        return tl::unexpected(import_error(status, message));
    return Buffer(&backend(), handle);
}

Result<Queue> Device::create_queue(void *native) const {
    isovmaf_message message{};
    isovmaf_queue *handle = nullptr;
    const isovmaf_status status = backend().queue_create(handle_.get(), native, &handle, &message);
    if (status != ISOVMAF_OK)
        return tl::unexpected(device_error(status, message));
    return Queue(&backend(), handle);
}

Result<isovmaf_kernel *> Device::find_kernel(const std::string &name) const {
    isovmaf_message message{};
    isovmaf_kernel *kernel = nullptr;
    const isovmaf_status status = backend().kernel_find(handle_.get(), name.c_str(), &kernel, &message);
    if (status != ISOVMAF_OK)
        return tl::unexpected(device_error(status, message));
    return kernel;
}

isovmaf_memory_statistics Device::memory() const {
    isovmaf_memory_statistics statistics{};
    backend().memory_statistics(handle_.get(), &statistics);
    return statistics;
}

void Device::trim_memory() const { backend().memory_trim(handle_.get()); }

bool is_same_device(const Device &a, const Device &b) {
    return a.plugin().path() == b.plugin().path() && a.index() == b.index();
}

std::string label_of(const Device &device) { return fmt::format("{}:{}", device.plugin().name(), device.index()); }

} // namespace isovmaf

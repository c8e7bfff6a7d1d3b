// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "ranks/device_values.hpp"

#include <cstring>

#include <fmt/format.h>

#include "base/try.hpp"
#include "device/recorder.hpp"

namespace isovmaf::ranks {

namespace {

template <class Value>
Value *address_of(const Buffer &buffer) {
    return reinterpret_cast<Value *>(static_cast<std::uintptr_t>(buffer.address()));
}

} // namespace

bool takes_memory_of(const isovmaf_mpi_info &info, const std::string &backend) {
    if (backend == "cuda")
        return info.takes_cuda == 1;
    if (backend == "hip")
        return info.takes_rocm == 1;
    return backend == "host";
}

Result<std::unique_ptr<DeviceValues>> DeviceValues::create(Ranks &ranks, const Device &device, std::size_t most_bytes) {
    std::unique_ptr<DeviceValues> values(new DeviceValues(ranks, device));
    const std::size_t of_all = most_bytes * static_cast<std::size_t>(ranks.info().ranks);
    values->values_ = TRY(device.create_buffer(ISOVMAF_MEMORY_DEVICE, most_bytes));
    values->outcome_ = TRY(device.create_buffer(ISOVMAF_MEMORY_DEVICE, of_all));
    values->up_ = TRY(device.create_buffer(ISOVMAF_MEMORY_UPLOAD, of_all));
    values->down_ = TRY(device.create_buffer(ISOVMAF_MEMORY_READBACK, of_all));
    values->queue_ = TRY(device.create_queue());
    return values;
}

/// Waits for this copy's queue alone.
Result<void> DeviceValues::copy(const Buffer &from, const Buffer &to, std::size_t bytes) {
    Recorder recorder(device_);
    recorder.copy(from.at(0), to.at(0), bytes);
    return queue_.run(TRY(recorder.finish()));
}

Result<void> DeviceValues::check_addresses() const {
    if (values_.address() != 0 && outcome_.address() != 0)
        return {};
    return fail(ErrorCode::unsupported,
                fmt::format("memory of the backend {} has no address that an MPI could take", device_.plugin().name()));
}

Result<void> DeviceValues::write(std::span<const std::byte> values) {
    std::memcpy(up_.host(), values.data(), values.size());
    return copy(up_, values_, values.size());
}

Result<void> DeviceValues::reduce(DeviceWay way, isovmaf_mpi_operation operation, std::size_t count) {
    const std::size_t bytes = count * sizeof(std::int64_t);
    if (way == DeviceWay::direct) {
        TRY(check_addresses());
        return ranks_.reduce(operation, address_of<const std::int64_t>(values_), address_of<std::int64_t>(outcome_),
                             count);
    }
    TRY(copy(values_, down_, bytes));
    TRY(ranks_.reduce(operation, reinterpret_cast<const std::int64_t *>(down_.host()),
                      reinterpret_cast<std::int64_t *>(up_.host()), count));
    return copy(up_, outcome_, bytes);
}

Result<void> DeviceValues::gather(DeviceWay way, std::size_t bytes) {
    if (way == DeviceWay::direct) {
        TRY(check_addresses());
        return ranks_.gather(address_of<const std::byte>(values_), bytes, address_of<std::byte>(outcome_));
    }
    TRY(copy(values_, down_, bytes));
    TRY(ranks_.gather(down_.host(), bytes, up_.host()));
    return copy(up_, outcome_, bytes * static_cast<std::size_t>(ranks_.info().ranks));
}

Result<std::span<const std::byte>> DeviceValues::read(std::size_t bytes) {
    TRY(copy(outcome_, down_, bytes));
    return std::span<const std::byte>(down_.host(), bytes);
}

} // namespace isovmaf::ranks

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <utility>

#include "gpu_layer/failure.hpp"

namespace isovmaf::gpu {

/// Owns an object of the runtime. The object's device has to be the calling thread's current device when the handle is
/// destroyed.
template <class T, hipError_t (*Api::*destroy)(T)>
class Handle {
  public:
    Handle() = default;
    Handle(const Api &api, T value) : api_(&api), value_(value) {}
    Handle(Handle &&other) noexcept : api_(other.api_), value_(std::exchange(other.value_, nullptr)) {}
    Handle &operator=(Handle &&other) noexcept {
        std::swap(api_, other.api_);
        std::swap(value_, other.value_);
        return *this;
    }
    ~Handle() {
        if (value_)
            (void)(api_->*destroy)(value_); // a destructor cannot report an error
    }

    [[nodiscard]] T get() const { return value_; }
    [[nodiscard]] const Api &api() const { return *api_; }
    [[nodiscard]] explicit operator bool() const { return value_ != nullptr; }

  private:
    const Api *api_ = nullptr;
    T value_ = nullptr;
};

/// Makes a device the calling thread's current device for as long as the guard lives.
class DeviceGuard {
  public:
    DeviceGuard(const Api &api, int device) : api_(api) {
        check(api, api.enter_device(api, device, previous_), "selecting the device");
    }
    DeviceGuard(const DeviceGuard &) = delete;
    DeviceGuard &operator=(const DeviceGuard &) = delete;
    ~DeviceGuard() { api_.leave_device(api_, previous_); }

  private:
    const Api &api_;
    int previous_ = -1;
};

} // namespace isovmaf::gpu

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>

#include "vulkan/device/logical_device.hpp"
#include "vulkan/instance/instance.hpp"
#include "vulkan/memory/memory.hpp"

/// A device that one user has opened. Functions that call Vulkan and can fail are called inside `run`.
struct isovmaf_device {
  public:
    /// Throws FailedOutcome: UNSUPPORTED when the device lacks an essential feature.
    isovmaf_device(std::shared_ptr<isovmaf::vulkan::Instance> instance, std::uint32_t index);
    isovmaf_device(const isovmaf_device &) = delete;
    isovmaf_device &operator=(const isovmaf_device &) = delete;
    ~isovmaf_device();

    [[nodiscard]] isovmaf::vulkan::LogicalDevice &logical() { return *logical_; }
    [[nodiscard]] const isovmaf::vulkan::LogicalDevice &logical() const { return *logical_; }
    [[nodiscard]] const isovmaf::vulkan::Api &api() const { return logical_->api(); }
    [[nodiscard]] isovmaf::vulkan::Allocator &allocator() { return allocator_; }

    /// A buffer over memory that another API exported. Throws FailedOutcome.
    [[nodiscard]] isovmaf::vulkan::Memory import(const isovmaf_external_memory &external,
                                                 VkBufferUsageFlags usage) const {
        return import_external(api(), logical_->physical(), logical_->capabilities(), allocator_, external, usage);
    }

    /// Runs `function`, which returns a status or nothing and may throw. Once the device is lost or the validation
    /// layer has reported a message, `run` returns that failure without calling `function`.
    template <class Function>
    [[nodiscard]] isovmaf_status run(isovmaf_message *message, const Function &function) noexcept {
        return run_unless_lost(message, [&] {
            instance_->messages().require_none();
            return function();
        });
    }

    /// As `run`, for a `function` that waits. The caller may free memory after the wait, so `function` runs even if the
    /// validation layer has reported a message; the message is returned after the wait.
    template <class Function>
    [[nodiscard]] isovmaf_status run_wait(isovmaf_message *message, const Function &function) noexcept {
        return run_unless_lost(message, [&] {
            const isovmaf_status status = function();
            instance_->messages().require_none();
            return status;
        });
    }

  private:
    template <class Function>
    [[nodiscard]] isovmaf_status run_unless_lost(isovmaf_message *message, const Function &function) noexcept {
        return isovmaf::plugin::run_entry(message, [&]() -> isovmaf::plugin::Outcome {
            if (logical_->device_loss().happened())
                return logical_->device_loss().outcome();
            return logical_->device_loss().remember(with_device_number(isovmaf::plugin::outcome_of(function)));
        });
    }

    [[nodiscard]] isovmaf::plugin::Outcome with_device_number(isovmaf::plugin::Outcome outcome) const;

    std::shared_ptr<isovmaf::vulkan::Instance> instance_;
    std::uint32_t index_;
    std::shared_ptr<isovmaf::vulkan::LogicalDevice> logical_;
    isovmaf::vulkan::Allocator allocator_;
};

// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "vulkan/external_memory.hpp"
#include "vulkan/features.hpp"
#include "vulkan/instance.hpp"
#include "vulkan/memory.hpp"
#include "vulkan/pipelines.hpp"
#include "vulkan/placements.hpp"
#include "vulkan/queue_families.hpp"

namespace isovmaf::vulkan {

/// Owns the device of an Api.
struct OpenDevice {
    OpenDevice(VkPhysicalDevice device, const Capabilities &capabilities, const QueueFamilies &families);
    OpenDevice(const OpenDevice &) = delete;
    OpenDevice &operator=(const OpenDevice &) = delete;
    ~OpenDevice();

    Api api;
};

/// One thread at a time submits to a queue of Vulkan; several queues of the contract share it.
struct SubmitQueue {
    VkQueue handle = VK_NULL_HANDLE;
    std::mutex mutex;
};

/// A semaphore that counts up, and how far it was asked to.
struct Timeline {
    Semaphore semaphore;
    std::uint64_t last = 0;
};

} // namespace isovmaf::vulkan

/// What the plugin keeps for one device. Functions that call Vulkan and can fail are called inside `run`.
struct isovmaf_device {
  public:
    /// Throws Failure: UNSUPPORTED when the device lacks something essential.
    isovmaf_device(std::shared_ptr<isovmaf::vulkan::Instance> instance, std::uint32_t index);
    isovmaf_device(const isovmaf_device &) = delete;
    isovmaf_device &operator=(const isovmaf_device &) = delete;
    ~isovmaf_device();

    [[nodiscard]] const isovmaf::vulkan::Api &api() const { return open_.api; }
    [[nodiscard]] const isovmaf::vulkan::QueueFamilies &families() const { return families_; }
    [[nodiscard]] const VkPhysicalDeviceLimits &limits() const { return properties_.limits; }
    [[nodiscard]] isovmaf::vulkan::Allocator &allocator() { return allocator_; }
    [[nodiscard]] isovmaf::vulkan::Pipelines &pipelines() { return pipelines_; }
    [[nodiscard]] isovmaf::vulkan::Placements &placements() { return placements_; }

    /// A buffer over memory of another API. Throws Failure.
    [[nodiscard]] isovmaf::vulkan::Memory import(const isovmaf_external_memory &external,
                                                 VkBufferUsageFlags usage) const {
        return import_external(api(), physical_, capabilities_, allocator_, external, usage);
    }

    /// A queue of a family in `families`; equal for numbers that are equal modulo how many there are.
    [[nodiscard]] isovmaf::vulkan::SubmitQueue &submit_queue(std::uint32_t family, std::uint32_t number);

    /// Timelines are used again by later queues: a submission of another queue may still refer to one whose own work
    /// has ended.
    [[nodiscard]] isovmaf::vulkan::Timeline take_timeline();
    void give_back(isovmaf::vulkan::Timeline timeline);

    [[nodiscard]] std::uint32_t next_queue_number() { return queue_number_++; }

    /// Runs `function`, which returns a status or nothing and may throw. Once the device is lost, or the validation
    /// layer has said something, it runs no more.
    template <class Function>
    [[nodiscard]] isovmaf_status run(isovmaf_message *message, const Function &function) noexcept {
        return run_unless_lost(message, [&] {
            instance_->messages().require_silence();
            return function();
        });
    }

    /// As run, for `function` that waits: memory may go after it, so it runs whatever the validation layer has said,
    /// which is told then.
    template <class Function>
    [[nodiscard]] isovmaf_status run_wait(isovmaf_message *message, const Function &function) noexcept {
        return run_unless_lost(message, [&] {
            const isovmaf_status status = function();
            instance_->messages().require_silence();
            return status;
        });
    }

  private:
    template <class Function>
    [[nodiscard]] isovmaf_status run_unless_lost(isovmaf_message *message, const Function &function) noexcept {
        return isovmaf::plugin::answer(message, [&]() -> isovmaf::plugin::Outcome {
            if (loss_.happened())
                return loss_.outcome();
            return loss_.notice(told(isovmaf::plugin::outcome_of(function)));
        });
    }

    [[nodiscard]] isovmaf::plugin::Outcome told(isovmaf::plugin::Outcome outcome) const;

    std::shared_ptr<isovmaf::vulkan::Instance> instance_;
    std::uint32_t index_;
    VkPhysicalDevice physical_;
    VkPhysicalDeviceProperties properties_;
    isovmaf::vulkan::QueueFamilies families_;
    isovmaf::vulkan::Capabilities capabilities_;
    isovmaf::vulkan::OpenDevice open_;
    isovmaf::vulkan::Allocator allocator_;
    isovmaf::vulkan::Placements placements_;
    isovmaf::vulkan::Pipelines pipelines_;
    std::map<std::uint32_t, std::vector<std::unique_ptr<isovmaf::vulkan::SubmitQueue>>> submit_queues_; ///< by family
    std::atomic<std::uint32_t> queue_number_{0};
    std::mutex timelines_mutex_;
    std::vector<isovmaf::vulkan::Timeline> timelines_; ///< not in use
    isovmaf::plugin::Loss loss_;
};

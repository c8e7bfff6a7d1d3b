// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "vulkan/operation.hpp"

/// A recorded sequence: one command buffer, which is submitted again and again, with its arguments beside it.
struct isovmaf_commands {
  public:
    struct Mark {};
    using Operation = std::variant<isovmaf::vulkan::Fill, isovmaf::vulkan::Copy, isovmaf::vulkan::Launch, Mark>;

    /// Throws FailedOutcome: UNSUPPORTED when it is to be timed and the device has no clock.
    isovmaf_commands(isovmaf_device &device, bool timed);

    [[nodiscard]] isovmaf_device &device() const { return device_; }

    /// All throw FailedOutcome, INVALID after `finish`.
    void add(Operation operation);
    void mark();
    void finish();

    /// Throws FailedOutcome, INVALID unless there are `count` + 1 marks that were submitted.
    void times(double *milliseconds, std::uint32_t count) const;

    /// For the queue that submits it. Throws FailedOutcome, INVALID before `finish`.
    [[nodiscard]] VkCommandBuffer submittable() const;
    [[nodiscard]] std::uint32_t family() const { return family_; } ///< of the queues it was recorded for
    void note_submission() { submitted_ = true; }

  private:
    void require_recording() const;
    [[nodiscard]] bool has_launches() const;
    void write_arguments();
    void record();

    isovmaf_device &device_;
    bool timed_;
    bool finished_ = false;
    bool submitted_ = false;
    std::uint32_t family_ = 0;
    std::uint32_t marks_ = 0;
    std::vector<Operation> operations_;
    std::optional<isovmaf::vulkan::Memory> arguments_;
    std::vector<std::uint32_t> argument_offsets_; ///< of each launch
    isovmaf::vulkan::DescriptorPool descriptors_;
    VkDescriptorSet set_ = VK_NULL_HANDLE; ///< of descriptors_
    isovmaf::vulkan::QueryPool clock_;
    isovmaf::vulkan::CommandPool pool_;
    VkCommandBuffer buffer_ = VK_NULL_HANDLE; ///< of pool_
};

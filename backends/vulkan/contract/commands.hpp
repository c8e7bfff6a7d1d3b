// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "vulkan/contract/operation.hpp"

/// A recorded sequence of commands: one command buffer that is submitted many times, and the arguments of its kernels.
struct isovmaf_commands {
  public:
    struct Mark {};
    using Operation = std::variant<isovmaf::vulkan::Fill, isovmaf::vulkan::Copy, isovmaf::vulkan::Launch, Mark>;

    /// Throws FailedOutcome: UNSUPPORTED when `timed` is set and the device has no timestamps.
    isovmaf_commands(isovmaf_device &device, bool timed);

    [[nodiscard]] isovmaf_device &device() const { return device_; }

    /// These three throw FailedOutcome: INVALID after `finish`.
    void add(Operation operation);
    void mark();
    void finish();

    /// Throws FailedOutcome: INVALID unless the sequence has `count` + 1 marks and was submitted.
    void times(double *milliseconds, std::uint32_t count) const;

    /// The command buffer, for the queue that submits it. Throws FailedOutcome: INVALID before `finish`.
    [[nodiscard]] VkCommandBuffer submittable() const;
    [[nodiscard]] std::uint32_t family() const { return family_; } ///< of the queues that may submit it
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

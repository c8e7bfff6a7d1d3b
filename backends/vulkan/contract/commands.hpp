// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "vulkan/contract/operation.hpp"

namespace isovmaf::vulkan {

/// Records barriers between the operations of a sequence, so that each operation sees the effects of those before it.
///
/// A barrier is recorded before every operation, from the pipeline stage of the previous operation to that of the next.
/// Through the chain of barriers all earlier writes become visible too. Successive copies and fills that touch
/// different bytes need no barrier. A launch always needs one, because the bytes that it reads and writes are not
/// known.
class Barriers {
  public:
    Barriers(const Api &api, VkCommandBuffer commands) : api_(api), commands_(commands) {}

    void before_transfer(const std::vector<Access> &accesses);
    void before_launch();

    /// The next operation starts after all operations recorded so far, whichever bytes it touches.
    void separate_next() { separate_next_ = true; }

    /// Makes everything that was written visible to the host.
    void before_host();

  private:
    void barrier(VkPipelineStageFlags from, VkPipelineStageFlags to, VkAccessFlags access);

    const Api &api_;
    VkCommandBuffer commands_;
    VkPipelineStageFlags stage_ = 0;  ///< of the last recorded operation; 0: there is none yet
    VkPipelineStageFlags stages_ = 0; ///< of all recorded operations
    bool separate_next_ = false;
    std::vector<Access> unordered_; ///< accesses of the copies and fills since the last barrier
};

} // namespace isovmaf::vulkan

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

    /// Makes launches use the memory that `moves` say. Throws FailedOutcome.
    void move(std::span<const isovmaf_move> moves);

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
    std::vector<std::uint32_t> argument_offsets_;      ///< of each launch
    std::vector<std::vector<isovmaf_range>> recorded_; ///< of each launch: its ranges before any move
    isovmaf::vulkan::DescriptorPool descriptors_;
    VkDescriptorSet set_ = VK_NULL_HANDLE; ///< of descriptors_
    isovmaf::vulkan::QueryPool clock_;
    isovmaf::vulkan::CommandPool pool_;
    VkCommandBuffer buffer_ = VK_NULL_HANDLE; ///< of pool_
};

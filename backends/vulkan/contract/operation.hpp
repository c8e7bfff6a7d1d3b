// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/checks.hpp"
#include "vulkan/contract/buffer.hpp"

/// The operations of a recorded sequence: fills, copies and launches. Their constructors check the arguments.
namespace isovmaf::vulkan {

/// The address of a range, in the form in which kernels get it.
using AddressBytes = std::array<std::byte, sizeof(VkDeviceAddress)>;
[[nodiscard]] AddressBytes address_bytes(const isovmaf_range &range);

/// Bytes of a buffer that an operation reads or writes.
struct Access {
    VkBuffer buffer;
    std::uint64_t begin, end;
    bool writes;

    /// Whether the result depends on the order of the two accesses.
    [[nodiscard]] bool conflicts(const Access &other) const {
        return buffer == other.buffer && begin < other.end && other.begin < end && (writes || other.writes);
    }
};

class Fill {
  public:
    static constexpr VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;

    Fill(const isovmaf_device &device, const isovmaf_range &range, std::uint64_t bytes, std::uint32_t word);
    void record(const Api &api, VkCommandBuffer commands) const;
    [[nodiscard]] std::vector<Access> accesses() const { return {{to_, offset_, offset_ + bytes_, true}}; }
    [[nodiscard]] bool reaches_host() const { return reaches_host_; }

  private:
    VkBuffer to_;
    std::uint64_t offset_, bytes_;
    std::uint32_t word_;
    bool reaches_host_;
};

class Copy {
  public:
    static constexpr VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;

    Copy(const isovmaf_device &device, const isovmaf_copy &copy);
    void record(const Api &api, VkCommandBuffer commands) const;
    [[nodiscard]] std::vector<Access> accesses() const;
    [[nodiscard]] bool reaches_host() const { return reaches_host_; }

  private:
    void change_owner(const Api &api, VkCommandBuffer commands, std::uint32_t from, std::uint32_t to) const;

    plugin::CopyRows rows_;
    VkBuffer from_, to_;
    std::uint64_t from_offset_, to_offset_;
    bool from_external_;   ///< the source is memory that another API exported
    std::uint32_t family_; ///< owns the buffers; VK_QUEUE_FAMILY_IGNORED when two families share them
    bool reaches_host_;
};

class Launch {
  public:
    static constexpr VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;

    /// The largest size of a block of arguments, in bytes.
    static constexpr std::uint32_t most_arguments =
        ISOVMAF_MAX_RANGES * sizeof(VkDeviceAddress) + ISOVMAF_MAX_PARAMS_BYTES;

    Launch(const isovmaf_device &device, const isovmaf_dispatch &dispatch);

    /// The block of arguments: the addresses of the ranges, then the parameters.
    [[nodiscard]] std::span<const std::byte> arguments() const { return arguments_; }
    [[nodiscard]] const std::vector<isovmaf_range> &ranges() const { return ranges_; }
    [[nodiscard]] bool reaches_host() const { return reaches_host_; }

    /// The arguments lie at `offset` of the buffer that `set` describes.
    void record(const Api &api, VkCommandBuffer commands, VkPipelineLayout layout, VkDescriptorSet set,
                std::uint32_t offset) const;

  private:
    VkPipeline pipeline_;
    std::array<std::uint32_t, 3> groups_;
    std::vector<isovmaf_range> ranges_;
    std::vector<std::byte> arguments_;
    bool reaches_host_ = false;
};

} // namespace isovmaf::vulkan

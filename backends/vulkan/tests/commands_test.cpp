// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/contract/commands.hpp"

#include <string>

#include <gmock/gmock.h>

namespace isovmaf::vulkan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> written;

std::string stage_name(VkPipelineStageFlags stage) {
    return stage == VK_PIPELINE_STAGE_TRANSFER_BIT                                            ? "transfer"
           : stage == VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT                                    ? "compute"
           : stage == VK_PIPELINE_STAGE_HOST_BIT                                              ? "host"
           : stage == (VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) ? "all"
                                                                                              : "another stage";
}

/// The accesses of a barrier as text: " writes" for its source, and nothing for all accesses of its destination stage.
std::string access_name(VkAccessFlags access) {
    return access == VK_ACCESS_TRANSFER_WRITE_BIT                                   ? " writes"
           : access == VK_ACCESS_SHADER_WRITE_BIT                                   ? " writes"
           : access == (VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT)  ? " writes"
           : access == (VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT) ? ""
           : access == (VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT)     ? ""
           : access == VK_ACCESS_HOST_READ_BIT                                      ? " reads"
                                                                                    : " does something else";
}

void VKAPI_PTR write_down(VkCommandBuffer, VkPipelineStageFlags from, VkPipelineStageFlags to, VkDependencyFlags,
                          std::uint32_t count, const VkMemoryBarrier *memory, std::uint32_t,
                          const VkBufferMemoryBarrier *, std::uint32_t, const VkImageMemoryBarrier *) {
    ASSERT_EQ(count, 1u);
    written.push_back(stage_name(from) + access_name(memory->srcAccessMask) + " before " + stage_name(to) +
                      access_name(memory->dstAccessMask));
}

class VulkanBarriers : public ::testing::Test {
  protected:
    VulkanBarriers() {
        api_.call.vkCmdPipelineBarrier = write_down;
        written.clear();
    }

    Access reads(VkBuffer buffer, std::uint64_t begin, std::uint64_t end) { return {buffer, begin, end, false}; }
    Access writes(VkBuffer buffer, std::uint64_t begin, std::uint64_t end) { return {buffer, begin, end, true}; }

    Api api_;
    Barriers barriers_{api_, VK_NULL_HANDLE};
    const VkBuffer a_ = reinterpret_cast<VkBuffer>(1), b_ = reinterpret_cast<VkBuffer>(2);
};

TEST_F(VulkanBarriers, EveryLaunchHasABarrier) {
    barriers_.before_launch();
    EXPECT_THAT(written, IsEmpty()) << "there is nothing before";
    barriers_.before_launch();
    barriers_.before_transfer({reads(a_, 0, 4)});
    barriers_.before_launch();
    EXPECT_THAT(written, ElementsAre("compute writes before compute", "compute writes before transfer",
                                     "transfer writes before compute"));
}

TEST_F(VulkanBarriers, OnlyTransfersOfTheSameBytesHaveABarrier) {
    barriers_.before_transfer({writes(a_, 0, 8)});
    barriers_.before_transfer({writes(a_, 8, 16)});
    barriers_.before_transfer({writes(b_, 0, 8)});
    EXPECT_THAT(written, IsEmpty());
    barriers_.before_transfer({reads(a_, 15, 20), writes(b_, 20, 25)});
    EXPECT_THAT(written, ElementsAre("transfer writes before transfer")) << "reads what was written";
    barriers_.before_transfer({reads(a_, 15, 20), writes(b_, 25, 30)});
    EXPECT_EQ(written.size(), 1u) << "reads what was read";
    barriers_.before_transfer({writes(a_, 0, 16)});
    EXPECT_EQ(written.size(), 2u) << "writes what was read";
    barriers_.before_transfer({writes(a_, 0, 1)});
    EXPECT_EQ(written.size(), 3u) << "writes what was written";
    barriers_.before_transfer({reads(b_, 20, 30)});
    EXPECT_EQ(written.size(), 3u) << "there was a barrier since that was written";
}

TEST_F(VulkanBarriers, AMarkSeparatesTransfers) {
    barriers_.before_transfer({writes(a_, 0, 8)});
    barriers_.separate_next();
    barriers_.before_transfer({writes(b_, 0, 8)});
    barriers_.before_transfer({writes(b_, 8, 9)});
    EXPECT_THAT(written, ElementsAre("transfer writes before transfer"));
}

TEST_F(VulkanBarriers, ABarrierForTheHostComesLast) {
    barriers_.before_transfer({writes(a_, 0, 8)});
    barriers_.before_host();
    EXPECT_THAT(written, ElementsAre("transfer writes before host reads"));
    barriers_.before_launch();
    barriers_.before_host();
    EXPECT_EQ(written.back(), "all writes before host reads");
}

} // namespace
} // namespace isovmaf::vulkan

// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/shaders/pipelines.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace isovmaf::vulkan {

namespace {

const KernelImage *find_image(std::string_view name) {
    for (const KernelTable *table : kernel_tables())
        for (const KernelImage &image : *table)
            if (name == image.name)
                return &image;
    return nullptr;
}

DescriptorSetLayout create_arguments_layout(const Api &api) {
    const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1,
                                               VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
    auto info = structure<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    info.bindingCount = 1;
    info.pBindings = &binding;
    return create<DescriptorSetLayout>(api, &VolkDeviceTable::vkCreateDescriptorSetLayout, info,
                                       "creating the layout of arguments");
}

PipelineLayout create_layout(const Api &api, VkDescriptorSetLayout arguments) {
    auto info = structure<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = 1;
    info.pSetLayouts = &arguments;
    return create<PipelineLayout>(api, &VolkDeviceTable::vkCreatePipelineLayout, info,
                                  "creating the layout of kernels");
}

PipelineCache create_cache(const Api &api, std::span<const std::byte> data) {
    auto info = structure<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    return create<PipelineCache>(api, &VolkDeviceTable::vkCreatePipelineCache, info, "creating a cache of kernels");
}

} // namespace

Pipelines::Pipelines(const Api &api, const VkPhysicalDeviceProperties &properties, bool int64_atomics)
    : api_(api), int64_atomics_(int64_atomics), file_(CacheFile::of_device(properties)),
      arguments_(create_arguments_layout(api)), layout_(create_layout(api, arguments_.get())),
      cache_(create_cache(api, file_.data())) {}

void Pipelines::store() noexcept {
    const std::lock_guard lock(mutex_);
    if (std::exchange(stored_, true))
        return;
    std::size_t size = 0;
    if (api_.call.vkGetPipelineCacheData(api_.device, cache_.get(), &size, nullptr) != VK_SUCCESS)
        return;
    std::vector<std::byte> data(size);
    if (api_.call.vkGetPipelineCacheData(api_.device, cache_.get(), &size, data.data()) == VK_SUCCESS)
        file_.store(std::span(data).first(size));
}

isovmaf_kernel *Pipelines::find(const char *name) {
    const std::lock_guard lock(mutex_);
    auto found = kernels_.find(name);
    if (found == kernels_.end()) {
        const KernelImage *const image = find_image(name);
        if (!image)
            throw FailedOutcome(ISOVMAF_UNSUPPORTED, fmt::format("this plugin has no kernel {}", name));
        found = kernels_.emplace(name, isovmaf_kernel{image, compile(*image)}).first;
        stored_ = false;
    }
    return &found->second;
}

Pipeline Pipelines::compile(const KernelImage &image) const {
    const std::span code = int64_atomics_ ? image.with_int64_atomics : image.without_int64_atomics;
    auto module_info = structure<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    module_info.codeSize = code.size_bytes();
    module_info.pCode = code.data();
    const ShaderModule module = create<ShaderModule>(api_, &VolkDeviceTable::vkCreateShaderModule, module_info,
                                                     fmt::format("loading the kernel {}", image.name));
    auto info = structure<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module.get();
    info.stage.pName = "main";
    info.layout = layout_.get();
    VkPipeline pipeline = VK_NULL_HANDLE;
    check(api_.call.vkCreateComputePipelines(api_.device, cache_.get(), 1, &info, nullptr, &pipeline),
          fmt::format("compiling the kernel {}", image.name));
    return {api_, pipeline};
}

} // namespace isovmaf::vulkan

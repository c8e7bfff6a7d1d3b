// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/layer/module.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hip/layer/kernels.hpp"
#include "hip/layer/platform.hpp"

namespace isovmaf::hip {

namespace {

std::vector<std::string> built_archs() {
    std::vector<std::string> archs;
    for (const KernelImage &image : kernel_images())
        if (std::ranges::find(archs, image.arch) == archs.end())
            archs.emplace_back(image.arch);
    return archs;
}

/// CUDA's code for PTX that is newer than the driver.
constexpr int unsupported_ptx = 222;

/// How runtimes say that code is for another architecture. ROCm's say it in several ways.
bool is_other_arch(hipError_t error) {
    return error == hipErrorNoBinaryForGpu || error == unsupported_ptx || error == hipErrorInvalidImage ||
           error == hipErrorInvalidKernelFile || error == hipErrorSharedObjectInitFailed ||
           error == hipErrorInvalidValue || error == hipErrorFileNotFound;
}

/// False when the device refuses the code as another architecture's.
bool load(const Api &api, const std::string &arch, std::vector<Module> &modules, hipError_t &refusal) {
    for (const KernelImage &image : kernel_images()) {
        if (image.arch != arch)
            continue;
        hipModule_t module = nullptr;
        const hipError_t error = api.hipModuleLoadData(&module, image.data);
        if (is_other_arch(error)) {
            refusal = error;
            modules.clear();
            return false;
        }
        if (error != hipSuccess)
            throw runtime_failure(api, error, fmt::format("loading the kernels of {} for {}", image.name, image.arch));
        modules.push_back({image.name, {api, module}});
    }
    return true;
}

} // namespace

std::vector<Module> load_modules(const Api &api, std::string &arch) {
    const std::vector<std::string> archs = built_archs();
    std::vector<Module> modules;
    hipError_t refusal = hipSuccess;
    for (const std::string &built : archs) {
        if (!platform::may_run(built, arch) || !load(api, built, modules, refusal))
            continue;
        if (arch.empty())
            arch = built;
        return modules;
    }
    throw Failure(
        ISOVMAF_UNSUPPORTED,
        fmt::format("the device is {}, and this plugin has kernels for {}{}",
                    arch.empty() ? "of an architecture that the runtime does not name" : arch, fmt::join(archs, ", "),
                    refusal == hipSuccess ? "" : "; the runtime refused them with " + error_text(api, refusal)));
}

hipFunction_t find_function(const Api &api, const std::vector<Module> &modules, const char *name) {
    for (const bool likely : {true, false}) // tools that watch the runtime report every name that it does not find
        for (const Module &module : modules) {
            if (std::string_view(name).starts_with(module.file) != likely)
                continue;
            hipFunction_t function = nullptr;
            const hipError_t error = api.hipModuleGetFunction(&function, module.handle.get(), name);
            if (error == hipSuccess)
                return function;
            if (error != hipErrorNotFound && error != hipErrorInvalidDeviceFunction)
                throw runtime_failure(api, error, fmt::format("looking up the kernel {}", name));
        }
    return nullptr;
}

} // namespace isovmaf::hip

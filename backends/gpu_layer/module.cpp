// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "gpu_layer/module.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu_layer/platform.hpp"
#include "isovmaf/backend.h"

namespace isovmaf::gpu {

namespace {

/// Whether `name` names a kernel with taps, or a file of such kernels (without its ending).
bool is_taps(std::string_view name) { return name.ends_with(ISOVMAF_TAPS_SUFFIX); }

/// Whether `name` names a kernel that multiplies matrices, or a file of such kernels.
bool is_matrix(std::string_view name) { return name.find(ISOVMAF_MATRIX_INFIX) != std::string_view::npos; }

/// The text with which the names of most kernels of a file begin.
std::string_view prefix(std::string_view file) {
    if (is_taps(file))
        file.remove_suffix(std::string_view(ISOVMAF_TAPS_SUFFIX).size());
    return file;
}

/// The architectures that files without taps are compiled for. Files with taps may be compiled for fewer.
std::vector<std::string> built_archs() {
    std::vector<std::string> archs;
    for (const KernelImage &image : kernel_images())
        if (!is_taps(image.name) && std::ranges::find(archs, image.arch) == archs.end())
            archs.emplace_back(image.arch);
    return archs;
}

/// CUDA's error for PTX that is newer than the driver.
constexpr int unsupported_ptx = 222;

/// Whether runtimes return this error for code of another architecture. ROCm's runtimes have several such errors.
bool is_other_arch(hipError_t error) {
    return error == hipErrorNoBinaryForGpu || error == unsupported_ptx || error == hipErrorInvalidImage ||
           error == hipErrorInvalidKernelFile || error == hipErrorSharedObjectInitFailed ||
           error == hipErrorInvalidValue || error == hipErrorFileNotFound;
}

std::string loading(const KernelImage &image) {
    return fmt::format("loading the kernels of {} for {}", image.name, image.arch);
}

} // namespace

Modules::Modules(const Api &api, std::string arch) : api_(api), arch_(std::move(arch)) {
    const std::vector<std::string> archs = built_archs();
    hipError_t refusal = hipSuccess;
    for (const std::string &built : archs) {
        if (!platform::may_run(built, arch_) || !accepts(built, refusal))
            continue;
        if (arch_.empty())
            arch_ = built;
        for (const KernelImage &image : kernel_images())
            if (is_taps(image.name) && platform::may_run(image.arch, arch_))
                modules_.push_back({&image, {}});
        return;
    }
    throw FailedOutcome(
        ISOVMAF_UNSUPPORTED,
        fmt::format("the device is {}, and this plugin has kernels for {}{}{}",
                    arch_.empty() ? "of an architecture that the runtime does not name" : arch_, fmt::join(archs, ", "),
                    refusal == hipSuccess ? "" : "; the runtime refused them with " + error_text(api, refusal),
                    platform::build_advice(arch_)));
}

/// Loads the first of the files without taps that are compiled for `arch`. False when the runtime refuses it as another
/// architecture's; `refusal` is its error then.
bool Modules::accepts(const std::string &arch, hipError_t &refusal) {
    for (const KernelImage &image : kernel_images())
        if (image.arch == arch && !is_taps(image.name))
            modules_.push_back({&image, {}});
    const hipError_t error = load(modules_.front());
    if (error == hipSuccess)
        return true;
    refusal = error;
    modules_.clear();
    return false;
}

/// Returns the runtime's error where it takes the file for one of another architecture.
hipError_t Modules::load(Module &module) {
    hipModule_t loaded = nullptr;
    const hipError_t error = api_.hipModuleLoadData(&loaded, module.image->data);
    if (error == hipSuccess)
        module.handle = {api_, loaded};
    else if (!is_other_arch(error))
        throw runtime_failure(api_, error, loading(*module.image));
    return error;
}

/// The device runs other files of this architecture, so no other architecture is tried.
void Modules::load_needed(Module &module) {
    if (const hipError_t error = load(module); error != hipSuccess)
        throw FailedOutcome(ISOVMAF_UNSUPPORTED, fmt::format("{} failed: the runtime refused them with {}",
                                                             loading(*module.image), error_text(api_, error)));
}

hipFunction_t Modules::find_function(const char *name) {
    // Files whose prefix the name has come first: tools that trace the runtime report each lookup that fails.
    for (const bool likely : {true, false})
        for (Module &module : modules_) {
            const std::string_view file = module.image->name;
            if (is_taps(name) != is_taps(file) || is_matrix(name) != is_matrix(file) ||
                std::string_view(name).starts_with(prefix(file)) != likely)
                continue;
            if (!module.handle)
                load_needed(module);
            hipFunction_t function = nullptr;
            const hipError_t error = api_.hipModuleGetFunction(&function, module.handle.get(), name);
            if (error == hipSuccess)
                return function;
            if (error != hipErrorNotFound && error != hipErrorInvalidDeviceFunction)
                throw runtime_failure(api_, error, fmt::format("looking up the kernel {}", name));
        }
    return nullptr;
}

} // namespace isovmaf::gpu

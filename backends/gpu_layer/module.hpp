// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

#include "gpu_layer/api.hpp"
#include "gpu_layer/kernels.hpp"

namespace isovmaf::gpu {

/// One file of kernels on a device. Its functions are valid for as long as it is loaded.
struct Module {
    const KernelImage *image;
    Handle<hipModule_t, &Api::hipModuleUnload> handle; ///< empty until a kernel is looked for in the file
};

/// The plugin's kernels on a device, which has to be the calling thread's current device in every call. Not
/// thread-safe.
class Modules {
  public:
    /// `arch` is the device's architecture, or empty when the runtime does not name it: then it becomes that of the
    /// first kernels that the runtime accepts. Loads one file. Throws FailedOutcome, with ISOVMAF_UNSUPPORTED when
    /// there are no kernels for the device.
    Modules(const Api &api, std::string arch);

    [[nodiscard]] const std::string &arch() const { return arch_; }

    /// The function of that name; nullptr when no file has it. A file is loaded when it is first searched.
    /// Throws FailedOutcome.
    [[nodiscard]] hipFunction_t find_function(const char *name);

  private:
    [[nodiscard]] bool accepts(const std::string &arch, hipError_t &refusal);
    [[nodiscard]] hipError_t load(Module &module);
    void load_needed(Module &module);

    const Api &api_;
    std::string arch_;
    std::vector<Module> modules_;
};

} // namespace isovmaf::gpu

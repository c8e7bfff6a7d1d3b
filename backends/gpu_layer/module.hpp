// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

#include "gpu_layer/handle.hpp"
#include "gpu_layer/kernels.hpp"

namespace isovmaf::gpu {

/// One file of kernels on a device. Functions live as long as it does.
struct Module {
    const KernelImage *image;
    Handle<hipModule_t, &Api::hipModuleUnload> handle; ///< empty until a file with taps is wanted
};

/// The plugin's kernels on a device, which is the calling thread's in every call. One thread at a time uses it.
class Modules {
  public:
    /// `arch` is the device's; when the runtime does not tell, it is empty and becomes that of the first kernels it
    /// takes. Loads all files but those with taps. Throws FailedOutcome: UNSUPPORTED when there are no kernels for the
    /// device.
    Modules(const Api &api, std::string arch);

    [[nodiscard]] const std::string &arch() const { return arch_; }

    /// The function of that name in whichever file has it; nullptr when none does. Loads files with taps when it looks
    /// into them. Throws FailedOutcome.
    [[nodiscard]] hipFunction_t find_function(const char *name);

  private:
    [[nodiscard]] bool load_all(const std::string &arch, hipError_t &refusal);
    void load_taps(Module &module);

    const Api &api_;
    std::string arch_;
    std::vector<Module> modules_;
};

} // namespace isovmaf::gpu

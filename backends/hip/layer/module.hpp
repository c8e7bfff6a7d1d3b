// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hip/layer/handle.hpp"

namespace isovmaf::hip {

/// The loaded device code of one file of kernels. Functions live as long as it does.
struct Module {
    std::string_view file; ///< without its ending; as a rule its kernels' names begin with it
    Handle<hipModule_t, &Api::hipModuleUnload> handle;
};

/// Loads the plugin's kernels for a device of the calling thread, whose architecture `arch` is; when the runtime does
/// not tell, `arch` is empty and becomes that of the first kernels it accepts. Throws Failure: UNSUPPORTED when there
/// are none for the device.
[[nodiscard]] std::vector<Module> load_modules(const Api &api, std::string &arch);

/// The function of that name in whichever module has it; nullptr when none does. Throws Failure.
[[nodiscard]] hipFunction_t find_function(const Api &api, const std::vector<Module> &modules, const char *name);

} // namespace isovmaf::hip

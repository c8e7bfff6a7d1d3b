// SPDX-License-Identifier: BSD-2-Clause-Patent
// The file that defines volk's functions; no other file does.
#define VOLK_IMPLEMENTATION
#include "vulkan/api.hpp"

#include <cstdlib>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

#include "common/library_file.hpp"

namespace isovmaf::vulkan {

namespace {

std::vector<std::string> loader_files() {
    if (const char *const file = std::getenv("ISOVMAF_VULKAN_LOADER"))
        return {file};
#ifdef __APPLE__
    return {"libvulkan.1.dylib", "libvulkan.dylib", "libMoltenVK.dylib"};
#else
    return {"libvulkan.so.1", "libvulkan.so"};
#endif
}

FailedOutcome unavailable(const std::string &why) {
    return {ISOVMAF_UNAVAILABLE, fmt::format("Vulkan's loader cannot be opened, install it (libvulkan1, "
                                             "vulkan-loader) or name its file with ISOVMAF_VULKAN_LOADER ({})",
                                             why)};
}

} // namespace

const Loader &open_loader() {
    static Loader opened;
    if (!opened.name.empty())
        return opened;
    std::string why;
    for (const std::string &file : loader_files()) {
        void *const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            const char *const reason = dlerror();
            why += fmt::format("{}{}", why.empty() ? "" : "; ", reason ? reason : file);
            continue;
        }
        const auto entry = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
        if (!entry)
            throw unavailable(file + " has no vkGetInstanceProcAddr");
        volkInitializeCustom(entry);
        opened = {file, plugin::library_file(library)};
        return opened;
    }
    throw unavailable(why);
}

} // namespace isovmaf::vulkan

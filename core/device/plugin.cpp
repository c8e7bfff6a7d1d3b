// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "device/device.hpp"

namespace isovmaf {

Result<std::shared_ptr<const Plugin>> Plugin::open(const std::filesystem::path &path) {
    const auto refuse = [&](const std::string &why) {
        return fail(ErrorCode::mismatch, fmt::format("{}: {}", path.string(), why));
    };
    void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *const why = dlerror();
        return refuse(why ? why : "the dynamic linker refused it without a reason");
    }
    const auto *const backend = static_cast<const isovmaf_backend *>(dlsym(library, ISOVMAF_BACKEND_SYMBOL));
    if (!backend)
        return refuse("not an isovmaf backend: it has no symbol " ISOVMAF_BACKEND_SYMBOL);
    if (backend->magic != ISOVMAF_BACKEND_MAGIC)
        return refuse(fmt::format("not an isovmaf backend: its magic number is {:#010x}, not {:#010x}", backend->magic,
                                  ISOVMAF_BACKEND_MAGIC));
    if (backend->size != sizeof(isovmaf_backend) || backend->layout != ISOVMAF_BACKEND_LAYOUT)
        return refuse(fmt::format("built for another isovmaf: its contract has {} bytes and layout {:#018x}, this "
                                  "isovmaf's {} bytes and {:#018x}; rebuild or reinstall the plugin",
                                  backend->size, backend->layout, sizeof(isovmaf_backend), ISOVMAF_BACKEND_LAYOUT));
    return std::shared_ptr<const Plugin>(new Plugin(path, backend));
}

Result<isovmaf_runtime_info> Plugin::probe() const {
    isovmaf_runtime_info info{};
    isovmaf_message message{};
    if (const isovmaf_status status = backend_->probe(&info, &message); status != ISOVMAF_OK)
        return tl::unexpected(device_error(status, message));
    if (info.device_count == 0)
        return fail(ErrorCode::unsupported, fmt::format("{} is there, but it sees no device", info.runtime));
    return info;
}

} // namespace isovmaf

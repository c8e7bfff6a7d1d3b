// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/plugin.hpp"

#include <algorithm>
#include <string_view>

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/float_environment.hpp"
#include "device/backend_names.hpp"
#include "device/device.hpp"

namespace isovmaf {

namespace {

/// Why dlopen failed, without the path that it puts in front.
std::string linker_reason(const std::string &path) {
    const char *const text = dlerror();
    const std::string reason = text ? text : "the dynamic linker gives no reason";
    return reason.starts_with(path + ": ") ? reason.substr(path.size() + 2) : reason;
}

/// A name as --backend takes it, and not one of those that the core itself gives a meaning.
bool is_backend_name(const char *name) {
    const std::string_view text = name ? name : "";
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    return !text.empty() && std::ranges::all_of(text, fits) && text != auto_backend && !runs_without_plugin(text);
}

} // namespace

Result<std::shared_ptr<const Plugin>> Plugin::open(const std::filesystem::path &path) {
    const FloatEnvironment floats; // libraries that were linked with -ffast-math change it when they are loaded
    const std::string file = std::filesystem::absolute(path).string(); // dlopen searches for a bare name
    const auto refuse = [&](const std::string &why) {
        return fail(ErrorCode::unavailable, fmt::format("{}: {}", file, why));
    };
    void *const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return refuse(
            fmt::format("cannot be loaded: {}; reinstall the plugin, or remove the file", linker_reason(file)));
    const auto *const backend = static_cast<const isovmaf_backend *>(dlsym(library, ISOVMAF_BACKEND_SYMBOL));
    if (!backend)
        return refuse("not an isovmaf backend: it has no symbol " ISOVMAF_BACKEND_SYMBOL "; remove the file");
    if (backend->magic != ISOVMAF_BACKEND_MAGIC)
        return refuse(fmt::format("not an isovmaf backend: its magic number is {:#010x}, not {:#010x}; remove the file",
                                  backend->magic, ISOVMAF_BACKEND_MAGIC));
    if (backend->size != sizeof(isovmaf_backend) || backend->layout != ISOVMAF_BACKEND_LAYOUT)
        return refuse(fmt::format("built for another isovmaf: its contract has {} bytes and layout {:#018x}, this "
                                  "isovmaf's {} bytes and {:#018x}; rebuild or reinstall the plugin",
                                  backend->size, backend->layout, sizeof(isovmaf_backend), ISOVMAF_BACKEND_LAYOUT));
    if (!is_backend_name(backend->name))
        return refuse(fmt::format("it calls itself \"{}\", which is no name for a backend: lower-case letters, digits "
                                  "and _, but not auto and not cpu; rename it and rebuild the plugin",
                                  backend->name ? backend->name : ""));
    return std::shared_ptr<const Plugin>(new Plugin(file, backend));
}

Result<isovmaf_runtime_info> Plugin::probe() const {
    const FloatEnvironment floats; // loads the driver
    isovmaf_runtime_info info{};
    isovmaf_message message{};
    if (const isovmaf_status status = backend_->probe(&info, &message); status != ISOVMAF_OK)
        return tl::unexpected(device_error(status, message));
    if (info.device_count == 0)
        return fail(ErrorCode::unavailable, fmt::format("{} is there, but it sees no device", info.runtime));
    return info;
}

Result<isovmaf_device_info> Plugin::describe(std::uint32_t index) const {
    isovmaf_device_info info{};
    isovmaf_message message{};
    if (const isovmaf_status status = backend_->describe(index, &info, &message); status != ISOVMAF_OK)
        return tl::unexpected(device_error(status, message));
    return info;
}

} // namespace isovmaf

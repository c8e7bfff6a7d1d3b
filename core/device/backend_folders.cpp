// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/backend_folders.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

namespace isovmaf {

namespace {

namespace fs = std::filesystem;

constexpr const char *variable = "ISOVMAF_BACKEND_DIR";

std::vector<std::string> variable_items() {
    const char *const text = std::getenv(variable);
    std::vector<std::string> items(1);
    for (const char c : std::string_view(text ? text : ""))
        if (c == ':')
            items.emplace_back();
        else
            items.back() += c;
    std::erase(items, "");
    return items;
}

Result<std::vector<fs::path>> existing(const std::vector<std::string> &folders, std::string_view origin) {
    std::vector<fs::path> paths;
    for (const std::string &folder : folders) {
        std::error_code error;
        if (!fs::is_directory(folder, error))
            return fail(ErrorCode::not_found,
                        fmt::format("{} names the folder {}, which {}", origin, folder,
                                    fs::exists(folder, error) ? "is no folder" : "does not exist"));
        paths.push_back(fs::absolute(folder).lexically_normal());
    }
    return paths;
}

/// Folders of a build tree's plugins when `folder` lies in one.
std::vector<fs::path> built_backends(const fs::path &folder) {
    std::error_code error;
    std::vector<fs::path> found;
    const fs::path tree = build_tree_of(folder);
    if (tree.empty())
        return found;
    for (const fs::directory_entry &entry : fs::directory_iterator(tree / "backends", error))
        if (entry.is_directory(error))
            found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

} // namespace

/// The list of mappings has what dladdr has not: the whole path, also of a program started by its bare name.
fs::path folder_of_this_code() {
    static const char anchor = 0;
    const auto address = reinterpret_cast<std::uintptr_t>(&anchor);
    std::ifstream mappings("/proc/self/maps");
    for (std::string line; std::getline(mappings, line);) {
        std::uintptr_t begin = 0, end = 0; // "55d0c8a00000-55d0c8a21000 r--p 00000000 08:01 1234   /usr/bin/isovmaf"
        const char *const stop = line.data() + line.size();
        const char *const dash = std::from_chars(line.data(), stop, begin, 16).ptr;
        if (dash != stop)
            std::from_chars(dash + 1, stop, end, 16);
        if (const std::size_t path = line.find('/'); begin <= address && address < end && path != std::string::npos)
            return fs::path(line.substr(path)).parent_path();
    }
    return {};
}

fs::path build_tree_of(fs::path folder) {
    std::error_code error;
    while (folder.has_relative_path() && !fs::is_directory(folder / "meson-private", error))
        folder = folder.parent_path();
    return folder.has_relative_path() ? folder : fs::path();
}

std::vector<fs::path> default_backend_folders(const fs::path &folder) {
    std::error_code error;
    constexpr const char *beside_the_code = "backends"; // a Python package's
    for (const char *const installed : {ISOVMAF_BACKENDS_FROM_BINDIR, ISOVMAF_BACKENDS_FROM_LIBDIR, beside_the_code})
        if (const fs::path path = (folder / installed).lexically_normal(); fs::is_directory(path, error))
            return {path};
    return built_backends(folder);
}

Result<std::vector<fs::path>> backend_folders(const std::vector<std::string> &given) {
    if (!given.empty())
        return existing(given, "--backend-dir");
    if (const std::vector<std::string> items = variable_items(); !items.empty())
        return existing(items, variable);
    const fs::path folder = folder_of_this_code();
    return folder.empty() ? std::vector<fs::path>() : default_backend_folders(folder);
}

} // namespace isovmaf

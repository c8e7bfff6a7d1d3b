// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/rocm_library.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isovmaf::gpu {

namespace {

namespace fs = std::filesystem;

/// The runtimes of ROCm 7 (and 10, which kept the number), 6 and 5. The functions of the table have the same signatures
/// in all of them.
constexpr std::array names{"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"};

/// PyTorch's wheels for ROCm carry the runtime under this name.
constexpr const char *name_in_wheels = "libamdhip64.so";

/// The numbers of "core-7.14": 7 and 14.
std::vector<int> version_of(const fs::path &folder) {
    const std::string name = folder.filename().string();
    std::vector<int> version;
    for (const char *digits = name.data() + name.find('-') + 1, *const end = name.data() + name.size(); digits < end;) {
        int number = 0;
        const auto [rest, error] = std::from_chars(digits, end, number);
        if (error != std::errc())
            break;
        version.push_back(number);
        digits = rest + 1; // behind the dot
    }
    return version;
}

/// The subfolders core-VERSION, the newest version first.
std::vector<fs::path> core_folders(const fs::path &rocm) {
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::directory_iterator entry(rocm, error); !error && entry != fs::directory_iterator(); entry.increment(error))
        if (entry->path().filename().string().starts_with("core-"))
            folders.push_back(entry->path());
    std::ranges::stable_sort(folders); // equal versions in the order of their names
    std::ranges::stable_sort(folders, std::ranges::greater(), version_of);
    return folders;
}

void add_variable(std::vector<RuntimePlace> &places, const char *variable) {
    if (const char *const value = std::getenv(variable); value && *value)
        places.push_back({RuntimePlace::Kind::folder, fs::path(value) / "lib", variable});
}

/// Goes through the names of the runtime in one place.
class PlaceSearch {
  public:
    PlaceSearch(const RuntimePlace &place, const std::function<std::string(void *library)> &missing_function)
        : place_(place), missing_function_(missing_function) {}

    [[nodiscard]] RuntimeLibrary run() {
        for (const char *const name : names)
            if (void *const library = open(name))
                return {library, name, {}};
        if (place_.kind == RuntimePlace::Kind::loaded)
            if (void *const library = open(name_in_wheels))
                return {library, name_in_wheels, {}};
        return {nullptr, {}, tried()};
    }

  private:
    [[nodiscard]] bool in_folder() const { return place_.kind == RuntimePlace::Kind::folder; }

    void *open(const char *name) {
        const std::string file = in_folder() ? (place_.folder / name).string() : name;
        std::error_code error;
        if (in_folder() && !fs::exists(file, error))
            return nullptr;
        const bool loaded = place_.kind == RuntimePlace::Kind::loaded;
        void *const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | (loaded ? RTLD_NOLOAD : 0));
        if (!library) {
            const char *const reason = dlerror();
            if (!loaded)
                findings_.push_back(reason ? reason : file + " cannot be opened");
            return nullptr;
        }
        const std::string missing = missing_function_(library);
        if (missing.empty())
            return library;
        findings_.push_back(fmt::format("{} has no {}", file, missing));
        dlclose(library);
        return nullptr;
    }

    /// Says of a folder without any of the names that it has none. What the process has not loaded is not worth a word.
    [[nodiscard]] std::string tried() const {
        if (!findings_.empty() || !in_folder())
            return fmt::format("{}", fmt::join(findings_, "; "));
        return fmt::format("no libamdhip64.so.* in {}{}", place_.folder.string(),
                           place_.origin.empty() ? "" : " (" + place_.origin + ")");
    }

    const RuntimePlace &place_;
    const std::function<std::string(void *library)> &missing_function_;
    std::vector<std::string> findings_;
};

} // namespace

std::vector<RuntimePlace> runtime_places(const fs::path &rocm) {
    std::vector<RuntimePlace> places{{RuntimePlace::Kind::loaded}};
    add_variable(places, "ROCM_PATH");
    add_variable(places, "ROCM_HOME");
    places.push_back({RuntimePlace::Kind::linker});
    places.push_back({RuntimePlace::Kind::folder, rocm / "lib"});
    for (const fs::path &folder : core_folders(rocm))
        places.push_back({RuntimePlace::Kind::folder, folder / "lib"});
    add_variable(places, "ISOVMAF_ROCM_FALLBACK"); // the Python package sets it to the ROCm that pip installed
    return places;
}

RuntimeLibrary open_runtime_library(const std::vector<RuntimePlace> &places,
                                    const std::function<std::string(void *library)> &missing_function) {
    std::vector<std::string> tried;
    for (const RuntimePlace &place : places) {
        RuntimeLibrary found = PlaceSearch(place, missing_function).run();
        if (found.library)
            return found;
        if (!found.tried.empty())
            tried.push_back(std::move(found.tried));
    }
    return {nullptr, {}, fmt::format("{}", fmt::join(tried, "; "))};
}

} // namespace isovmaf::gpu

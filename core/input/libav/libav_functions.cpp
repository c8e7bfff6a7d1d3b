// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/libav_functions.hpp"

#include <array>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/float_environment.hpp"
#include "base/try.hpp"

namespace isovmaf {

namespace {

tl::unexpected<Error> cannot_load(const std::string &why) {
    return fail(ErrorCode::unavailable,
                fmt::format("FFmpeg's libraries cannot be loaded: {}; install libavformat, libavcodec, libavutil and "
                            "libswscale of that version (in Debian and Ubuntu: apt install ffmpeg)",
                            why));
}

std::string linker_reason() {
    const char *const text = dlerror();
    return text ? text : "the dynamic linker gives no reason";
}

/// The file that holds this code, and the libraries that it is linked to: the Python package and tests are linked to
/// libav, which may have other file names there than it has in the system.
void *open_this_file() {
    static const int here = 0;
    Dl_info place{};
    void *file = dladdr(&here, &place) != 0 ? dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
    return file ? file : dlopen(nullptr, RTLD_LAZY);
}

/// Handles of the libraries. They stay open until the process ends, as libav's own threads and callbacks may run.
Result<std::vector<void *>> open_libraries() {
    const FloatEnvironment floats; // libraries that were linked with -ffast-math change it when they are loaded
    if (void *const file = open_this_file(); file && dlsym(file, "avformat_version"))
        return std::vector{file};
    const std::array names{fmt::format("libavutil.so.{}", LIBAVUTIL_VERSION_MAJOR),
                           fmt::format("libavcodec.so.{}", LIBAVCODEC_VERSION_MAJOR),
                           fmt::format("libavformat.so.{}", LIBAVFORMAT_VERSION_MAJOR),
                           fmt::format("libswscale.so.{}", LIBSWSCALE_VERSION_MAJOR)};
    std::vector<void *> libraries;
    for (const std::string &name : names) {
        libraries.push_back(dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL));
        if (!libraries.back())
            return cannot_load(linker_reason());
    }
    return libraries;
}

template <class Function>
Result<void> find(const std::vector<void *> &libraries, const char *name, Function *&function) {
    for (void *const library : libraries)
        if (void *const symbol = dlsym(library, name)) {
            function = reinterpret_cast<Function *>(symbol);
            return {};
        }
    return cannot_load(linker_reason());
}

Result<void> load() {
    const std::vector<void *> libraries = TRY(open_libraries());
#define ISOVMAF_LIBAV(name) TRY(find(libraries, #name, isovmaf::name));
#include "input/libav/libav_function_list.hpp"
#undef ISOVMAF_LIBAV
    return {};
}

} // namespace

Result<void> load_libav() {
    static const Result<void> loaded = load();
    return loaded;
}

} // namespace isovmaf

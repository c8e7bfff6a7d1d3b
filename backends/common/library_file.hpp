// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <climits>
#include <cstdlib>
#include <string>

#include <dlfcn.h>
#ifndef __APPLE__
#include <link.h>
#endif

namespace isovmaf::plugin {

/// The path of the file behind a library that dlopen opened, with symbolic links resolved. Empty where the dynamic
/// linker does not name it.
inline std::string library_file(void *library) {
#ifdef __APPLE__
    (void)library;
    return {};
#else
    link_map *map = nullptr;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || !map || !map->l_name)
        return {};
    char resolved[PATH_MAX];
    return realpath(map->l_name, resolved) ? resolved : map->l_name;
#endif
}

} // namespace isovmaf::plugin

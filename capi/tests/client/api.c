/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include "api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

Api vmaf;

/* ISO C knows no conversion from an object pointer to a function pointer; POSIX promises that both have one form. */
static int find(void *library, const char *name, void *function, size_t size) {
    void *address = dlsym(library, name);
    if (!address) {
        fprintf(stderr, "%s\n", dlerror());
        return -1;
    }
    memcpy(function, &address, size);
    return 0;
}

int open_library(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return -1;
    }
#define API_FIND(name)                                                                                                 \
    if (find(library, "vmaf_" #name, &vmaf.name, sizeof vmaf.name) != 0)                                               \
        return -1;
    API_FUNCTIONS(API_FIND)
#undef API_FIND
    return 0;
}

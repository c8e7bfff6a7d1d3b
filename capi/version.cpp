// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "libvmaf/version.h"

#include "libvmaf/libvmaf.h"

#define ISOVMAF_TEXT(value) ISOVMAF_EXPANDED_TEXT(value)
#define ISOVMAF_EXPANDED_TEXT(value) #value

const char *vmaf_version() {
    return ISOVMAF_TEXT(VMAF_API_VERSION_MAJOR) "." ISOVMAF_TEXT(VMAF_API_VERSION_MINOR) "." ISOVMAF_TEXT(
        VMAF_API_VERSION_PATCH);
}

/* SPDX-License-Identifier: BSD-2-Clause-Patent */
#include <stdio.h>
#include <stdlib.h>

#include "checks.h"

/* A backend or device that the environment asks for and that is not there. */
static void unusable_backend(const char *variable, const char *value) {
    VmafConfiguration configuration = {VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0};
    VmafContext *context = NULL;
    const char *before = getenv(variable);
    char kept[256] = "";
    if (before)
        snprintf(kept, sizeof kept, "%s", before);
    scenario(variable);
    setenv(variable, value, 1);
    CODE(vmaf.init(&context, configuration));
    POINTER(context);
    setenv(variable, kept, 1);
}

/* libvmaf knows no such variables. */
void check_backends(void) {
    subject("backends");
    if (!with_ours)
        return;
    unusable_backend("ISOVMAF_BACKEND", "nothing");
    unusable_backend("ISOVMAF_DEVICE", "first");
}

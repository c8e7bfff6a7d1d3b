/* SPDX-License-Identifier: BSD-2-Clause-Patent
 * The functions of the C interface are visible outside the library, all else is not. Included before each source. */
#pragma GCC visibility push(default)
#include "capi/metadata_handler.h"
#include "libvmaf/version.h"
#pragma GCC visibility pop

// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernel that looks for samples above the bit depth.

#define KERNEL sample_range
#include "device/sample_range_kernel.h"
